import type { AbortOptions } from "../../api.js";
import { Latest } from "../../base/latest.js";
import { imageData, release, type Sample } from "../../samples/sample.js";
import { agentIndex } from "../agents/summary.js";
import { isAbort, problemOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { type Store, until } from "../session/store.js";
import { type ConfigReader, usualConfig } from "./config-reader.js";
import { NO_RASTER, type RasterPicture, type RasterState } from "./raster-state.js";
import {
	plainConfig,
	type RasterAt,
	type RasterChoice,
	type RasterMaker,
	type RasterSource,
} from "./rasters.js";

function isMapKnown({ mapState }: ViewerState): boolean {
	return mapState !== "unknown" && mapState !== "loading";
}

/**
 * State changes for a new config: channels and raster of the previous one are invalid.
 */
const NONE_YET = {
	channels: [],
	channel: undefined,
	picture: undefined,
	problem: undefined,
} as const;

/**
 * Copies all arrays but the image, since a sample's memory is invalid after release.
 */
function copiesOf(sample: Sample): RasterPicture["arrays"] {
	const named = Object.entries(sample).filter(([name]) => name !== "image");
	return Object.fromEntries(
		named.map(([name, array]) => [name, { ...array, data: array.data.slice() }]),
	);
}

/**
 * Updates the raster of the selection for the displayed frame while it is watched: one
 * sample at a time, always for the latest request.
 */
export class RasterController {
	/** Parses configs. Default: JSON. */
	readConfig: ConfigReader = usualConfig;
	readonly #store: Store<ViewerState>;
	#source: RasterSource | undefined;
	#maker: RasterMaker | undefined;
	/** The chosen map that the current maker uses. */
	#map: ViewerState["mapPlace"];
	readonly #opening = new Latest();
	readonly #drawing = new Latest();
	#watchers = 0;
	#made: readonly unknown[] = [];

	constructor(store: Store<ViewerState>) {
		this.#store = store;
		store.subscribe(() => {
			this.#followMap();
			void this.#keepUp();
		});
	}

	/** Sets the sample source of the opened data set; undefined if there is none. */
	serve(source: RasterSource | undefined): void {
		this.#drop();
		this.#source = source;
		const { choice } = this.#state;
		const kept = typeof choice === "object" ? choice : undefined;
		this.#patch({ ...NO_RASTER, choice: kept, footprint: this.#state.footprint });
		if (source && this.#watchers > 0) void this.#open();
	}

	/** Draws rasters until the returned function is called. */
	watch(): () => void {
		this.#watchers += 1;
		if (this.#state.phase === "idle") void this.#open();
		else void this.#keepUp();
		return () => {
			this.#watchers -= 1;
		};
	}

	/** Selects another config. */
	choose(choice: RasterChoice): void {
		this.#drop();
		this.#patch({ ...NONE_YET, choice });
		void this.#open();
	}

	/** Shows a single channel, or all of them as an RGB image. */
	showChannel(channel: number | undefined): void {
		this.#patch({ channel });
		void this.#keepUp();
	}

	/** Shows or hides the raster's outline in the picture. */
	showFootprint(footprint: boolean): void {
		this.#patch({ footprint });
	}

	/**
	 * Returns the sampler's exact output for the displayed raster. The caller must
	 * release it.
	 */
	async exact(options: AbortOptions = {}): Promise<Sample | undefined> {
		const { picture } = this.#state;
		return picture && this.#maker?.exact(picture, options);
	}

	get #state(): RasterState {
		return this.#store.state.raster;
	}

	#patch(changes: Partial<RasterState>): void {
		this.#store.patch({ raster: { ...this.#state, ...changes } });
	}

	#drop(): void {
		this.#opening.cancel();
		this.#drawing.cancel();
		this.#maker?.close();
		this.#maker = undefined;
		this.#made = [];
	}

	async #open(): Promise<void> {
		const source = this.#source;
		if (!source) return;
		this.#patch({ phase: "opening" });
		const open = async (signal: AbortSignal): Promise<RasterMaker> => {
			const config = await this.#config(source, signal);
			signal.throwIfAborted();
			const { mapPlace: map } = this.#store.state;
			this.#map = map;
			return source.open(config, { signal, map });
		};
		await this.#opening.run(open, {
			done: (maker) => {
				this.#maker = maker;
				this.#patch({ phase: "ready", channels: maker.channels });
				void this.#keepUp();
			},
			failed: (error) => {
				if (isAbort(error)) return;
				this.#patch({ phase: "failed", problem: problemOf(error) });
			},
			discard: (maker) => maker.close(),
		});
	}

	/** Redraws when another map was chosen, including rasters that had only boxes. */
	#followMap(): void {
		const { mapPlace, raster } = this.#store.state;
		const made = raster.phase === "ready" || raster.phase === "failed";
		if (!made || mapPlace === this.#map) return;
		this.#map = mapPlace;
		this.#drop();
		const choice = raster.choice === "boxes" ? undefined : raster.choice;
		this.#patch({ ...NONE_YET, choice });
		void this.#open();
	}

	/** Returns JSON of the chosen config; without a choice, of the default. */
	async #config(source: RasterSource, signal: AbortSignal): Promise<string> {
		const found = this.#state.found ?? (await source.findConfig({ signal }));
		const { map } = await until(this.#store, isMapKnown, signal);
		signal.throwIfAborted();
		const ours = map ? "map" : "boxes";
		const choice = this.#state.choice ?? (found ? "beside" : ours);
		this.#patch({ found, choice });
		if (choice === "boxes") return plainConfig("box_debug");
		if (choice === "map") return plainConfig("py_semantic");
		const named = choice === "beside" ? found : choice;
		return JSON.stringify(await this.readConfig(named?.text ?? ""));
	}

	/** Returns the raster to display; `at` is undefined if there is none. */
	#wanted(): { at: RasterAt | undefined; channel: number | undefined } {
		const { shown, selection } = this.#store.state;
		const { channel } = this.#state;
		const track = typeof selection === "bigint" ? selection : undefined;
		const there =
			shown && (track === undefined || agentIndex(shown, track) !== undefined);
		const at = there ? { scene: shown.scene, frame: shown.frame, track } : undefined;
		return { at, channel };
	}

	/**
	 * Draws one sample at a time until the requested raster is displayed. New requests
	 * wait for the current draw instead of aborting it, since otherwise no draw would
	 * finish during playback.
	 */
	async #keepUp(): Promise<void> {
		while (!this.#drawing.isBusy) {
			const draw = this.#due();
			if (!draw) return;
			await draw();
		}
	}

	/**
	 * Returns the pending draw; undefined if the requested raster is already displayed.
	 */
	#due(): (() => Promise<void>) | undefined {
		const maker = this.#maker;
		if (!maker || this.#watchers === 0) return undefined;
		const { at, channel } = this.#wanted();
		const making = [maker, at?.scene, at?.frame, at?.track, channel];
		if (making.every((value, i) => value === this.#made[i])) return undefined;
		this.#made = making;
		if (at) return () => this.#draw(maker, at, channel);
		return async () => this.#patch({ picture: undefined, problem: undefined });
	}

	async #draw(
		maker: RasterMaker,
		at: RasterAt,
		channel: number | undefined,
	): Promise<void> {
		const draw = async (signal: AbortSignal): Promise<RasterPicture> => {
			const sample = await maker.sample(at, { channel, signal });
			const pixels = imageData(sample);
			const fromWorld = Float64Array.from(sample.raster_from_world.data, Number);
			const arrays = copiesOf(sample);
			release(sample);
			return { ...at, channel, pixels, fromWorld, arrays };
		};
		await this.#drawing.run(draw, {
			done: (picture) => this.#patch({ picture, problem: undefined }),
			failed: (error) => {
				if (isAbort(error)) return;
				this.#patch({ picture: undefined, problem: problemOf(error) });
			},
		});
	}
}
