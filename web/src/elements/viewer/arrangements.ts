import type { Arrangement, Tab } from "./layout-state.js";

/** What a change of an arrangement sets. */
type Change = Pick<Arrangement, "tab" | "lower" | "chosen"> &
	Partial<Pick<Arrangement, "closed">>;

/** Arrangements for a kind of work. */
export const PRESETS = {
	look: { tab: "agents", lower: undefined, closed: ["layers", "details", "plots"] },
	review: { tab: "predictions", lower: "selected", closed: ["layers"] },
	debug: { tab: "agents", lower: "selected", closed: [] },
} as const satisfies Readonly<Record<string, Omit<Arrangement, "chosen">>>;
export type Preset = keyof typeof PRESETS;

/** Names and purposes of the presets. */
export const PRESET_WORDS: Readonly<Record<Preset, readonly [string, string]>> = {
	look: ["Look", "the picture alone"],
	review: ["Review", "predictions above the selection"],
	debug: ["Debug", "agents above the selection"],
};

/** Returns the change that arranges like a preset. */
export function presetChange(preset: Preset): Change {
	return { ...PRESETS[preset], chosen: true };
}

/** Returns the preset that is arranged; undefined if none is. */
export function presetOf({ tab, lower, closed }: Arrangement): Preset | undefined {
	const names = Object.keys(PRESETS) as Preset[];
	return names.find((name) => {
		const { tab: top, lower: bottom, closed: all } = PRESETS[name];
		const isClosed =
			all.length === closed.length && all.every((it) => closed.includes(it));
		// The tab is out of sight while the panel is closed.
		return isClosed && (name === "look" || (top === tab && bottom === lower));
	});
}

/**
 * Returns the change that shows `tab` below the active one. If it is the active one, the
 * lower one or the first other of `tabs` takes its place; undefined if there is none.
 */
export function lowered(
	{ tab: active, lower }: Arrangement,
	tab: Tab,
	tabs: readonly Tab[],
): Change | undefined {
	const other = lower ?? tabs.find((one) => one !== tab);
	const upper = active === tab ? other : active;
	return upper && upper !== tab && tabs.includes(tab)
		? { tab: upper, lower: tab, chosen: true }
		: undefined;
}

/** Returns the change that shows one panel, with the tab `tab`. */
export function single(tab: Tab): Change {
	return { tab, lower: undefined, chosen: true };
}
