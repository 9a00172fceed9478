/** Panels that can be hidden, in screen order. The picture is always shown. */
export const PANEL_NAMES = [
	"bar",
	"brand",
	"layers",
	"lights",
	"agents",
	"selected",
	"raster",
	"predictions",
	"timeline",
] as const;
export type PanelName = (typeof PANEL_NAMES)[number];

export const ALL_PANELS: ReadonlySet<PanelName> = new Set(PANEL_NAMES);

const EXPECTED = `${PANEL_NAMES.join(", ")} or picture`;

/**
 * Parses the attribute `panels`: names separated by spaces or commas; null means all.
 */
export function parsePanels(value: string | null): {
	readonly shown: ReadonlySet<PanelName>;
	/** Messages about unknown names. */
	readonly bad: readonly string[];
} {
	if (value === null) return { shown: ALL_PANELS, bad: [] };
	const names = value.split(/[\s,]+/).filter((name) => name && name !== "picture");
	const shown = new Set(PANEL_NAMES.filter((name) => names.includes(name)));
	const unknown = names.filter((name) => !shown.has(name as PanelName));
	return {
		shown,
		bad: unknown.map(
			(name) => `panels: unknown name (found ${name}, expected ${EXPECTED})`,
		),
	};
}
