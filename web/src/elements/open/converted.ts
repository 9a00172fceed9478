import { BevError, toBevError } from "../../base/errors.js";
import { Converter } from "../../converting/converter.js";
import { convertLogScene, type LogScene } from "../../converting/log.js";
import type { ConvertRequest } from "../../converting/protocol.js";
import { MemorySource } from "../../source/source.js";
import type { Opened, OpenerOptions, SceneTags } from "../session/dataset.js";
import { explained, isExplained } from "../session/explanation.js";
import { type OpenDataset, openedOf } from "./opened.js";
import { MAP_KEYS } from "./places.js";
import { rastersOfSet } from "./scenario-rasters.js";
import { type LoadScenario, ScenarioSet, type ScenarioSource } from "./scenario-set.js";

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

/** Scenarios of which a converter has read what they have in common. */
interface Reading {
	readonly sources: readonly ScenarioSource[];
	/** For messages. */
	readonly name: string;
	readonly tags?: SceneTags | undefined;
	/** Begin and end of each scenario, in nanoseconds. */
	readonly times?: BigInt64Array | undefined;
	readonly notice?: string | undefined;
}

/**
 * Runs `begin` with a converter that serves all scenarios: a scenario is read when it is
 * shown, and the converter is closed with the data set.
 */
export async function openReading(
	options: ScenarioOptions,
	begin: (converter: Converter) => Promise<Reading>,
): Promise<Opened> {
	const { signal, open } = options;
	const converter = await Converter.start({ signal });
	const close = () => converter.close();
	try {
		const { sources, name, tags, times, notice } = await begin(converter);
		const [only, ...more] = sources;
		if (!only) throw new BevError("not_found", `${name}: no scenes found`);
		if (more.length === 0) {
			const opened = await openConverted(converter, await only.request(), options);
			close();
			return { ...opened, notice };
		}
		const load: LoadScenario = async (source, wish) => {
			const request = await source.request();
			return openConverted(converter, request, { open, ...wish }).catch((error) => {
				wish.signal.throwIfAborted();
				throw explainedFailure(error);
			});
		};
		const set = new ScenarioSet(sources, load, { closed: close, tags, times });
		return { ...openedSet(set), notice };
	} catch (error) {
		close();
		signal?.throwIfAborted();
		throw explainedFailure(error);
	}
}

/** Explains an invalid file, so that no data set is searched for beside it. */
export function explainedFailure(thrown: unknown): unknown {
	const error = toBevError(thrown);
	if (isExplained(error) || error.code === "network") return error;
	return explained(error, { title: "This scenario cannot be opened", advice: [] });
}
