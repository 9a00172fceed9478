import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { release } from "../../samples/sample.js";
import { formatNumber } from "../agents/describe.js";
import { paletteOf } from "../draw/palette.js";
import { inverse, mapped, scaleOf } from "../draw/picture.js";
import { save } from "../export/save.js";
import type { Point } from "../scene-view/camera.js";
import { isAbort, whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles, dialogStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { empty, emptyStyles } from "../ui/empty.js";
import { icon } from "../ui/icons.js";
import { sampleArrays } from "./raster-arrays.js";
import { paintDifference, styleOf, type Vectors } from "./raster-difference.js";
import type { RasterPicture, RasterState } from "./raster-state.js";
import type { RasterChoice } from "./rasters.js";

export const rasterStyles = css`
section { padding: 16px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
canvas {
	display: block;
	width: min(100%, 340px * var(--_ratio, 1));
	height: auto;
	margin: 0 auto;
	border-radius: 6px;
	background: #000;
	box-shadow: 0 0 0 1px var(--_line);
	cursor: crosshair;
}
.views button { border: 1px solid var(--_line); }
.views { flex-wrap: wrap; }
dialog { max-width: calc(100vw - 24px); max-height: calc(100vh - 24px); }
dialog .body { display: grid; gap: 8px; padding: 0 16px 16px; overflow: auto; }
dialog canvas { width: min(calc(100vw - 64px), calc((100vh - 170px) * var(--_ratio, 1))); image-rendering: pixelated; }
.arrays { min-width: 0; overflow: auto; }
.arrays summary { min-height: 28px; padding: 4px 0; color: var(--_ink2); cursor: pointer; }
.arrays table { border-collapse: collapse; width: 100%; margin-bottom: 8px; }
.arrays th { font-weight: 400; color: var(--_ink3); text-align: right; padding: 0 4px; font-size: 11px; }
.arrays th:first-child { text-align: left; }
.arrays td { text-align: right; padding: 0 4px; white-space: nowrap; font-size: 11px; }
.arrays caption { text-align: left; color: var(--_ink2); font-size: 11px; padding: 4px 0 2px; }
.words { color: var(--_ink2); text-align: center; }
.row { display: flex; gap: 4px; align-items: center; }
.row select { flex: 1; min-width: 0; }
.bad { display: flex; gap: 8px; align-items: flex-start; overflow-wrap: anywhere; }
.bad .icon { color: var(--_warn-ink); margin-top: 2px; }
.wide { width: 100%; }
.file {
	position: relative;
	display: inline-flex;
	align-items: center;
	justify-content: center;
	width: 28px;
	min-height: 28px;
	border-radius: 6px;
	cursor: pointer;
}
.file:hover { background: var(--_raise); }
.file:focus-within { outline: 2px solid var(--_accent); outline-offset: 1px; }
@media (pointer: coarse) { .file { width: 44px; min-height: 44px; } }
`;

const ALL = "all";

/**
 * The raster of the selected agent or the ego: all channels as RGB, or a single
 * channel.
 */
export class Raster extends BevElement {
	static override styles = [baseStyles, emptyStyles, dialogStyles, rasterStyles];
	static override properties = {
		...BevElement.properties,
		pointer: { state: true },
		difference: { state: true },
		saving: { state: true },
		enlarged: { state: true },
	};

	/** Pointer position in raster pixels. */
	declare pointer: Point | undefined;
	/** Whether to show the difference between the raster and the vectors. */
	declare difference: boolean;
	/** Whether the sample is being saved. */
	declare saving: boolean;
	/** Whether the raster is also shown in a dialog. */
	declare enlarged: boolean;
	#stopWatching: (() => void) | undefined;
	#drawn: readonly unknown[] = [];

	constructor() {
		super();
		this.difference = false;
		this.saving = false;
		this.enlarged = false;
	}

	override connectedCallback(): void {
		super.connectedCallback();
		this.#watch();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#stopWatching?.();
		this.#stopWatching = undefined;
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { raster, selection, phase, shown, laneColours } = state;
		return [raster, selection, phase, this.difference && shown, laneColours];
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		if (changed.has("controller")) this.#watch();
	}

	protected override updated(): void {
		const { picture } = this.state.raster;
		const dialog = this.renderRoot.querySelector("dialog");
		if (this.enlarged && dialog && !dialog.open) dialog.showModal();
		const vectors = this.#vectors();
		const drawn = [picture, vectors?.frame, vectors?.laneColours, this.enlarged];
		if (!picture || drawn.every((it, i) => it === this.#drawn[i])) return;
		this.#drawn = drawn;
		for (const canvas of this.renderRoot.querySelectorAll("canvas"))
			this.#paint(canvas, picture, vectors);
	}

	#paint(
		canvas: HTMLCanvasElement,
		picture: RasterPicture,
		vectors: Vectors | undefined,
	): void {
		const { width, height } = picture.pixels;
		if (canvas.width !== width) canvas.width = width;
		if (canvas.height !== height) canvas.height = height;
		canvas.style.setProperty("--_ratio", String(width / height));
		const ctx = canvas.getContext("2d");
		const style = this.#style;
		if (ctx && vectors && style) paintDifference(ctx, picture, vectors, style);
		else ctx?.putImageData(picture.pixels, 0, 0);
	}

	get #style() {
		const { channels, channel } = this.state.raster;
		return styleOf(channels, channel);
	}

	/** Returns the vectors to compare the displayed raster with, if enabled. */
	#vectors(): Vectors | undefined {
		const { raster, map, laneColours } = this.state;
		const at = raster.picture?.frame ?? -1;
		const frame = this.controller?.heldFrames.get(at);
		if (!this.difference || frame?.scene !== raster.picture?.scene) return undefined;
		if (!frame || !this.#style) return undefined;
		return { frame, map, laneColours, palette: paletteOf(this) };
	}

	protected override render(): TemplateResult {
		const { raster, selection, phase } = this.state;
		if (phase !== "ready") return html``;
		const whose = typeof selection === "bigint" ? "of this agent" : "of the ego";
		return html`<section role="group" aria-labelledby="title">
			<h2 class="section" id="title">Raster ${whose}</h2>
			${this.#picture(raster)} ${this.#channels(raster)} ${this.#views(raster)}
			${this.#configs(raster)} ${raster.picture ? sampleArrays(raster.picture) : nothing}
		</section>
		${this.enlarged ? this.#large(raster, whose) : nothing}`;
	}

	#picture(raster: RasterState): TemplateResult {
		const { picture, problem, phase } = raster;
		return html`${this.#canvas(raster)}
			${picture ? this.#words(picture) : nothing}
			${
				problem
					? html`<div class="bad" role="alert">${icon("warning")}<p>${problem.why}</p></div>`
					: picture
						? nothing
						: emptyPicture(phase)
			}`;
	}

	/** Renders the raster's size, or the pointer's position. */
	#words({ pixels, fromWorld, frame }: RasterPicture): TemplateResult {
		const { pointer } = this;
		const metres = 1 / scaleOf(fromWorld);
		const size = `frame ${frame} · ${pixels.width} × ${pixels.height} · ${Number(metres.toFixed(3))} m`;
		if (!pointer) {
			const agree = this.difference ? " · black where equal to vectors" : "";
			return html`<p class="words mono">${size}${agree}</p>`;
		}
		const world = mapped(inverse(fromWorld), pointer);
		const [x, y] = [formatNumber(pointer.x, 1), formatNumber(pointer.y, 1)];
		return html`<p class="words mono">px ${x}, ${y} · world ${formatNumber(world.x, 1)}, ${formatNumber(world.y, 1)}</p>`;
	}

	#channels({ channels, channel }: RasterState): TemplateResult | typeof nothing {
		if (channels.length === 0) return nothing;
		const step = (by: 1 | -1) => () => {
			const count = channels.length + 1;
			const next = ((channel ?? -1) + 1 + by + count) % count;
			this.controller?.rasters.showChannel(next === 0 ? undefined : next - 1);
		};
		return html`<div class="row">
			<button class="icon-only" aria-label="Previous channel" @click=${step(-1)}>${icon("previous")}</button>
			<select aria-label="Channel" .value=${live(channel === undefined ? ALL : String(channel))}
				@change=${(event: Event) => {
					const { value } = event.currentTarget as HTMLSelectElement;
					const chosen = value === ALL ? undefined : Number(value);
					this.controller?.rasters.showChannel(chosen);
				}}>
				<option value=${ALL}>RGB of ${channels.length} channels</option>
				${channels.map((name, k) => html`<option value=${k}>${k} · ${name}</option>`)}
			</select>
			<button class="icon-only" aria-label="Next channel" @click=${step(1)}>${icon("next")}</button>
		</div>`;
	}

	/** Renders the buttons for difference, footprint and enlargement. */
	#views({ picture, footprint }: RasterState): TemplateResult {
		return html`<div class="row views">
			<button aria-pressed=${this.difference} ?disabled=${!this.#style}
				title="Difference from the same frame drawn as vectors"
				@click=${() => {
					this.difference = !this.difference;
				}}>${icon("difference")}Difference</button>
			<button aria-pressed=${footprint} title="Draw the raster's border in the picture"
				@click=${() => this.controller?.rasters.showFootprint(!footprint)}>${icon("fit")}Footprint</button>
			<button ?disabled=${!picture} @click=${() => {
				this.enlarged = true;
			}}>${icon("grow")}Enlarge</button>
		</div>`;
	}

	/** Renders the dialog with the enlarged raster. */
	#large(raster: RasterState, whose: string): TemplateResult {
		const { picture } = raster;
		const close = (event: Event) =>
			(event.currentTarget as HTMLElement).closest("dialog")?.close();
		return html`<dialog aria-labelledby="large" @close=${() => {
			this.enlarged = false;
		}}>
			<header><h2 id="large">Raster ${whose}</h2>
				<button class="icon-only" aria-label="Close" @click=${close}>${icon("close")}</button></header>
			<div class="body">${this.#canvas(raster)} ${picture ? this.#words(picture) : nothing}
				${this.#channels(raster)}</div>
		</dialog>`;
	}

	#canvas({ picture, channel, channels }: RasterState): TemplateResult {
		const name = channel === undefined ? "all channels" : (channels[channel] ?? "");
		return html`<canvas part="canvas" role="img" ?hidden=${!picture}
			aria-label=${`Raster: ${name}`}
			@pointermove=${(event: PointerEvent) => this.#point(event)}
			@pointerleave=${() => {
				this.pointer = undefined;
			}}></canvas>`;
	}

	#configs({ choice, found, picture }: RasterState): TemplateResult {
		const own = typeof choice === "object" ? choice : undefined;
		const value = own ? "own" : (choice ?? "");
		return html`<div class="row">
			<select aria-label="Config" .value=${live(value)} @change=${(event: Event) => {
				const { value } = event.currentTarget as HTMLSelectElement;
				this.controller?.rasters.choose(
					value === "own" && own ? own : (value as RasterChoice),
				);
			}}>
				${choice === undefined ? html`<option value="">Searching for a config</option>` : nothing}
				${found ? html`<option value="beside">${found.name}, beside the data</option>` : nothing}
				<option value="boxes">Boxes (default config)</option>
				<option value="map">Boxes over map (default config)</option>
				${own ? html`<option value="own">${own.name}</option>` : nothing}
			</select>
			<label class="file icon-only" title="Open a config: JSON or YAML">${icon("folder")}
				<input type="file" class="sr" aria-label="Open a config" accept=".json,.yaml,.yml"
					@change=${(event: Event) => void this.#open(event.currentTarget as HTMLInputElement)}></label>
		</div>
		<button class="raised wide" ?disabled=${!picture || this.saving}
			title="All arrays of the model's input, for numpy.load"
			@click=${() => void this.#save()}>Save sample as .npz</button>`;
	}

	#watch(): void {
		this.#stopWatching?.();
		this.#stopWatching = this.isConnected
			? this.controller?.rasters.watch()
			: undefined;
	}

	#point(event: PointerEvent): void {
		const { width, height } = this.state.raster.picture?.pixels ?? {};
		const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
		if (width === undefined || height === undefined) return;
		// Pixel centres are at integers.
		const x = ((event.clientX - box.left) / box.width) * width - 0.5;
		const y = ((event.clientY - box.top) / box.height) * height - 0.5;
		this.pointer = { x, y };
	}

	async #open(input: HTMLInputElement): Promise<void> {
		const file = input.files?.[0];
		if (!file) return;
		const named = { name: file.name, text: await file.text() };
		input.value = "";
		this.controller?.rasters.choose(named);
	}

	async #save(): Promise<void> {
		const { controller, state } = this;
		const { picture } = state.raster;
		if (!controller || !picture) return;
		this.saving = true;
		try {
			const [{ npzOf }, sample] = await Promise.all([
				import("./npz.js"),
				controller.rasters.exact(),
			]);
			if (!sample) return;
			const { scene, frame, track } = picture;
			const who = track === undefined ? "ego" : `track-${track}`;
			save(await npzOf(sample), `scene-${scene}-frame-${frame}-${who}.npz`);
			release(sample);
		} catch (error) {
			if (!isAbort(error)) controller.notify(`Sample not saved: ${whyOf(error)}`);
		} finally {
			this.saving = false;
		}
	}
}

function emptyPicture(phase: RasterState["phase"]): TemplateResult {
	if (phase === "opening") return html`<p class="hint">Loading</p>`;
	const next = "Rasters need agents and frames as L5Kit stores them.";
	return phase === "ready"
		? empty({
				...{ icon: "layers", what: "Not in this frame" },
				next: "The raster is the image that a model sees of the selection. Go to a frame that contains it.",
			})
		: empty({ icon: "layers", what: "This data cannot be sampled", next });
}
