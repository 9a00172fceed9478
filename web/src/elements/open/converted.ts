import { toBevError } from "../../base/errors.js";
import type { Converter } from "../../converting/converter.js";
import { convertLogScene, type LogScene } from "../../converting/log.js";
import type { ConvertRequest } from "../../converting/protocol.js";
import { MemorySource } from "../../source/source.js";
import type { Opened, OpenerOptions } from "../session/dataset.js";
import { explained, isExplained } from "../session/explanation.js";
import { type OpenDataset, openedOf } from "./opened.js";
import { MAP_KEYS } from "./places.js";
import { rastersOfSet } from "./scenario-rasters.js";
import type { ScenarioSet } from "./scenario-set.js";

export interface ScenarioOptions extends OpenerOptions {
	readonly open: OpenDataset;
}

/** Returns a file's content, or undefined. */
export type ReadFile = (path: string) => Promise<Blob | undefined>;

/** Opens the data set of a converted scenario. */
export async function openConverted(
	converter: Converter,
	request: ConvertRequest | LogScene,
	{ open, signal }: ScenarioOptions,
): Promise<Opened> {
	const { objects } = await (request.kind === "log"
		? convertLogScene(converter, request, { signal })
		: converter.ask(request, { signal }));
	const source = new MemorySource(objects);
	const dataset = await open(source);
	const keep = { folders: () => [source], mapKeys: MAP_KEYS };
	if (signal?.aborted) dataset.close();
	signal?.throwIfAborted();
	return openedOf({ dataset, ...keep });
}

/** Returns what a set of scenarios offers to the viewer. */
export function openedSet(dataset: ScenarioSet): Opened {
	return {
		dataset,
		mapsByScene: true,
		findMap: (wish, scene = 0) => dataset.sceneMap(scene, wish),
		selectScene: dataset.selectScene,
		rasters: rastersOfSet(dataset),
	};
}

/** Explains an invalid file, so that no data set is searched for beside it. */
export function explainedFailure(thrown: unknown): unknown {
	const error = toBevError(thrown);
	if (isExplained(error) || error.code === "network") return error;
	return explained(error, { title: "This scenario cannot be opened", advice: [] });
}
