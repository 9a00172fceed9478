import { labelName } from "../layers/layer-set.js";

/** Names that do not say what they are. */
const NAMES: Readonly<Record<string, string>> = {
	min_ttc: "time to collision",
};

/** Returns a column's name in words. */
export function columnWords(name: string): string {
	const known = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
	return known ?? name.replaceAll("_", " ");
}

/** Returns a column's name as a title: `Time to collision`. */
export function columnTitle(name: string): string {
	return columnWords(name).replace(/^./, (first) => first.toUpperCase());
}

/** Returns the name of a category in words: `Pedestrian` for the label `PEDESTRIAN`. */
export function categoryWords(name: string): string {
	return /^[A-Z_]+$/.test(name) ? labelName(name) : name.replaceAll("_", " ");
}

/** Returns a number's text with the viewer's minus sign. */
export function numberWords(text: string): string {
	return text.replace("-", "\u2212");
}
