import type { SceneFutures } from "../../reviewing/remote-futures.js";
import type { Overlay } from "../draw/picture.js";
import { type FuturesView, SET_COLOURS } from "./futures-state.js";
import {
	type DrawnSet,
	type Events,
	eventsOf,
	isValid,
	poseAt,
	shownAgents,
	shownFuture,
	stepOf,
} from "./futures-view.js";

/** Colours of time, from the first step to the last. */
export const TIME_COLOURS = [
	"#2563eb",
	"#0891b2",
	"#059669",
	"#ca8a04",
	"#ea580c",
	"#dc2626",
] as const;
/** Colours of outcomes; of the others, that of the submission. */
export const COLLIDING = "#ff2d2d";
export const LEAVING = "#f59e0b";
/** Opacity of one future among all, in hexadecimal. */
const FAINT = "80";

/** A line, box or dot of a submission. */
export interface FuturesOverlay extends Overlay {
	/** The submission's index. */
	readonly set: number;
}

/** What is drawn, where. */
export interface Drawn {
	readonly scene: number;
	readonly frame: number;
	/** The selected track. */
	readonly track: bigint | undefined;
	readonly view: FuturesView;
	/** Whether two submissions are drawn, each in its colour. */
	readonly several: boolean;
}

function pointsOf(f: SceneFutures, at: readonly (readonly [number, number, number])[]) {
	const points = new Float64Array(2 * at.length);
	at.forEach(([r, a, t], k) => {
		points[2 * k] = f.origin[0] + poseAt(f, [r, a, 0, t]);
		points[2 * k + 1] = f.origin[1] + poseAt(f, [r, a, 1, t]);
	});
	return points;
}

function outcomeColour({ collisions, departures }: Events, plain: string): string {
	if (collisions.length > 0) return COLLIDING;
	return departures.length > 0 ? LEAVING : plain;
}

/** Returns a path in pieces, one per colour, which share their ends. */
function piecesOf(
	f: SceneFutures,
	[r, a]: readonly [number, number],
	colours: readonly string[],
): readonly { readonly points: Float64Array; readonly color: string }[] {
	const valid = Array.from({ length: f.steps }, (_, t) => t).filter((t) =>
		isValid(f, r, a, t),
	);
	const per = Math.max(1, Math.ceil((f.steps - 1) / colours.length));
	return colours.flatMap((color, i) => {
		const part = valid.filter((t) => t >= i * per && t <= (i + 1) * per);
		if (part.length < 2) return [];
		return [
			{
				points: pointsOf(
					f,
					part.map((t) => [r, a, t] as const),
				),
				color,
			},
		];
	});
}

/** Numbers of an outline: a closed box and its heading. */
const CORNERS = [
	[1, 1],
	[-1, 1],
	[-1, -1],
	[1, -1],
	[1, 1],
] as const;

/** Returns an agent's box, closed; undefined without heading or size. */
function boxOf(f: SceneFutures, r: number, a: number, t: number) {
	const { sizes, ids, steps } = f;
	if (f.values < 4 || !sizes || !isValid(f, r, a, t)) return undefined;
	const each = sizes.length === 3 * ids.length;
	const size = (v: number): number =>
		(each ? sizes[3 * a + v] : sizes[((r * ids.length + a) * 3 + v) * steps + t]) ?? 0;
	const yaw = poseAt(f, [r, a, 3, t]);
	const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
	const [x, y] = pointsOf(f, [[r, a, t]]);
	const points = new Float64Array(2 * CORNERS.length);
	CORNERS.forEach(([along, across], k) => {
		const [dx, dy] = [(along * size(0)) / 2, (across * size(1)) / 2];
		points[2 * k] = (x ?? 0) + cos * dx - sin * dy;
		points[2 * k + 1] = (y ?? 0) + sin * dx + cos * dy;
	});
	return points;
}

/** The lines of a set, which do not depend on the frame. */
const known = new WeakMap<
	SceneFutures,
	{ readonly of: string; readonly all: readonly FuturesOverlay[] }
>();

/** Returns the futures that a submission shows, and whether all of them. */
function rolloutsOf(f: SceneFutures, shown: number | null | undefined) {
	if (shown === undefined) return Array.from({ length: f.rollouts }, (_, r) => r);
	return shown === null ? [] : [shown];
}

function linesOf(
	{ futures: f, index }: DrawnSet,
	shown: number | null | undefined,
	drawn: Drawn,
): readonly FuturesOverlay[] {
	const { scene, track, view, several } = drawn;
	const agents = shownAgents(f, track);
	const of = [scene, agents, index, shown, shown === null, view.colour, several];
	const before = known.get(f);
	if (before?.of === of.join(";")) return before.all;
	const plain = SET_COLOURS[index] ?? SET_COLOURS[0];
	const faint = shown === undefined ? FAINT : "";
	const own = { scene, set: index };
	const all = rolloutsOf(f, shown).flatMap((r) =>
		agents.flatMap((a): FuturesOverlay[] => {
			const outcome = outcomeColour(eventsOf(f, r, [a]), plain);
			const alone = view.colour === "outcome" ? [outcome] : TIME_COLOURS;
			const colours = several && view.colour === "time" ? [plain] : alone;
			const pieces = piecesOf(f, [r, a], colours);
			const end = pieces.at(-1);
			return [
				...pieces.map(({ points, color }): FuturesOverlay => {
					return { points, kind: "line", color: `${color}${faint}`, ...own };
				}),
				...(end
					? [{ points: end.points.slice(-2), color: `${end.color}${faint}`, ...own }]
					: []),
			];
		}),
	);
	known.set(f, { of: of.join(";"), all });
	return all;
}

/** Returns the boxes of a frame: of all futures, or of all agents in the chosen one. */
function boxesOf(
	{ futures: f, index }: DrawnSet,
	shown: number | null | undefined,
	{ scene, frame, track }: Drawn,
): readonly FuturesOverlay[] {
	const step = stepOf(f, frame);
	if (step === undefined) return [];
	const plain = SET_COLOURS[index] ?? SET_COLOURS[0];
	const own = { scene, frame, set: index };
	const isAlone = shown !== undefined;
	const agents = isAlone
		? Array.from({ length: f.ids.length }, (_, a) => a)
		: shownAgents(f, track);
	return rolloutsOf(f, shown).flatMap((r) =>
		agents.flatMap((a): FuturesOverlay[] => {
			if (!isValid(f, r, a, step)) return [];
			const points = boxOf(f, r, a, step);
			const hit = f.measures.collision_step[r * f.ids.length + a] ?? -1;
			const color = `${hit >= 0 && step >= hit ? COLLIDING : plain}${isAlone ? "" : FAINT}`;
			if (points) return [{ points, kind: "line", color, ...own }];
			return [{ points: pointsOf(f, [[r, a, step]]), color, ...own }];
		}),
	);
}

/** Returns what is drawn of submissions in a frame. */
export function futuresOverlays(
	sets: readonly DrawnSet[],
	drawn: Drawn,
): readonly FuturesOverlay[] {
	return sets.flatMap((set) => {
		const shown = shownFuture(sets, set.index, drawn.view);
		return [...linesOf(set, shown, drawn), ...boxesOf(set, shown, drawn)];
	});
}
