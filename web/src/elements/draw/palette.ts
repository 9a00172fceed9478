/** The colours a picture is made of, by the names of their tokens. */
const NAMES = [
	"ground",
	"road",
	"mark",
	"crosswalk",
	"ego",
	"vehicle",
	"cyclist",
	"pedestrian",
	"other",
	"red",
	"yellow",
	"green",
	"ink",
	"ink3",
	"panel",
	"line",
] as const;

export type Palette = Readonly<Record<(typeof NAMES)[number], string>>;

/** The colours in force at `element`: its theme's, or what the page set instead. */
export function paletteOf(element: Element): Palette {
	const style = getComputedStyle(element);
	const entries = NAMES.map((name) => [
		name,
		style.getPropertyValue(`--_${name}`).trim(),
	]);
	return Object.fromEntries(entries) as Palette;
}
