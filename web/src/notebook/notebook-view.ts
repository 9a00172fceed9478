import { messageOf } from "../base/errors.js";
import { ChunkedDataset } from "../dataset/dataset.js";
import { formatLink, type LinkState, parseLink } from "../elements/link/link.js";
import { openedOf } from "../elements/open/opened.js";
import { MAP_KEYS } from "../elements/open/places.js";
import type { Viewer } from "../elements/viewer/viewer.js";
import type { WidgetListener, WidgetModel } from "./kernel-messages.js";
import { KernelModel, optionsOf, type SentModel } from "./kernel-model.js";
import { KernelSource } from "./kernel-source.js";
import {
	cameraOf,
	overlayOf,
	predictionsOf,
	type SentOverlay,
	type SentPredictions,
	selectionOf,
	selectionText,
} from "./wire.js";

/** Minimum interval in milliseconds between two messages with the viewer's state. */
const PACE_MS = 200;

/** A request of the kernel for a picture. */
interface PictureRequest {
	readonly type: "screenshot";
	readonly id: string;
}

/** A viewer in a notebook's output, and the traits of its model. */
export class NotebookView {
	readonly #model: WidgetModel;
	readonly #viewer: Viewer;
	readonly #sources: KernelSource[] = [];
	#predicting: KernelModel | undefined;
	readonly #stop = new AbortController();
	/** Traits that changed in the viewer and are not sent yet. */
	readonly #changed = new Map<string, unknown>();
	/** Whether traits are being set by this view, not by the kernel. */
	#telling = false;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(model: WidgetModel, host: ParentNode) {
		this.#model = model;
		this.#viewer = document.createElement("bev-viewer");
		this.#viewer.label = String(model.get("_name"));
		this.#resize();
		host.append(this.#viewer);
		this.#setTheme();
		this.#setOverlays();
		this.#listen();
		void this.#open();
	}

	/** Closes the data set, and stops listening. */
	close(): void {
		this.#stop.abort();
		clearTimeout(this.#timer);
		this.#viewer.remove();
		this.#viewer.close();
		for (const source of this.#sources) source.close();
		this.#predicting?.close();
	}

	/**
	 * Opens the data set: the browser reads a URL itself; everything else is read by the
	 * kernel.
	 */
	async #open(): Promise<void> {
		const viewer = this.#viewer;
		const url = this.#model.get("_url");
		try {
			if (this.#model.get("_is_signed"))
				await viewer.open(await this.#signed(), this.#start());
			else if (typeof url === "string") await viewer.open(url, this.#start());
			else await this.#openFromKernel();
		} catch (error) {
			if (this.#stop.signal.aborted) return;
			this.#tell("error", messageOf(error));
			viewer.controller?.notify(messageOf(error));
		}
		if (this.#stop.signal.aborted) return;
		this.#setPredictions();
		if (this.#model.get("_model")) this.#setModel();
	}

	async #openFromKernel(): Promise<void> {
		const { signal } = this.#stop;
		const dataset = await ChunkedDataset.open(this.#source(0), { signal });
		const around = Number(this.#model.get("_folders"));
		const folders = Array.from({ length: around }, (_, k) => this.#source(k + 1));
		const opened = openedOf({ dataset, folders: () => folders, mapKeys: MAP_KEYS });
		await this.#viewer.show(String(this.#model.get("_name")), opened, this.#start());
	}

	/** Returns a link's fragment as the notebook stores it: without a signed address. */
	#stored(fragment: string): string {
		if (!this.#model.get("_is_signed")) return fragment;
		const { src: _, ...state } = parseLink(fragment).state;
		return formatLink(state);
	}

	/** Returns an address with a signature or a password, which are in no trait. */
	#signed(): Promise<string> {
		return this.#source(0).address(this.#stop.signal);
	}

	#source(folder: number): KernelSource {
		const source = new KernelSource(this.#model, folder);
		this.#sources.push(source);
		return source;
	}

	/** Returns the state to open with: the trait `state`, then the single traits. */
	#start(): LinkState {
		const model = this.#model;
		const { src: _, ...state } = parseLink(String(model.get("state") ?? "")).state;
		const given = {
			scene: model.get("scene") ?? undefined,
			frame: model.get("frame") ?? undefined,
			selection: selectionOf(model.get("selection")),
			camera: cameraOf(model.get("camera")),
		};
		const set = Object.entries(given).filter(([, value]) => value !== undefined);
		return { ...state, ...Object.fromEntries(set) };
	}

	#listen(): void {
		const viewer = this.#viewer;
		this.#onSet(["scene", "frame"], () => this.#goTo());
		this.#onSet(["selection"], () => {
			const selection = selectionOf(this.#model.get("selection"));
			if (selection !== viewer.selection) viewer.selection = selection;
		});
		this.#onSet(["camera"], () => {
			const camera = cameraOf(this.#model.get("camera"));
			const same = JSON.stringify(camera) === JSON.stringify(cameraOf(viewer.camera));
			if (camera && !same) viewer.camera = camera;
		});
		this.#onSet(["state"], () => {
			const state = String(this.#model.get("state") ?? "");
			if (state !== this.#stored(viewer.save())) viewer.restore(state);
		});
		this.#on("change:theme", () => this.#setTheme());
		this.#on("change:height", () => this.#resize());
		this.#on("change:_overlays", () => this.#setOverlays());
		this.#on("change:_predictions", () => this.#setPredictions());
		this.#on("change:_model", () => this.#setModel());
		this.#on("msg:custom", (content: PictureRequest) => {
			if (content.type === "screenshot") void this.#sendPicture(content.id);
		});
		this.#listenToViewer();
	}

	#listenToViewer(): void {
		const { signal } = this.#stop;
		const viewer = this.#viewer;
		viewer.addEventListener(
			"frame-change",
			({ detail }) => {
				this.#tell("scene", detail.scene);
				this.#tell("frame", detail.frame);
			},
			{ signal },
		);
		viewer.addEventListener(
			"selection-change",
			({ detail }) => this.#tell("selection", selectionText(detail.selection)),
			{ signal },
		);
		viewer.addEventListener(
			"camera-change",
			({ detail }) => this.#tell("camera", cameraOf(detail.camera) ?? null),
			{ signal },
		);
		viewer.addEventListener(
			"state-change",
			({ detail }) => this.#tell("state", this.#stored(detail.state)),
			{ signal },
		);
		viewer.addEventListener(
			"load-error",
			({ detail }) => this.#tell("error", detail.why ?? detail.title),
			{ signal },
		);
		viewer.addEventListener("dataset-load", () => this.#tell("error", null), {
			signal,
		});
	}

	/** Listens to the model until the view is closed. */
	#on(event: string, listener: WidgetListener): void {
		this.#model.on(event, listener);
		this.#stop.signal.addEventListener("abort", () => {
			this.#model.off(event, listener);
		});
	}

	/**
	 * Listens to traits that the kernel sets. The viewer's unsent changes of them are
	 * dropped then.
	 */
	#onSet(names: readonly string[], listener: () => void): void {
		const set = (): void => {
			if (this.#telling) return;
			for (const name of names) this.#changed.delete(name);
			listener();
		};
		for (const name of names) this.#on(`change:${name}`, set);
	}

	#goTo(): void {
		const [scene, frame] = [this.#model.get("scene"), this.#model.get("frame")];
		const viewer = this.#viewer;
		const other = typeof scene === "number" && scene !== viewer.scene;
		if (typeof frame === "number" && (other || frame !== viewer.frame))
			viewer.frame = frame;
		if (other) viewer.scene = scene;
	}

	#setTheme(): void {
		const theme = this.#model.get("theme");
		this.#viewer.theme = theme === "dark" || theme === "light" ? theme : null;
	}

	#resize(): void {
		this.#viewer.style.height = `${Number(this.#model.get("height"))}px`;
	}

	#setOverlays(): void {
		const sent = this.#model.get("_overlays") as readonly SentOverlay[];
		this.#viewer.overlays = sent.map(overlayOf);
	}

	#setPredictions(): void {
		const sent = this.#model.get("_predictions") as SentPredictions | null;
		this.#viewer.predictions = sent ? predictionsOf(sent) : undefined;
	}

	#setModel(): void {
		this.#predicting?.close();
		this.#predicting = undefined;
		const sent = this.#model.get("_model") as SentModel | null;
		if (!sent) {
			void this.#viewer.setModel(undefined);
			return;
		}
		this.#predicting = new KernelModel(this.#model);
		void this.#viewer.setModel(this.#predicting.predict, optionsOf(sent));
	}

	async #sendPicture(id: string): Promise<void> {
		try {
			await this.#viewer.settled;
			const blob = await this.#viewer.toBlob();
			if (!blob) throw new Error("screenshot: no picture is displayed");
			const bytes = await blob.arrayBuffer();
			this.#model.send({ type: "screenshot", id }, undefined, [bytes]);
		} catch (error) {
			this.#model.send({ type: "screenshot", id, error: messageOf(error) });
		}
	}

	/** Sets a trait, with others that change soon. */
	#tell(name: string, value: unknown): void {
		this.#changed.set(name, value);
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			const changes = [...this.#changed];
			this.#changed.clear();
			if (changes.length === 0) return;
			this.#telling = true;
			for (const [changed, now] of changes) this.#model.set(changed, now);
			this.#telling = false;
			this.#model.save_changes();
		}, PACE_MS);
	}
}
