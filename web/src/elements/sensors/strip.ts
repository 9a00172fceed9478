import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { empty, emptyStyles } from "../ui/empty.js";
import { icon } from "../ui/icons.js";
import { splitter } from "../ui/splitter.js";
import type { Sensors } from "./sensors.js";
import type { CameraView, DecodedImage, Shown } from "./sensors-view.js";
import { stripStyles } from "./strip-styles.js";

/** Limits of the images' height, in CSS pixels. */
const HEIGHT_MIN = 72;
const HEIGHT_MAX = 320;
const HEIGHT = 132;

/** Returns the image to draw, which may be of an earlier frame. */
function imageOf(shown: Shown<DecodedImage>): DecodedImage | undefined {
	if (shown.state === "current") return shown.value;
	return shown.state === "late" ? shown.before?.value : undefined;
}

/** Returns why there is no image of the frame. */
function wordOf(shown: Shown<DecodedImage>): string {
	if (shown.state === "null") return "No image";
	if (shown.state === "late") return shown.before ? "" : "Reading";
	return shown.state === "current" ? "" : shown.why;
}

/** The images of the requested frame, one box per camera. */
export class CameraStrip extends BevElement {
	static override styles = [baseStyles, emptyStyles, stripStyles];
	static override properties = {
		...BevElement.properties,
		sensors: { attribute: false },
		height: { state: true },
	};

	/** Reads the images. */
	declare sensors: Sensors | undefined;
	/** Height of the images in CSS pixels; undefined for the default. */
	declare height: number | undefined;
	/** What each canvas shows. */
	readonly #drawn = new WeakMap<HTMLCanvasElement, ImageBitmap>();
	readonly #size = new ResizeObserver(([entry]) =>
		this.#setVisible((entry?.contentRect.width ?? 0) > 0),
	);
	#visible = false;

	override connectedCallback(): void {
		super.connectedCallback();
		this.#size.observe(this);
		this.#setVisible(true);
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#size.disconnect();
		this.#setVisible(false);
	}

	/** Images are read while the strip is laid out. */
	#setVisible(visible: boolean): void {
		this.#visible = visible;
		if (this.sensors) this.sensors.visible = visible;
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		if (changed.has("sensors")) this.#setVisible(this.#visible);
	}

	protected watched({ sensed }: ViewerState): readonly unknown[] {
		return [sensed];
	}

	protected override render(): TemplateResult | typeof nothing {
		const { sensed } = this.state;
		if (!sensed) return nothing;
		const { cameras, open } = sensed;
		const shown = cameras.filter(({ on }) => on);
		const hasFailed = open && shown.some(({ shown }) => shown.state === "failed");
		return html`${open ? this.#splitter() : nothing}
			<div class="head">
				<button class="title" aria-expanded=${open} aria-controls="boxes"
					@click=${() => this.sensors?.toggle()}>${icon(open ? "down" : "up")}Cameras</button>
				${open ? this.#names(cameras) : nothing}
				${hasFailed ? html`<button class="again" @click=${() => this.sensors?.retry()}>Try again</button>` : nothing}
			</div>
			<div id="boxes">${open ? this.#boxes(shown) : nothing}</div>`;
	}

	/** Draws the images that changed. */
	protected override updated(changed: PropertyValues<this>): void {
		super.updated(changed);
		const height = this.height === undefined ? "" : `${this.height}px`;
		this.style.setProperty("--_strip", height);
		const shown = this.state.sensed?.cameras.filter(({ on }) => on) ?? [];
		for (const [i, canvas] of [
			...this.renderRoot.querySelectorAll("canvas"),
		].entries()) {
			const image = shown[i] && imageOf(shown[i].shown);
			if (image) this.#draw(canvas, image.bitmap);
		}
	}

	#draw(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
		if (this.#drawn.get(canvas) === bitmap || bitmap.width === 0) return;
		this.#drawn.set(canvas, bitmap);
		const { width, height } = bitmap;
		if (canvas.width !== width || canvas.height !== height)
			Object.assign(canvas, { width, height });
		const context = canvas.getContext("2d");
		context?.clearRect(0, 0, width, height);
		context?.drawImage(bitmap, 0, 0);
	}

	#names(cameras: readonly CameraView[]): TemplateResult {
		return html`<div class="names" role="group" aria-label="Shown cameras">${cameras.map(
			({
				name,
				on,
			}) => html`<button aria-pressed=${on} title=${on ? `Hide ${name}` : `Show ${name}`}
				@click=${() => this.sensors?.toggleCamera(name)}><span>${name}</span></button>`,
		)}</div>`;
	}

	#boxes(shown: readonly CameraView[]): TemplateResult {
		if (shown.length === 0)
			return empty({
				...{ icon: "camera", what: "No camera is shown" },
				next: "Press a name above to show one.",
			});
		const large = shown.some(({ large }) => large);
		const classes = `boxes ${large ? "large" : ""} ${shown.length === 1 ? "alone" : ""}`;
		return html`<div class=${classes} @keydown=${(event: KeyboardEvent) => this.#onKey(event)}>
			${shown.map((camera) => this.#box(camera))}
		</div>`;
	}

	#box({ name, shown, large }: CameraView): TemplateResult {
		const word = wordOf(shown);
		const late = shown.state === "late" ? shown.before : undefined;
		return html`<button class="box ${large ? "is-large" : ""}" aria-pressed=${large}
			title=${large ? `${name}: make smaller (Esc)` : `${name}: enlarge`}
			@click=${() => this.sensors?.enlarge(large ? undefined : name)}>
			<canvas aria-hidden="true" class=${imageOf(shown) ? shown.state : "gone"}></canvas>
			${word ? html`<span class="word ${shown.state}">${word}</span>` : nothing}
			<span class="caption"><span class="name">${name}</span>${
				late ? html`<span class="late mono">frame ${late.frame}</span>` : nothing
			}</span>
		</button>`;
	}

	/** Escape makes the enlarged camera smaller, before the viewer clears the selection. */
	#onKey(event: KeyboardEvent): void {
		if (event.key !== "Escape") return;
		if (!this.state.sensed?.cameras.some(({ large }) => large)) return;
		event.preventDefault();
		event.stopPropagation();
		this.sensors?.enlarge(undefined);
	}

	#splitter(): TemplateResult {
		return splitter({
			label: "Height of the cameras",
			controls: "boxes",
			edge: "top",
			limits: [HEIGHT_MIN, HEIGHT_MAX],
			value: this.height ?? HEIGHT,
			set: (height) => {
				this.height = height;
			},
		});
	}
}
