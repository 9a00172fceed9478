import { BevError, toBevError } from "../../base/errors.js";
import { Converter } from "../../converting/converter.js";
import { convertLogScene, type LogScene } from "../../converting/log.js";
import type { ConvertRequest, EgoChoice } from "../../converting/protocol.js";
import { MemorySource } from "../../source/source.js";
import type { Opened, OpenerOptions, SceneTags } from "../session/dataset.js";
import { explained, isExplained } from "../session/explanation.js";
import { type OpenDataset, openedOf } from "./opened.js";
import { MAP_KEYS } from "./places.js";
import { rastersOfSet } from "./scenario-rasters.js";
import { type LoadScenario, ScenarioSet, type ScenarioSource } from "./scenario-set.js";

export interface ScenarioOptions extends OpenerOptions, EgoChoice {
	readonly open: OpenDataset;
}

/** Takes the ego vehicle off the URL of a scenario: `a.xml#ego=42`. */
export function takeEgo(url: URL): EgoChoice {
	const ego = new URLSearchParams(url.hash.slice(1)).get("ego");
	if (ego === null) return {};
	url.hash = "";
	return { ego };
}

/** Returns the request with the ego vehicle, if one is chosen. */
function withEgo(
	request: ConvertRequest | LogScene,
	ego: string | undefined,
): ConvertRequest | LogScene {
	if (ego === undefined || ego === "") return request;
	if (request.kind === "commonroad" || request.kind === "interaction")
		return { ...request, ego };
	throw new BevError(
		"invalid_argument",
		`ego ${ego}: data with an ego vehicle (found ${request.kind}, expected commonroad or interaction)`,
	);
}

/** Returns a file's content, or undefined. */
export type ReadFile = (path: string) => Promise<Blob | undefined>;

/** Opens the data set of a converted scenario. */
export async function openConverted(
	converter: Converter,
	given: ConvertRequest | LogScene,
	{ open, signal, ego }: ScenarioOptions,
): Promise<Opened> {
	const request = withEgo(given, ego);
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
	const { signal, open, ego } = options;
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
			return openConverted(converter, request, { open, ego, ...wish }).catch(
				(error) => {
					wish.signal.throwIfAborted();
					throw explainedFailure(error);
				},
			);
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
