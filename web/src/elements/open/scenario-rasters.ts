import { BevError } from "../../base/errors.js";
import type { PredictionSet } from "../../model/prediction-rows.js";
import type { SimulatedScene } from "../../model/simulated-scene.js";
import type { PictureOptions } from "../../samples/options.js";
import type { Sample } from "../../samples/sample.js";
import type {
	PredictOptions,
	RasterAt,
	RasterMaker,
	RasterOptions,
	RasterSource,
	UnrollOptions,
} from "../raster/rasters.js";
import type { Opened } from "../session/dataset.js";
import type { ScenarioSet } from "./scenario-set.js";

type Use = Pick<ScenarioSet, "use" | "recent">;

/** The maker of an open scenario. */
interface Made {
	readonly opened: Opened;
	readonly maker: Promise<RasterMaker>;
}

/** Draws rasters of many scenarios, each with its own scenario's maker. */
class SetMaker implements RasterMaker {
	/** Of the scenario drawn first; a config gives the same in all. */
	channels: readonly string[] = [];
	readonly #set: Use;
	readonly #open: (source: RasterSource) => Promise<RasterMaker>;
	#last: Made | undefined;

	constructor(set: Use, open: (source: RasterSource) => Promise<RasterMaker>) {
		this.#set = set;
		this.#open = open;
	}

	/** Makes the maker of a scene. */
	prepare(scene: number, signal: AbortSignal | undefined): Promise<void> {
		return this.#set.use(scene, signal, async (opened) => {
			this.channels = (await this.#makerOf(opened)).channels;
		});
	}

	sample(at: RasterAt, options: PictureOptions): Promise<Sample> {
		return this.#set.use(at.scene, options.signal, async (opened) =>
			(await this.#makerOf(opened)).sample({ ...at, scene: 0 }, options),
		);
	}

	exact(at: RasterAt, options: PictureOptions): Promise<Sample> {
		return this.#set.use(at.scene, options.signal, async (opened) =>
			(await this.#makerOf(opened)).exact({ ...at, scene: 0 }, options),
		);
	}

	simulate({ scene, ...options }: UnrollOptions): Promise<readonly SimulatedScene[]> {
		const renumbered = (found: readonly SimulatedScene[]) =>
			found.map((one) => ({ ...one, scene }));
		const { onProgress, signal } = options;
		const tell: UnrollOptions["onProgress"] = (told) =>
			onProgress?.({ ...told, scenes: async () => renumbered(await told.scenes()) });
		return this.#set.use(scene, signal, async (opened) => {
			const maker = await this.#makerOf(opened);
			if (!maker.simulate)
				throw new BevError("unsupported", "simulation: not available");
			const given = { ...options, scene: 0, onProgress: tell };
			return renumbered(await maker.simulate(given));
		});
	}

	/** Predicts one scenario: each of them has a maker of its own. */
	async predict({
		scenes,
		onBatch,
		...options
	}: PredictOptions): Promise<PredictionSet> {
		const [scene, ...others] = scenes ?? [];
		if (scene === undefined || others.length > 0) {
			const said = "predictions: of one scenario at a time (expected one scene)";
			throw new BevError("unsupported", said);
		}
		return this.#set.use(scene, options.signal, async (opened) => {
			const maker = await this.#makerOf(opened);
			if (!maker.predict)
				throw new BevError("unsupported", "predictions: not available");
			return maker.predict({
				...options,
				scenes: [0],
				onBatch: (frames, ...rest) =>
					onBatch(
						frames.map(({ frame }) => ({ scene, frame })),
						...rest,
					),
			});
		});
	}

	close(): void {
		const last = this.#last;
		this.#last = undefined;
		last?.maker.then(
			(maker) => maker.close(),
			() => {}, // reported by the call that asked for it
		);
	}

	/** Returns a scenario's maker; that of another scenario is closed. */
	#makerOf(opened: Opened): Promise<RasterMaker> {
		if (this.#last?.opened === opened) return this.#last.maker;
		this.close();
		const { rasters } = opened;
		if (!rasters) throw new BevError("unsupported", "rasters: not available");
		const made = { opened, maker: this.#open(rasters) };
		made.maker.catch(() => {
			if (this.#last === made) this.#last = undefined;
		});
		this.#last = made;
		return made.maker;
	}
}

/** Returns the rasters of many scenarios. */
export function rastersOfSet(set: Use): RasterSource {
	return {
		findConfig: async () => undefined,
		open: async (config: string, { signal, ...options }: RasterOptions) => {
			const maker = new SetMaker(set, (source) => source.open(config, options));
			await maker.prepare(set.recent, signal);
			return maker;
		},
	};
}
