import type { AbortOptions } from "../../api.js";
import type { Model } from "../../model/model.js";
import type { ModelTimes } from "../../model/types.js";
import type { SampleArray } from "../../samples/sample.js";
import type { RasterAt, RasterMaker } from "../raster/rasters.js";
import type { FrameLines } from "../review/model-lines.js";
import { joinLines, linesOf } from "./live-lines.js";

/** Agents of a batch: the nearest ones are drawn first. */
const BATCH = 8;

/** The paths of some agents, and what predicting them took. */
export interface AgentLines {
	readonly lines: FrameLines;
	readonly times: ModelTimes & { readonly sample: number };
}

/** Returns the tracks with one of them first, if it is among them. */
function withFirst(tracks: readonly bigint[], first: bigint | undefined) {
	if (first === undefined || !tracks.includes(first)) return tracks;
	return [first, ...tracks.filter((track) => track !== first)];
}

/**
 * Predicts the agents of a frame in batches, the nearest to the ego vehicle first.
 *
 * @param first a track that goes before the others
 */
export async function* agentsOf(
	{ model, maker }: { readonly model: Model; readonly maker: RasterMaker },
	{ scene, frame }: Omit<RasterAt, "track">,
	{ first, signal }: AbortOptions & { readonly first: bigint | undefined },
): AsyncGenerator<AgentLines, void, undefined> {
	const { contract } = model;
	if (!contract || !maker.subjects || !maker.batch) return;
	const { labels, maxAgents: most } = contract;
	const found = await maker.subjects({ scene, frame }, { labels, most }, { signal });
	const tracks = withFirst(found, first);
	const size = contract.batch ?? BATCH;
	for (let begin = 0; begin < tracks.length; begin += size) {
		const some = tracks.slice(begin, begin + size);
		const at = some.map((track) => ({ scene, frame, track }));
		const started = performance.now();
		const samples = await maker.batch(at, { signal });
		const sample = performance.now() - started;
		try {
			const centroids = (samples.centroid as SampleArray).data;
			const futures = await model.predict(samples, { signal });
			const lines = some.map((track, row) => {
				const [x, y] = [0, 1].map((i) => Number(centroids[2 * row + i]));
				return linesOf({ frame, track, row }, futures, [x ?? 0, y ?? 0]);
			});
			yield { lines: joinLines(frame, lines), times: { ...futures.times, sample } };
		} finally {
			samples.release();
		}
	}
}
