import type { ModelContract } from "../../model/types.js";
import { plainConfig } from "../raster/rasters.js";

/** A config of samples as JSON, and where it is from. */
export interface LiveConfig {
	readonly json: string;
	readonly from: string;
}

type Section = Readonly<Record<string, unknown>>;

/** What a model needs of its samples. */
export type SampleNeeds = Pick<
	ModelContract,
	"config" | "image" | "vectorized" | "assumed"
>;

/** Returns the longest history in a config: frames before the present one. */
export function historyIn(json: string): number {
	const { model_params = {} } = JSON.parse(json) as { model_params?: Section };
	const counts = ["", "_ego", "_agents"].map(
		(of) => model_params[`history_num_frames${of}`],
	);
	const found = counts.filter((count) => Number.isInteger(count)).map(Number);
	return found.reduce((most, count) => Math.max(most, count), 0);
}

/**
 * Returns the config of a model's samples: its own; otherwise that of the data or the
 * viewer's, with the numbers that the model's shapes determine.
 *
 * @param found JSON of the config beside the data
 * @param hasMap whether the data has a map
 */
export function configFor(
	needs: SampleNeeds,
	found: string | undefined,
	hasMap: boolean,
): LiveConfig {
	if (needs.config) return { json: JSON.stringify(needs.config), from: "its own" };
	const { history_num_frames, future_num_frames, width, height } = needs.assumed;
	const draws = needs.image !== "none" && hasMap;
	const base = found ?? plainConfig(draws ? "py_semantic" : "box_debug");
	const config = JSON.parse(base) as {
		model_params?: Section;
		raster_params?: Section;
	};
	const history = history_num_frames ?? undefined;
	const assumed = {
		...(history !== undefined && {
			history_num_frames: history,
			history_num_frames_ego: history,
			history_num_frames_agents: history,
		}),
		...(future_num_frames !== null && { future_num_frames }),
	};
	const size = width !== null && height !== null && { raster_size: [width, height] };
	const json = JSON.stringify({
		...config,
		model_params: { ...config.model_params, ...assumed },
		raster_params: { ...config.raster_params, ...size },
	});
	const numbers = [
		history === undefined ? undefined : `history ${history}`,
		size ? `${width} × ${height} px` : undefined,
	].filter((text) => text !== undefined);
	const where = found === undefined ? "the viewer's" : "the data's";
	const from = numbers.length > 0 ? `${where}; assumed: ${numbers.join(", ")}` : where;
	return { json, from };
}
