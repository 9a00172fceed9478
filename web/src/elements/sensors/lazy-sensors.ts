import { html, nothing, type TemplateResult } from "lit";
import { BevError, messageOf } from "../../base/errors.js";
import { Latest } from "../../base/latest.js";
import { ChunkedDataset } from "../../dataset/dataset.js";
import { resolved } from "../open/places.js";
import { shownAddress } from "../open/secrets.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerDataset } from "../session/dataset.js";
import type { ViewerState } from "../session/state.js";
import { defineLazy } from "../ui/define-lazy.js";
import type { ViewerHost } from "../viewer/viewer-host.js";
import { hasTables } from "./sensor-tables.js";
import type { Sensors } from "./sensors.js";

/**
 * Returns the address of a separate data set. It is of this site, or of that of the open
 * data set: a link must not make the page read from others.
 *
 * @throws invalid_argument
 */
function addressOf(address: string, { place }: ViewerState): URL {
	const base = document.baseURI;
	const url = resolved(address, base);
	const beside = place?.kind === "address" ? resolved(place.address, base) : undefined;
	// Addresses of hosts have no origin.
	const isHttp = url && /^http/.test(url.protocol);
	const isOwn = isHttp && [location.origin, beside?.origin].includes(url.origin);
	if (isOwn) return url;
	const found = `found ${shownAddress(address)}`;
	const expected = "expected a URL of this site, or of the data set's";
	throw new BevError("invalid_argument", `ignored the address (${found}, ${expected})`);
}

/** Loads the strip and what reads its images if the open data set has any. */
export class LazySensors {
	readonly #host: ViewerHost;
	readonly #loading = new Latest();
	#controller: ViewerController | undefined;
	#unsubscribe = (): void => {};
	#dataset: ViewerDataset | undefined;
	#address: string | undefined;
	#sensors: Sensors | undefined;
	/** The separate data set. */
	#own: ChunkedDataset | undefined;
	#ready: Promise<void> = Promise.resolve();

	constructor(host: ViewerHost) {
		this.#host = host;
	}

	/** Follows the viewer's controller. */
	update(): void {
		const { controller } = this.#host;
		if (controller === this.#controller) return;
		this.#unsubscribe();
		this.#leave();
		this.#dataset = undefined;
		this.#controller = controller;
		if (!controller) return;
		const { store } = controller;
		this.#unsubscribe = store.subscribe((state, before) => {
			this.#follow(state);
			if (!state.sensed !== !before.sensed) this.#host.requestUpdate();
		});
		this.#follow(store.state);
	}

	/** Renders the strip; nothing for data without images. */
	render(): TemplateResult | typeof nothing {
		const { controller, state } = this.#host;
		if (!state.sensed?.cameras.length) return nothing;
		return html`<bev-cameras part="cameras" role="region" aria-label=${this.#host.regionName("Cameras")}
			.controller=${controller} .sensors=${this.#sensors}></bev-cameras>`;
	}

	/** Resolves when images and points of the requested frame are shown. */
	async settled(): Promise<void> {
		await this.#ready;
		await this.#host.updateComplete;
		await this.#controller?.state.sensed?.settled();
	}

	#follow(state: ViewerState): void {
		const dataset = state.phase === "ready" ? state.dataset : undefined;
		const { sensors: address } = state;
		const isSame = dataset?.scenes === this.#dataset?.scenes; // it may be edited
		if (isSame && address === this.#address) return;
		this.#dataset = dataset;
		this.#address = address;
		this.#leave();
		if (dataset && (address || hasTables(dataset.attrs)))
			this.#ready = this.#open(dataset, address);
	}

	#leave(): void {
		this.#loading.cancel();
		this.#sensors?.dispose();
		this.#sensors = undefined;
		this.#own?.close();
		this.#own = undefined;
	}

	async #open(dataset: ViewerDataset, address: string | undefined): Promise<void> {
		const controller = this.#controller;
		if (!controller) return;
		const load = async (signal: AbortSignal) => {
			const url = address && addressOf(address, controller.state);
			const [own, { Sensors }] = await Promise.all([
				url ? ChunkedDataset.open(url, { signal }) : undefined,
				import("./sensors.js"),
				defineLazy("bev-cameras", async () => (await import("./strip.js")).CameraStrip),
			]);
			return { own, Sensors };
		};
		await this.#loading.run(load, {
			done: ({ own, Sensors }) => {
				this.#own = own;
				this.#sensors = new Sensors(controller.store, dataset, own ?? dataset);
			},
			failed: (error) => controller.notify(`Cameras: ${messageOf(error)}`),
			discard: ({ own }) => own?.close(),
		});
		await this.#sensors?.open();
	}
}
