import type { FuturesScene } from "../../reviewing/remote-futures.js";
import { recordedScene, type Tables } from "../rollout/recorded.js";
import { sceneAttributes } from "../scenes/benchmark.js";
import { columnAs } from "../scenes/stored-scene.js";
import type { ViewerDataset } from "../session/dataset.js";

const OF = "futures";

/**
 * Reads what futures are joined with: a scene's frames and agents, and its attributes.
 *
 * @throws BevError `not_found` if records of a frame are not stored; errors of reading
 */
export async function sceneColumns(
	dataset: Tables & Pick<ViewerDataset, "attrs">,
	scene: number,
	signal: AbortSignal,
): Promise<FuturesScene> {
	const fields = ["yaw", "extent", "velocity", "label_probabilities"];
	const by = { of: OF, fields };
	const { recorded, agents } = await recordedScene(dataset, scene, signal, by);
	return {
		...recorded,
		yaws: columnAs(Float32Array, agents, "yaw", OF),
		extents: columnAs(Float32Array, agents, "extent", OF),
		velocities: columnAs(Float32Array, agents, "velocity", OF),
		label_probabilities: columnAs(Float32Array, agents, "label_probabilities", OF),
		attributes: JSON.stringify(sceneAttributes(dataset.attrs, scene) ?? {}),
	};
}
