import { arraysBy } from "../worker/protocol.js";
import "../base/dispose.js";
import type {
	AbortOptions,
	CacheOptions,
	Capabilities,
	DatasetFrom,
	Description,
	FrameOptions,
	LoadOptions,
	ObjectFrom,
	OpenOptions,
	Stats,
} from "../api.js";
import type { FieldsOf } from "../arrays/columns.js";
import {
	type AgentFields,
	dtypesOf,
	type FaceFields,
	type FrameFields,
	type SceneFields,
	type TableName,
} from "../arrays/schema.js";
import { StructuredArray } from "../arrays/structured-array.js";
import { check, checkOptions, type Kinds, refuse } from "../base/arguments.js";
import { BevError, toBevError } from "../base/errors.js";
import { DatasetFacts } from "../facts/facts.js";
import type { FactsOptions } from "../facts/options.js";
import { assertSupported } from "../loading/probe.js";
import type { ReaderFields, SampleColumns } from "../reader/columns.js";
import type { ReaderOptions, SampleForm } from "../reader/options.js";
import { DatasetReader } from "../reader/reader.js";
import type { RasterColumns, VectorTypes } from "../samples/sample.js";
import type { Source } from "../source/source.js";
import type { Resolved } from "../source/zip-source.js";
import { askArrays, type Client, shareClient } from "../worker/client.js";
import { type DatasetEngines, Engines } from "./engines.js";
import type { FrameView } from "./frame-view.js";
import type { MapView } from "./map-view.js";
import { absentObject, askMap, rememberPlace } from "./maps.js";
import type { Patch } from "./patch.js";
import { resolveObject, resolveSource } from "./resolve.js";
import {
	readScene,
	type Scene,
	type SceneFramesOptions,
	sceneFrames,
} from "./scenes.js";
import { type SceneTimeline, sceneTimeline, type TimelineOptions } from "./timeline.js";
import { frameView } from "./views.js";

const OPEN: Kinds = {
	...{ signal: "any", onProgress: "any", byteBudget: "index", cache: "options" },
	...{ folder: "text", missing: "text", load: "options", statistics: "flag" },
};
const FRAME: Kinds = {
	...{ signal: "any", past: "index", future: "index", threshold: "number" },
	...{ sequential: "flag", agents: "flag", lights: "flag" },
};
const TIMELINE: Kinds = {
	...{
		signal: "any",
		track: "track",
		prefetch: "flag",
		agents: "flag",
		lights: "flag",
	},
};

/** 256 MiB: about 450 chunks of L5Kit's agents, half an hour of driving. */
const DEFAULT_BYTE_BUDGET = 256 * 2 ** 20;

/** 1 GiB; browsers allow an origin more. */
const DEFAULT_CACHE_LIMIT = 2 ** 30;

/**
 * A data set in L5Kit's format, read lazily from a URL, files or a source.
 *
 * ```ts
 * const dataset = await ChunkedDataset.open("https://host/sample.zarr", { signal });
 * const rows = await dataset.frames.rows(0, 100, { fields: ["timestamp"] });
 * ```
 */
export class ChunkedDataset implements Disposable {
	/** The array of scenes. */
	readonly scenes: StructuredArray<SceneFields>;
	/** The array of frames. */
	readonly frames: StructuredArray<FrameFields>;
	/** The array of agents. */
	readonly agents: StructuredArray<AgentFields>;
	/** Empty if the data set's format version predates traffic lights. */
	readonly traffic_light_faces: StructuredArray<FaceFields>;
	/** The data set's metadata. */
	readonly description: Description;
	/** What the page provides for reading. */
	readonly capabilities: Capabilities;
	readonly #engines: DatasetEngines;
	readonly #client: Client;
	readonly #source: Source;
	readonly #resolved: Resolved;
	readonly #listeners = new Set<(stats: Stats) => void>();
	#stats: Stats;

	/**
	 * Opens a data set from a URL, a folder or archive, or a source. Costs one round of
	 * small reads. Formats that L5Kit does not write cost another round and another
	 * module.
	 */
	static async open(
		from: DatasetFrom,
		options: OpenOptions = {},
	): Promise<ChunkedDataset> {
		assertSupported();
		checkOptions("open", options, OPEN);
		checkOptions("open: cache", options.cache, { persistent: "any" });
		const { byteBudget = DEFAULT_BYTE_BUDGET } = options;
		const cacheLimit = limitOf(options.cache?.persistent);
		const found = await resolvedFrom(from, cacheLimit, options.load?.streamWasm);
		const resolved = inFolder(found, options.folder);
		const settings = { ...options, byteBudget, cacheLimit };
		return new ChunkedDataset(resolved, await Engines.open(resolved, settings));
	}

	private constructor(resolved: Resolved, engines: DatasetEngines) {
		const { client, answer: opened, capabilities } = engines.main;
		const { source } = resolved;
		this.#source = source;
		this.#resolved = resolved;
		this.#engines = engines;
		this.#client = client;
		const forReaders = (signal?: AbortSignal) => engines.forReaders(signal);
		shareClient(this, { client, source, forReaders });
		this.#stats = opened.stats;
		this.capabilities = capabilities;
		this.description = describedBy(opened.text);
		this.scenes = this.#array("scenes");
		this.frames = this.#array("frames");
		this.agents = this.#array("agents");
		this.traffic_light_faces = this.#array("traffic_light_faces");
		client.onStats = (stats) => this.#report(stats);
	}

	/** Names of an agent's labels, in the order of `label_probabilities`. */
	get labels(): readonly string[] {
		return this.description.labels;
	}

	/** The attributes of the data set's group. */
	get attrs(): Readonly<Record<string, unknown>> {
		return this.description.attrs;
	}

	/** Bytes read, requests and cache contents, as of the last answer. */
	get stats(): Stats {
		return this.#stats;
	}

	/** Calls `listener` when `stats` changes; returns a function that removes it. */
	onStats(listener: (stats: Stats) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Returns an array by its path below the root; "" if the root itself is an array. */
	async array(path: string, { signal }: AbortOptions = {}): Promise<StructuredArray> {
		check("array: path", path ?? null, "text");
		const query = { kind: "array", path } as const;
		const { client, answer } = await this.#engines.ask(query, { signal });
		const { arrays } = JSON.parse(answer.text ?? "{}") as Description;
		const description = arrays[path];
		if (description) {
			return new StructuredArray(path, description, { client, engines: this.#engines });
		}
		throw new BevError("not_found", `array ${path}: not found`);
	}

	/**
	 * Reads the record of scene `index`: host, times, number of frames. Rejects with
	 * `out_of_range` if the scene does not exist.
	 */
	scene(index: number, options: AbortOptions = {}): Promise<Scene> {
		return readScene(this, index, options);
	}

	/**
	 * Yields the frames of a scene in order and reads some ahead. Leaving the loop or
	 * aborting cancels pending reads. A frame that cannot be read throws when it is its
	 * turn.
	 *
	 * ```ts
	 * for await (const frame of dataset.sceneFrames(0)) console.log(frame.ego.speed);
	 * ```
	 */
	sceneFrames(
		scene: number,
		options: SceneFramesOptions = {},
	): AsyncGenerator<FrameView, void, undefined> {
		return sceneFrames(this, scene, options);
	}

	/** Reads frame `frame` of scene `scene`. */
	async frame(
		scene: number,
		frame: number,
		options: FrameOptions = {},
	): Promise<FrameView> {
		const { query, signal } = frameQuery("frame", scene, frame, options);
		return frameView(await askArrays(this.#client, query, { signal }), scene, frame);
	}

	/** Reads the chunks that `frame` needs, when no other read is waiting. */
	async prefetch(
		scene: number,
		frame: number,
		options: FrameOptions = {},
	): Promise<void> {
		const { query, signal } = frameQuery("prefetch", scene, frame, options);
		await this.#client.ask(query, { signal, prefetch: true });
	}

	/**
	 * Reads a whole scene: times, the motion of the ego vehicle and of `track`, anomalies,
	 * and each traffic light's state over the frames.
	 */
	async timeline(scene: number, options: TimelineOptions = {}): Promise<SceneTimeline> {
		check("timeline: scene", scene, "index");
		checkOptions("timeline", options, TIMELINE);
		const { signal, prefetch, ...asked } = options;
		const { track } = asked;
		const query = arraysBy("timeline", { scene, ...asked });
		if (prefetch) await this.#client.ask(query, { signal, prefetch });
		return sceneTimeline(
			await askArrays(this.#client, query, { signal }),
			scene,
			track,
		);
	}

	/** Returns L5Kit's summary table of the data set as text. */
	async summary({ signal }: AbortOptions = {}): Promise<string> {
		const arrays = await askArrays(this.#client, arraysBy("summary", {}), { signal });
		return arrays.text("table", 0);
	}

	/**
	 * Reads a semantic map. URLs may be relative to the data set's URL, e.g.
	 * `../../semantic_map/semantic_map.pb`.
	 *
	 * Returns undefined if either object is absent. If `required` is true, it throws
	 * `not_found` instead, with key, URL and status of the absent object.
	 *
	 * @param from the map's protobuf
	 * @param meta the `meta.json` with `world_to_ecef`
	 */
	async map(
		from: ObjectFrom,
		meta: ObjectFrom,
		{ signal, required = false }: AbortOptions & { required?: boolean } = {},
	): Promise<MapView | undefined> {
		const place = await Promise.all(
			[from, meta].map((object) => resolveObject(object, this.#source)),
		);
		const [pb, json] = await Promise.all(
			place.map(({ source, key }) => source.read(key, { signal, required: false })),
		);
		const absent = place[pb ? 1 : 0];
		if (required && absent && !(pb && json)) throw absentObject("map", absent);
		if (!pb || !json) return undefined;
		const map = await askMap(this.#client, pb, json, { signal });
		rememberPlace(map, place);
		return map;
	}

	/**
	 * Returns a reader of chosen rows or windows, in a reproducible order. Readers have
	 * an engine and a worker of their own, which start with the first read and end with
	 * the data set. Names and types of the columns follow from `from` and `fields`, if
	 * these are literal; `reader<{ x: Float64Array }>(options)` says them for other arrays.
	 * See docs/reader.md.
	 */
	reader<const K extends string = never, const T extends string = "agents">(
		options?: ReaderOptions<K, T> & { readonly sample?: undefined },
	): DatasetReader<ReaderFields<T, K>>;
	/** Returns a reader of vectorized samples. */
	reader<const K extends string = never>(
		options: ReaderOptions<K> & {
			readonly sample: { readonly vectorized: true };
		},
	): DatasetReader<SampleColumns<VectorTypes, K>>;
	/** Returns a reader of rasterized samples. */
	reader<const K extends string = never, const I extends SampleForm = "f32">(
		options: ReaderOptions<K> & {
			readonly sample: { readonly image?: I | undefined };
		},
	): DatasetReader<SampleColumns<RasterColumns<I>, K>>;
	/** Returns a reader with the columns `F`. */
	reader<F extends FieldsOf<F>>(options?: ReaderOptions): DatasetReader<F>;
	reader(options: ReaderOptions = {}): DatasetReader {
		return new DatasetReader(this.#engines, options);
	}

	/**
	 * Returns facts of all scenes or tracks, to find scenarios: hard braking, turns, cut-ins,
	 * time to collision. docs/scenarios.md defines them.
	 *
	 * ```ts
	 * const found = await dataset.facts({ where: "turn == 'left' and min_ttc < 2" }).read();
	 * console.log(found.column("scene").data);
	 * ```
	 */
	facts(options: FactsOptions = {}): DatasetFacts {
		const [engines, resolved, { description }] = [this.#engines, this.#resolved, this];
		return new DatasetFacts({ engines, resolved, description }, options);
	}

	/**
	 * Returns the data set with scenes that a what-if patch edits: the document, or its JSON;
	 * docs/patches.md defines it. Frames, scenes, samples, time lines and facts are those of
	 * the edited scenes. What numbers stored rows is refused: rows of arrays but `scenes`,
	 * readers, selections and items of agents, `summary`.
	 *
	 * It reads in the readers' worker, and ends with this data set; closing it leaves this
	 * data set open. Rejects with the core's reason for an invalid patch, one of another data
	 * set, and for frames and tracks that it lacks.
	 *
	 * ```ts
	 * const edits = [{ op: "stop", scene: 0, track: "ego", from: 40 }] as const;
	 * const edited = await dataset.patched({ format: "bevscope-patch", version: 1, edits });
	 * ```
	 */
	async patched(
		patch: Patch | string,
		options: AbortOptions = {},
	): Promise<ChunkedDataset> {
		const { patchedEngines } = await import("./patched.js");
		const engines = await patchedEngines(this.#engines, patch, options);
		return new ChunkedDataset(this.#resolved, engines);
	}

	/** Returns the keys of requested chunks that are absent, e.g. `agents/12`. */
	absentChunks({ signal }: AbortOptions = {}): Promise<readonly string[]> {
		return this.#engines.absentChunks({ signal });
	}

	/**
	 * Allows failed chunks to be requested again: the chunk `key`, e.g. `agents/12`, or
	 * all. Until then, reads of a damaged or missing chunk fail at once. After a failed
	 * request and its retries, reads fail at once for up to 30 seconds.
	 */
	forgetFailures(key?: string): void {
		this.#engines.forgetFailures(key);
	}

	/** Frees the engines and their workers; pending reads reject. */
	close(): void {
		this.#listeners.clear();
		this.#engines.close();
	}

	/** Calls `close`, for `using`. */
	[Symbol.dispose](): void {
		this.close();
	}

	#array<F extends FieldsOf<F>>(name: TableName): StructuredArray<F> {
		const description = this.description.arrays[name] ?? {
			shape: [0],
			chunks: [1],
			dtype: [],
			order: "C",
			fill_value: null,
			compressor: null,
			filters: null,
		};
		const [client, engines, dtypes] = [this.#client, this.#engines, dtypesOf(name)];
		return new StructuredArray(name, description, { client, engines, dtypes });
	}

	#report(stats: Stats): void {
		this.#stats = stats;
		for (const listener of this.#listeners) listener(stats);
	}
}

/** Returns the metadata, whose former name is not in the JSON of what shows it. */
function describedBy(text = "{}"): Description {
	const { has_traffic_light_faces: value, ...rest } = JSON.parse(text);
	const description = { ...rest, hasTrafficLightFaces: value };
	return Object.defineProperty(description, "has_traffic_light_faces", { value });
}

/** Selects the data set in `folder` if `resolved` is an archive. */
function inFolder(resolved: Resolved, folder: string | undefined): Resolved {
	const { source, zip } = resolved;
	if (!zip || folder === undefined) return resolved;
	const archive = { ...zip.archive, folder: folder.replace(/^\/+|\/+$/g, "") };
	return { source, zip: { ...zip, archive } };
}

/** Rejects with a BevError if `from` is not a valid argument. */
async function resolvedFrom(
	from: DatasetFrom,
	cacheLimit: number | undefined,
	wasm: LoadOptions["streamWasm"],
): Promise<Resolved> {
	const given: unknown = from;
	if (typeof given !== "string" && (typeof given !== "object" || given === null))
		refuse("open", given, "a URL, files or a source");
	try {
		return await resolveSource(from, cacheLimit, wasm);
	} catch (thrown) {
		throw toBevError(thrown, "invalid_argument");
	}
}

/** Returns the persistent cache's limit in bytes; undefined to disable it. */
export function limitOf(persistent: CacheOptions["persistent"]): number | undefined {
	if (persistent === undefined || persistent === false) return undefined;
	if (persistent !== true)
		checkOptions("cache.persistent", persistent, { limit: "index" });
	const { limit = DEFAULT_CACHE_LIMIT } = persistent === true ? {} : persistent;
	if (limit > 0) return limit;
	const said = `cache.persistent.limit: invalid limit (found ${limit}, expected bytes above 0)`;
	throw new BevError("invalid_argument", said);
}

function frameQuery(of: string, scene: number, frame: number, options: FrameOptions) {
	check(`${of}: scene`, scene, "index");
	check(`${of}: frame`, frame, "index");
	checkOptions(of, options, FRAME);
	const { signal, ...asked } = options;
	return { query: arraysBy("frame", { scene, frame, ...asked }), signal };
}
