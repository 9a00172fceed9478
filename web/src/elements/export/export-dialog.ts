import { css, html, nothing, type TemplateResult } from "lit";
import { isAbort, whyOf } from "../session/problem.js";
import { waitingWords } from "../session/showing.js";
import { frameCount, type ViewerState } from "../session/state.js";
import { baseStyles, dialogStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { icon } from "../ui/icons.js";
import { encoderFor, evenSize, type VideoFormat } from "./encoding.js";
import { save } from "./save.js";
import {
	isSameSize,
	type PictureSize,
	pixelsOf,
	SIZES,
	type SizeKey,
	sizeOf,
} from "./size.js";
import { type ExportedPicture, pngOf, type StillOptions } from "./still.js";
import { csvOf, jsonOf, type TableOf } from "./table.js";
import { FORMATS, recordVideo } from "./video.js";

export const exportStyles = css`
.body { display: grid; gap: 16px; padding: 4px 16px 16px; width: min(480px, 80vw); overflow: auto; }
.body p { color: var(--_ink2); }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: grid; gap: 8px; }
fieldset + fieldset { border-top: 1px solid var(--_line); padding-top: 12px; }
legend { float: left; padding: 0; font-weight: 600; }
legend + * { clear: left; }
.row { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
.acts { display: flex; flex-wrap: wrap; gap: 8px; margin-left: auto; }
.row label { display: flex; gap: 8px; align-items: center; min-height: 28px; }
.row select { max-width: 260px; }
.far { display: grid; grid-template-columns: 1fr auto; gap: 2px 8px; align-items: center; }
.far p { grid-column: 1 / -1; }
progress { width: 100%; accent-color: var(--_accent); }
.ask { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 8px 12px; border-radius: 6px; background: var(--_raise); }
.ask p { flex: 1 1 160px; color: var(--_ink); }
.ask button { background: var(--_line); }
.bad { color: var(--_warn-ink); }
`;

/** The running export and its progress. */
interface Work {
	readonly what: "video" | "table";
	readonly done: number;
	readonly all: number;
}

/** Which rows a table contains. */
type TableScope = "selected" | "frame" | "scene";

const VIDEO_SPEEDS = [0.25, 0.5, 1, 2, 4] as const;

/** Exports the picture, a video of the marked section, and tables of agents. */
export class ExportDialog extends BevElement {
	static override styles = [baseStyles, dialogStyles, exportStyles];
	static override properties = {
		...BevElement.properties,
		picture: { attribute: false },
		videos: { state: true },
		work: { state: true },
		asking: { state: true },
		trouble: { state: true },
		said: { state: true },
		sizeKey: { state: true },
		caption: { state: true },
		videoSpeed: { state: true },
		scope: { state: true },
	};

	/** The picture to export. */
	declare picture: ExportedPicture | null;
	/** Formats that this browser can encode in the chosen size. */
	declare videos: readonly VideoFormat[];
	declare work: Work | undefined;
	/** Whether the confirmation for stopping `work` is shown. */
	declare asking: boolean;
	declare trouble: string;
	declare said: string;
	declare sizeKey: SizeKey;
	declare caption: boolean;
	declare videoSpeed: number;
	/** The user's choice; see `#scope`. */
	declare scope: TableScope | undefined;
	#working: AbortController | undefined;
	/** Names the sizes again when the picture's layout changes, as with the window. */
	readonly #layout = new ResizeObserver(() => {
		this.requestUpdate();
		void this.#askEncoders();
	});
	/** The section whose export has just ended, which then receives the focus. */
	#ended: Work["what"] | undefined;

	constructor() {
		super();
		this.picture = null;
		this.videos = [];
		this.trouble = "";
		this.said = "";
		this.asking = false;
		this.sizeKey = "shown";
		this.caption = false;
		this.videoSpeed = 1;
	}

	show(): void {
		this.trouble = "";
		this.said = "";
		// Reports the present size at once.
		if (this.picture) this.#layout.observe(this.picture);
		this.renderRoot.querySelector("dialog")?.showModal();
		this.renderRoot
			.querySelector<HTMLElement>(".body :is(button, select, input):not(:disabled)")
			?.focus();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#layout.disconnect();
		this.#stop();
	}

	override regainFocus(): void {
		const part = this.work?.what ?? this.#ended ?? "video";
		const to = this.asking ? ".ask button" : `.${part} button:not(:disabled)`;
		this.renderRoot.querySelector<HTMLElement>(to)?.focus();
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { selection, section, sceneInfo, scene, frame } = state;
		return [selection, section, sceneInfo, scene, this.work ? undefined : frame];
	}

	protected override render(): TemplateResult {
		return html`<dialog aria-labelledby="title" @close=${this.#onClose}
			@cancel=${this.#onCancel} @keydown=${this.#onKey}>
			<header role="presentation">
				<h2 id="title">Export</h2>
				<button class="icon-only" aria-label="Close" @click=${() => this.#leave()}>${icon("close")}</button>
			</header>
			<div class="body scroll">
				${this.#pictures()} ${this.#videos()} ${this.#tables()}
				${this.asking ? this.#question() : nothing}
				<div class=${this.trouble ? "bad" : ""} role="status">${this.trouble || this.said}</div>
			</div>
		</dialog>`;
	}

	#pictures(): TemplateResult {
		const { picture, work } = this;
		const canCopy = "ClipboardItem" in globalThis && !!navigator.clipboard?.write;
		const sizes = picture ? SIZES.filter(({ key }) => sizeOf(key, picture.size)) : [];
		const onSize = (event: Event) => {
			const { value } = event.currentTarget as HTMLSelectElement;
			this.sizeKey = sizes.find(({ key }) => key === value)?.key ?? "shown";
			void this.#askEncoders();
		};
		return html`<fieldset class="picture" ?disabled=${work !== undefined}>
			<legend>Image and video</legend>
			<div class="row">
				<label>Size <select aria-label="Size" @change=${onSize}>${sizes.map(
					({ key, name }) =>
						html`<option value=${key} ?selected=${key === this.sizeKey}>${name} (${this.#pixels(key)})</option>`,
				)}</select></label>
				<label><input type="checkbox" .checked=${this.caption} @change=${(
					event: Event,
				) => {
					this.caption = (event.currentTarget as HTMLInputElement).checked;
				}}> Time, scale and legend</label>
			</div>
			<div class="acts">
				<button class="raised" ?disabled=${!canCopy} title=${canCopy ? nothing : "This browser cannot copy images"}
					@click=${() => void this.#copy()}>Copy image</button>
				<button class="raised" @click=${() => void this.#svg()}>Save SVG</button>
				<button class="raised" @click=${() => void this.#png()}>Save PNG</button></div>
		</fieldset>`;
	}

	#videos(): TemplateResult {
		const { begin, end } = this.controller?.span ?? { begin: 0, end: 0 };
		const { work } = this;
		const save = (format: VideoFormat) => {
			const can = this.videos.includes(format);
			return html`<button class="raised" ?disabled=${!can} @click=${() => void this.#record(format)}
				title=${can ? nothing : "This browser cannot encode this format at this size"}>Save ${format.name}</button>`;
		};
		return html`<fieldset class="video" ?disabled=${work?.what === "table"}>
			<legend>Video of frames <span class="mono">${begin}–${Math.max(begin, end - 1)}</span></legend>
			${
				work?.what === "video"
					? this.#progress(work, "Frames recorded", "")
					: html`<div class="row">
				<label>Speed <select aria-label="Video speed" @change=${(event: Event) => {
					this.videoSpeed = Number((event.currentTarget as HTMLSelectElement).value);
				}}>${VIDEO_SPEEDS.map(
					(speed) =>
						html`<option value=${speed} ?selected=${speed === this.videoSpeed}>${speed} ×</option>`,
				)}</select></label>
				<span class="acts"><button class="raised" @click=${() => void this.#record()}>Save GIF</button> ${FORMATS.map(save)}</span></div>
			<p>Contains each frame once, timed as recorded; a GIF with 256 colours per frame. To export less, set a section on the timeline.</p>`
			}
		</fieldset>`;
	}

	#tables(): TemplateResult {
		const { work, state } = this;
		const { selection, scene, frame } = state;
		const who = selection === "ego" ? "Ego" : `Track ${selection}`;
		const scopes: readonly (readonly [TableScope, string])[] = [
			["selected", `${who}, scene ${scene}`],
			["frame", `All agents, frame ${frame}`],
			["scene", `All agents, scene ${scene}`],
		];
		const offered = scopes.filter(
			([of]) => of !== "selected" || selection !== undefined,
		);
		const onScope = (event: Event) => {
			const { value } = event.currentTarget as HTMLSelectElement;
			this.scope = scopes.find(([of]) => of === value)?.[0];
		};
		return html`<fieldset class="table" ?disabled=${work?.what === "video"}>
			<legend>Table</legend>
			${
				work?.what === "table"
					? this.#progress(work, "Frames read", " frames read")
					: html`<div class="row">
				<label><select aria-label="Table contents" @change=${onScope}>${offered.map(
					([of, name]) =>
						html`<option value=${of} ?selected=${of === this.#scope}>${name}</option>`,
				)}</select></label>
				<span class="acts"><button class="raised" @click=${() => void this.#table("csv")}>Save CSV</button>
				<button class="raised" @click=${() => void this.#table("json")}>Save JSON</button></span></div>
			<p>Position, heading, velocity, extent and label as recorded. Filters do not apply.</p>`
			}
		</fieldset>`;
	}

	#progress({ done, all }: Work, label: string, unit: string): TemplateResult {
		return html`<div class="far">
			<progress max=${all} .value=${done} aria-label=${label}></progress>
			<button class="raised" @click=${() => this.#stop()}>Cancel</button>
			<p class="mono">${done} of ${all}${unit}</p></div>`;
	}

	#question(): TemplateResult {
		const what = this.work?.what === "video" ? "video" : "table";
		return html`<div class="ask" role="alertdialog" aria-labelledby="question">
			<p id="question">Stop the ${what}? The incomplete file is discarded.</p>
			<button @click=${() => this.#answer(false)}>Continue</button>
			<button @click=${() => this.#answer(true)}>Stop</button>
		</div>`;
	}

	/** The chosen rows, or the default if the choice is not available. */
	get #scope(): TableScope {
		const { selection } = this.state;
		if (this.scope && (this.scope !== "selected" || selection !== undefined))
			return this.scope;
		return selection === undefined ? "frame" : "selected";
	}

	/** The chosen size; undefined without a picture. */
	get #size(): PictureSize | undefined {
		const { picture } = this;
		return picture ? (sizeOf(this.sizeKey, picture.size) ?? picture.size) : undefined;
	}

	#pixels(key: SizeKey): string {
		const size = this.picture && sizeOf(key, this.picture.size);
		return size ? pixelsOf(size).join(" × ") : "";
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.key !== "Escape" || !this.work) return;
		event.preventDefault();
		event.stopPropagation();
		this.#ask(!this.asking);
	};

	/**
	 * Handles the browser's own ways to close a dialog, such as a phone's back gesture.
	 */
	readonly #onCancel = (event: Event): void => {
		if (!this.work) return;
		event.preventDefault();
		this.#ask(true);
	};

	readonly #onClose = (): void => {
		this.#layout.disconnect();
		this.#stop();
	};

	/** Closes the dialog; asks first while an export is running. */
	#leave(): void {
		if (this.work) this.#ask(true);
		else this.renderRoot.querySelector("dialog")?.close();
	}

	#ask(asking: boolean): void {
		this.asking = asking;
		void this.updateComplete.then(() => this.regainFocus());
	}

	#answer(stop: boolean): void {
		if (stop) this.#stop();
		this.#ask(false);
	}

	/** Aborts the running export. */
	#stop(): void {
		this.#working?.abort();
	}

	#name(ending: string): string {
		const { scene, frame } = this.state;
		return `scene-${scene}-frame-${frame}.${ending}`;
	}

	/**
	 * Returns the picture in the chosen size; undefined if the requested frame is not
	 * displayed.
	 */
	#taken(): Promise<Blob> | undefined {
		const { picture, state } = this;
		const options = this.#still();
		if (!picture || !options) return undefined;
		return pngOf(picture, state, options).then((blob) => {
			if (blob) return blob;
			throw new Error("PNG encoding failed");
		});
	}

	/**
	 * Returns the options of a still image; undefined, with the reason displayed, if the
	 * requested frame is not.
	 */
	#still(): StillOptions | undefined {
		const size = this.#size;
		const due = this.state.sensed?.pointsDue ? "Reading points" : undefined;
		const waiting = waitingWords(this.state) ?? due;
		this.trouble = waiting ? `Not saved: ${waiting}.` : "";
		return waiting || !size ? undefined : { size, caption: this.caption };
	}

	async #svg(): Promise<void> {
		const { picture } = this;
		try {
			const { svgOf } = await import("./svg.js");
			const options = this.#still();
			const blob = picture && options && svgOf(picture, this.state, options);
			if (!blob) return;
			save(blob, this.#name("svg"));
			const omitted = this.state.pageLayers.map(({ name }) => name).join(", ");
			this.said = omitted ? `SVG saved without the page's layers: ${omitted}` : "";
		} catch (error) {
			this.trouble = `Not saved: ${whyOf(error)}`;
		}
	}

	async #png(): Promise<void> {
		const name = this.#name("png");
		try {
			const blob = await this.#taken();
			if (!blob) return;
			save(blob, name);
			this.said = "";
		} catch (error) {
			this.trouble = `Not saved: ${whyOf(error)}`;
		}
	}

	async #copy(): Promise<void> {
		this.said = "";
		const taken = this.#taken();
		if (!taken) return;
		try {
			// Passes a promise, since some browsers allow copying only within the click
			// event.
			await navigator.clipboard.write([new ClipboardItem({ "image/png": taken })]);
			this.said = "Image copied";
		} catch (error) {
			this.trouble = `Not copied: ${whyOf(error)}`;
		}
	}

	/** Determines which formats can be encoded in the chosen size. */
	async #askEncoders(): Promise<void> {
		const asked = this.#size;
		if (!asked) return;
		const [width, height] = pixelsOf(asked);
		const size = evenSize({ width, height });
		const able = await Promise.all(FORMATS.map((format) => encoderFor(format, size)));
		if (!isSameSize(this.#size, asked)) return; // asked again for the present size
		this.videos = FORMATS.filter((_, i) => able[i] !== undefined);
	}

	/** Records a video, or without a format a GIF. */
	#record(format?: VideoFormat): Promise<void> {
		const { controller, picture, caption, videoSpeed: speed } = this;
		if (!controller || !picture) return Promise.resolve();
		const { begin, end } = controller.span;
		const name = `scene-${this.state.scene}-frames-${begin}-${end - 1}.${format?.ending ?? "gif"}`;
		const options = { size: this.#size, caption, speed };
		return this.#make(
			{ what: "video", done: 0, all: end - begin },
			name,
			async (signal, onProgress) => {
				const all = { ...options, signal, onProgress };
				if (format) return recordVideo(controller, picture, { ...all, format });
				const { recordGif } = await import("./gif.js");
				return recordGif(controller, picture, all);
			},
		);
	}

	#table(kind: "csv" | "json"): Promise<void> {
		const { controller, state } = this;
		const { selection, scene, dataset, frame } = state;
		if (!controller || !dataset) return Promise.resolve();
		const scope = this.#scope;
		const tracks = scope === "selected" ? `track-${selection}` : "agents";
		const who = scope === "selected" && selection !== undefined ? selection : "all";
		const frames =
			scope === "frame"
				? { begin: frame, end: frame + 1 }
				: { begin: 0, end: frameCount(state) };
		const of: TableOf = { dataset, scene, frames, who };
		const held = (at: number) =>
			controller.state.dataset === dataset ? controller.heldFrames.get(at) : undefined;
		const where =
			scope === "frame" ? `scene-${scene}-frame-${frame}` : `scene-${scene}`;
		const tableOf = kind === "csv" ? csvOf : jsonOf;
		const work: Work = { what: "table", done: 0, all: frames.end - frames.begin };
		return this.#make(work, `${where}-${tracks}.${kind}`, (signal, onProgress) =>
			tableOf(of, { signal, onProgress, held }),
		);
	}

	/** Runs one export at a time, and saves the file if it is complete. */
	async #make(
		work: Work,
		name: string,
		make: (
			signal: AbortSignal,
			onProgress: (done: number, all: number) => void,
		) => Promise<Blob>,
	): Promise<void> {
		if (this.#working) return;
		const working = new AbortController();
		this.#working = working;
		this.trouble = "";
		this.said = "";
		this.work = work;
		try {
			const file = await make(working.signal, (done, all) => {
				this.work = { ...work, done, all };
			});
			working.signal.throwIfAborted();
			save(file, name);
		} catch (error) {
			if (!isAbort(error)) this.trouble = `Not saved: ${whyOf(error)}`;
		} finally {
			this.#working = undefined;
			this.work = undefined;
			this.asking = false;
			this.#ended = work.what;
			await this.updateComplete;
			this.#ended = undefined;
		}
	}
}
