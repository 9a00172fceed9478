import type { AbortOptions } from "../../api.js";
import type { Sample } from "../../samples/sample.js";
import { Lazy } from "../session/lazy-object.js";
import { withOutcomes } from "../session/outcomes.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import { type ConfigReader, usualConfig } from "./config-reader.js";
import type { RasterController } from "./raster-controller.js";
import { NO_RASTER } from "./raster-state.js";
import type { RasterChoice, RasterSource } from "./rasters.js";

/** The rasters of a viewer. Their code is loaded on first use. */
export class LazyRasters {
	/** Parses configs. Default: JSON. */
	readConfig: ConfigReader = usualConfig;
	readonly #store: Store<ViewerState>;
	readonly #late: Lazy<RasterController>;
	#source: RasterSource | undefined;

	constructor(store: Store<ViewerState>) {
		this.#store = store;
		const load = async (): Promise<RasterController> => {
			const { RasterController } = await import("./raster-controller.js");
			const controller = new RasterController(store);
			controller.readConfig = (text) => this.readConfig(text);
			controller.serve(this.#source);
			return controller;
		};
		this.#late = new Lazy(load, (error) => {
			const notice = `Raster: loading failed: ${String(error)}`;
			store.patch(withOutcomes(store.state, notice));
		});
	}

	/** See `RasterController.serve`. */
	serve(source: RasterSource | undefined): void {
		this.#source = source;
		if (this.#late.value) this.#late.value.serve(source);
		else this.#store.patch({ raster: { ...NO_RASTER, ...this.#kept } });
	}

	/** See `RasterController.watch`. */
	watch(): () => void {
		let stop: (() => void) | undefined;
		let watched = true;
		void this.#late.use((it) => {
			if (watched) stop = it.watch();
		});
		return () => {
			watched = false;
			stop?.();
		};
	}

	/** See `RasterController.choose`. */
	choose(choice: RasterChoice): void {
		void this.#late.use((it) => it.choose(choice));
	}

	/** See `RasterController.showChannel`. */
	showChannel(channel: number | undefined): void {
		void this.#late.use((it) => it.showChannel(channel));
	}

	/** See `RasterController.showFootprint`. */
	showFootprint(footprint: boolean): void {
		void this.#late.use((it) => it.showFootprint(footprint));
	}

	/** See `RasterController.exact`. */
	exact(options: AbortOptions = {}): Promise<Sample | undefined> {
		return this.#late.use((it) => it.exact(options));
	}

	get #kept() {
		const { footprint } = this.#store.state.raster;
		return { footprint };
	}
}
