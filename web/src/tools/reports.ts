import { type Arrays, numbersOf, pick, rowsOf } from "../core/core.js";
import type { Polylines } from "../dataset/frame-view.js";
import {
	type Breakdown,
	type ComparedColumns,
	type ComparisonReport,
	type HorizonScore,
	type ModeScore,
	type PredictedLines,
	type Ranked,
	type RankedRow,
	type RankingReport,
	type ReviewedFrame,
	type ReviewedRow,
	type ReviewReport,
	type Score,
	SUBJECTS,
	type SubjectScore,
} from "./scores.js";

// Reports from the arrays of the core's operations of the same names.

const SCORE = ["ade", "fde", "nll"] as const;
const ROW = ["frame", "track", "seen", ...SCORE] as const;

/** Returns the scores of one scene. */
export function reviewReportOf(arrays: Arrays): ReviewReport {
	const rows = rowsOf<ReviewedRow>(arrays, "rows", ROW);
	const frames = rowsOf<ReviewedFrame>(arrays, "frames", ["frame", "count", ...SCORE]);
	return {
		rows,
		frames,
		worst: {
			rows: inOrders(rows, arrays, "rows"),
			tracks: inOrders(rows, arrays, "tracks"),
			frames: inOrders(frames, arrays, "frames"),
		},
		mean: numbersOf<Score>(arrays, "mean", SCORE),
		breakdown: breakdownOf(arrays),
		begun: arrays.begun as number,
		compared: arrays.compared as number,
		missed: arrays.missed as number,
		unknown: arrays.unknown as number,
	};
}

export function rankingReportOf(arrays: Arrays): RankingReport {
	const worst = (by: string): RankedRow[] =>
		rowsOf<RankedRow>(arrays, by, ["scene", ...ROW]);
	return {
		breakdown: breakdownOf(arrays),
		found: arrays.found as number,
		begun: arrays.begun as number,
		compared: arrays.compared as number,
		mean: numbersOf<Score>(arrays, "mean", SCORE),
		worst: {
			ade: worst("worst_ade"),
			fde: worst("worst_fde"),
			nll: worst("worst_nll"),
		},
		worstTracks: {
			ade: worst("worst_tracks_ade"),
			fde: worst("worst_tracks_fde"),
			nll: worst("worst_tracks_nll"),
		},
	};
}

/** A model's predictions that pass the brushes of a distribution. */
export interface KeptReport
	extends Pick<RankingReport, "found" | "begun" | "compared" | "mean"> {
	/** Number of the model's predictions, also of those that do not pass. */
	readonly all: number;
	/** Number of compared predictions whose FDE is above 2 m. */
	readonly missed: number;
	/** The worst by one measure, and the worst of each track. */
	readonly rows: readonly RankedRow[];
	readonly tracks: readonly RankedRow[];
	/** Of a scene: its frames, with means of the predictions that pass; worst first. */
	readonly frames: readonly ReviewedFrame[];
}

export function keptReportOf(arrays: Arrays): KeptReport {
	return {
		all: arrays.all as number,
		found: arrays.found as number,
		begun: arrays.begun as number,
		compared: arrays.compared as number,
		missed: arrays.missed as number,
		mean: numbersOf<Score>(arrays, "mean", SCORE),
		rows: rowsOf<RankedRow>(arrays, "rows", ["scene", ...ROW]),
		tracks: rowsOf<RankedRow>(arrays, "tracks", ["scene", ...ROW]),
		frames: rowsOf<ReviewedFrame>(arrays, "frames", ["frame", "count", ...SCORE]),
	};
}

export function comparisonReportOf(arrays: Arrays): ComparisonReport {
	return {
		rows: {
			...columnsOf(arrays, "rows"),
			tracks: pick(arrays, "rows.track_ids", BigInt64Array),
			seen: pick(arrays, "rows.seen", Uint32Array),
			worstTracks: ordersOf(arrays, "tracks"),
		},
		frames: {
			...columnsOf(arrays, "frames"),
			counts: pick(arrays, "frames.counts", Uint32Array),
		},
		onlyA: arrays.only_a as number,
		onlyB: arrays.only_b as number,
		meanA: numbersOf<Score>(arrays, "mean_a", SCORE),
		meanB: numbersOf<Score>(arrays, "mean_b", SCORE),
		compared: arrays.compared as number,
	};
}

export function linesOf(arrays: Arrays): PredictedLines {
	const lines = (points: string, offsets: string): Polylines => ({
		points: pick(arrays, points, Float64Array),
		offsets: pick(arrays, offsets, Uint32Array),
	});
	return {
		modes: lines("points", "offsets"),
		confidences: pick(arrays, "confidences", Float64Array),
		tracks: pick(arrays, "track_ids", BigInt64Array),
		truth: lines("truth", "truth_offsets"),
		truthSteps: pick(arrays, "truth_steps", Uint32Array),
		truthTracks: pick(arrays, "truth_track_ids", BigInt64Array),
	};
}

function breakdownOf(arrays: Arrays): Breakdown {
	const subjects = rowsOf<Omit<SubjectScore, "subject"> & { subject: number }>(
		arrays,
		"subjects",
		["subject", "count", "compared", "missed", ...SCORE],
	);
	return {
		subjects: subjects.map((one) => ({
			...one,
			subject: SUBJECTS[one.subject] ?? "unlabelled",
		})),
		modes: rowsOf<ModeScore>(arrays, "modes", ["confidence", "ade", "fde", "best"]),
		horizons: rowsOf<HorizonScore>(arrays, "horizons", [
			...(["steps", "compared", "missed"] as const),
			...SCORE,
		]),
		horizon: [...pick(arrays, "horizon", Float64Array)],
		compared: arrays.compared as number,
		missed: arrays.missed as number,
	};
}

function columnsOf(arrays: Arrays, group: string): ComparedColumns {
	return {
		scenes: pick(arrays, `${group}.scenes`, Uint32Array),
		frames: pick(arrays, `${group}.frames`, Uint32Array),
		a: pick(arrays, `${group}.a`, Float64Array),
		b: pick(arrays, `${group}.b`, Float64Array),
		worst: ordersOf(arrays, group),
	};
}

function ordersOf(arrays: Arrays, group: string): ComparedColumns["worst"] {
	const by = (measure: keyof Score) =>
		pick(arrays, `${group}.by_${measure}`, Uint32Array);
	return { ade: by("ade"), fde: by("fde"), nll: by("nll") };
}

function inOrders<T>(all: readonly T[], arrays: Arrays, group: string): Ranked<T> {
	const { ade, fde, nll } = ordersOf(arrays, group);
	const listed = (order: Uint32Array): T[] =>
		Array.from(order).flatMap((i) => all[i] ?? []);
	return { ade: listed(ade), fde: listed(fde), nll: listed(nll) };
}
