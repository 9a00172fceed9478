/** Tokens used in pictures: colours and the label font. */
export const PALETTE_NAMES = [
	"ground",
	"aerial",
	"road",
	"mark",
	"crosswalk",
	"ego",
	"vehicle",
	"cyclist",
	"pedestrian",
	"other",
	"predicted",
	"model-1",
	"model-2",
	"model-3",
	"model-4",
	"red",
	"yellow",
	"green",
	"ink",
	"ink3",
	"panel",
	"line",
	"sans",
] as const;

export type Palette = Readonly<Record<(typeof PALETTE_NAMES)[number], string>>;

const last = new WeakMap<Element, Palette>();

/**
 * Returns the effective colours at `element`: the theme's, or the page's overrides.
 * Returns the same object until one of them changes.
 */
export function paletteOf(element: Element): Palette {
	const style = getComputedStyle(element);
	const entries = PALETTE_NAMES.map(
		(name) => [name, style.getPropertyValue(`--_${name}`).trim()] as const,
	);
	const before = last.get(element);
	if (before && entries.every(([name, value]) => before[name] === value)) return before;
	const palette = Object.fromEntries(entries) as Palette;
	last.set(element, palette);
	return palette;
}
