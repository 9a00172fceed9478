import type { Vocabulary, Word } from "./find-loader.js";

/** Most suggestions that are listed. */
const MAX_OPTIONS = 50;

const FUNCTIONS = [
	...["abs(", "min(", "max(", "isnan("],
	...["hash_split(", "has_tag(", "label_prob("],
];
const WORDS = ["and", "or", "not", "in", "between", "true", "false"];

/** A text to insert. */
export interface Suggestion {
	readonly text: string;
	/** What it is: `field <f4`, `label`, `function` or `word`. */
	readonly what: string;
}

/** Suggestions for the word before the caret. */
export interface Completion {
	/** Where the word begins. */
	readonly begin: number;
	readonly suggestions: readonly Suggestion[];
}

/** Returns the suggestions at `caret` in the filter `text`. */
export function complete(
	text: string,
	caret: number,
	vocabulary: Vocabulary,
): Completion {
	const before = text.slice(0, caret);
	const quote = openQuote(before);
	if (quote >= 0) return ofLabels(before, quote, vocabulary);
	const [word = ""] = /[A-Za-z_]\w*$/.exec(before) ?? [];
	const begin = caret - word.length;
	if (/[\d.]$/.test(before.slice(0, begin))) return { begin, suggestions: [] };
	const fields = vocabulary.columns.map((column) => ({
		text: column.name,
		what: meaningOf(column),
	}));
	const all = [
		...fields,
		...FUNCTIONS.map((name) => ({ text: name, what: "function" })),
		...WORDS.map((name) => ({ text: name, what: "word" })),
	];
	return { begin, suggestions: matching(all, word) };
}

/** Returns what a column contains: the unit or the type of a fact, or the dtype. */
function meaningOf({ dtype, unit, names }: Word): string {
	if (unit === undefined) return `field ${dtype}`;
	if (names)
		return `fact: ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}`;
	return unit === "" ? (KINDS[dtype] ?? "fact: number") : `fact in ${unit}`;
}

const KINDS: Readonly<Record<string, string>> = { "|b1": "fact: true or false" };

/** Returns the position of the string that is still open at the end; -1 if none is. */
function openQuote(text: string): number {
	let open = -1;
	for (let i = 0; i < text.length; i += 1) {
		if (open < 0) {
			if (text[i] === '"' || text[i] === "'") open = i;
		} else if (text[i] === text[open]) open = -1;
	}
	return open;
}

/** Labels and names of categories, or tags, with the closing quote. */
function ofLabels(
	before: string,
	quote: number,
	{ columns, labels, tags = [] }: Vocabulary,
): Completion {
	const names = columns.flatMap((column) => column.names ?? []);
	const end = before[quote] ?? '"';
	const isTag = /\bhas_tag\(\s*$/.test(before.slice(0, quote));
	const all = [...new Set(isTag ? tags : [...labels, ...names])].map((name) => ({
		text: `${name}${end}`,
		what: isTag ? "tag" : "label",
	}));
	const word = before.slice(quote + 1);
	return { begin: quote + 1, suggestions: matching(all, word) };
}

/** Those that begin with `word`, then those that contain it; not `word` itself. */
function matching(all: readonly Suggestion[], word: string): readonly Suggestion[] {
	const part = word.toLowerCase();
	const rank = ({ text }: Suggestion): number => text.toLowerCase().indexOf(part);
	const found = all.filter((one) => rank(one) >= 0 && one.text !== word);
	const first = found.filter((one) => rank(one) === 0);
	const rest = found.filter((one) => rank(one) > 0);
	return [...first, ...rest].slice(0, MAX_OPTIONS);
}
