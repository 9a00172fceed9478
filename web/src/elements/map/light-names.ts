import type { MapView } from "../../dataset/map-view.js";
import type { ViewerState } from "../session/state.js";

const SECTORS = [
	"North",
	"North-east",
	"East",
	"South-east",
	"South",
	"South-west",
	"West",
	"North-west",
] as const;

/** Movements by their bit in `lights.movements`: alone, and among others. */
const MOVEMENTS = [
	[1, "ahead", "ahead"],
	[2, "left turn", "left"],
	[4, "right turn", "right"],
	[8, "U-turn", "U-turn"],
] as const;

/** Movements that need no words: most approaches have all three. */
const USUAL = 1 + 2 + 4;

/** Returns the words for a set of movements; empty if they are unknown or all usual ones. */
function movementWords(movements: number): string {
	const some = MOVEMENTS.filter(([bit]) => (movements & bit) !== 0);
	if (some.length === 0 || (movements & USUAL) === USUAL) return "";
	const [only] = some;
	if (some.length === 1) return `, ${only?.[1]}`;
	const words = some.map(([, , word]) => word);
	return `, ${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/**
 * Returns the name of the approach that a light of the map controls: `North arm, left
 * turn` for traffic that comes from the north; undefined if the map does not tell.
 */
export function approachWords(
	{ lights }: Pick<MapView, "lights">,
	row: number,
): string | undefined {
	const from = lights.from_deg[row] ?? Number.NaN;
	if (row < 0 || !Number.isFinite(from)) return undefined;
	const sector = SECTORS[Math.round(from / 45) % SECTORS.length];
	return `${sector} arm${movementWords(lights.movements[row] ?? 0)}`;
}

/** Returns a name for each light: equal ones are numbered, unknown ones are the ids. */
export function lightNames(
	map: Pick<MapView, "lights">,
	ids: readonly string[],
): ReadonlyMap<string, string> {
	const rows = new Map(map.lights.id.map((id, row) => [id, row]));
	const words = ids.map((id) => approachWords(map, rows.get(id) ?? -1));
	const counts = new Map<string, number>();
	for (const one of words) if (one) counts.set(one, (counts.get(one) ?? 0) + 1);
	const met = new Map<string, number>();
	const name = (one: string): string => {
		if (counts.get(one) === 1) return one;
		const number = (met.get(one) ?? 0) + 1;
		met.set(one, number);
		return `${one} ${number}`;
	};
	return new Map(
		ids.map((id, i) => {
			const one = words[i];
			return [id, one ? name(one) : id] as const;
		}),
	);
}

interface Named {
	/** The scene's lights. */
	readonly of: object;
	readonly names: ReadonlyMap<string, string>;
}

const known = new WeakMap<MapView, Named>();
const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** Returns the names of the scene's lights by id; empty until map and scene are read. */
export function namesOfLights({
	map,
	timeline,
}: Pick<ViewerState, "map" | "timeline">): ReadonlyMap<string, string> {
	if (!map || !timeline) return NO_NAMES;
	const { lights } = timeline;
	const made = known.get(map);
	if (made?.of === lights) return made.names;
	const names = lightNames(map, lights.id);
	known.set(map, { of: lights, names });
	return names;
}
