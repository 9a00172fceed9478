import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { formatTime, frameText, SPEEDS } from "../pure/clock.js";
import { frameCount, frameSeconds, type ViewerState } from "../state.js";
import { baseStyles } from "./base-styles.js";
import { BevElement } from "./bev-element.js";
import { chipStyles } from "./chip-styles.js";
import { icon } from "./icons.js";
import { scrubTrack } from "./scrub-track.js";
import { lightStrip, speedPlot } from "./strips.js";
import { timelineStyles } from "./timeline-styles.js";

/** Transport, time and scrub bar; under it, on the same axis, ego speed and lights. */
export class Timeline extends BevElement {
	static override styles = [baseStyles, chipStyles, timelineStyles];
	static override properties = {
		...BevElement.properties,
		plots: { state: true },
		lights: { state: true },
	};

	declare plots: boolean;
	declare lights: boolean;

	constructor() {
		super();
		this.plots = true;
		this.lights = true;
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { frame, sceneInfo, playing, stalled, speed, buffered, shown, map } = state;
		return [frame, sceneInfo, playing, stalled, speed, buffered, shown, map];
	}

	protected override render(): TemplateResult {
		const count = frameCount(this.state);
		const frames = this.controller?.heldFrames ?? new Map();
		return html`
			<div class="transport">
				${this.#transport(count)}
				<span class="fill"></span>
				${this.#toggle("plots", "Plots")} ${this.#toggle("lights", "Lights")}
			</div>
			<div class="axis">
				<span class="key"></span>
				<div class="lane scrub">${scrubTrack(this.state, count)} ${this.#slider(count)}</div>
				${this.plots ? speedPlot(this.state, frames, count) : ""}
				${this.lights ? lightStrip(this.state, frames, count) : ""}
			</div>`;
	}

	#transport(count: number): TemplateResult {
		const { state, controller } = this;
		const none = count === 0;
		const end = state.sceneInfo?.seconds[count - 1] ?? 0;
		return html`
			<button class="play" ?disabled=${count < 2} title="Play or pause (Space)"
				aria-label=${state.playing ? "Pause" : "Play"} @click=${() => controller?.togglePlay()}>
				${icon(state.playing ? "pause" : "play")}
			</button>
			<button class="icon-only step" ?disabled=${none} aria-label="One frame back" title="One frame back (←)"
				@click=${() => controller?.step(-1)}>${icon("previous")}</button>
			<button class="icon-only step" ?disabled=${none} aria-label="One frame on" title="One frame on (→)"
				@click=${() => controller?.step(1)}>${icon("next")}</button>
			<select class="speed mono" aria-label="Playback speed" title="Playback speed (, and .)"
				.value=${live(String(state.speed))} @change=${this.#onSpeed}>
				${SPEEDS.map(
					(speed) =>
						html`<option value=${speed} ?selected=${speed === state.speed}>${speed}×</option>`,
				)}
			</select>
			<span class="time mono"><b>${formatTime(frameSeconds(state))}</b><span> / ${formatTime(end)}</span></span>
			<span class="frame mono">frame ${state.frame} of ${count}</span>
			${state.stalled ? html`<span class="stalled mono">buffering</span>` : ""}`;
	}

	#toggle(which: "plots" | "lights", name: string): TemplateResult {
		return html`<button class="toggle" aria-pressed=${this[which]}
			@click=${() => {
				this[which] = !this[which];
			}}>${name}</button>`;
	}

	#slider(count: number): TemplateResult {
		const { state } = this;
		return html`<input type="range" aria-label="Frame" part="playhead" min="0"
			max=${Math.max(0, count - 1)} step="1" .value=${live(String(state.frame))}
			?disabled=${count === 0}
			aria-valuetext=${frameText(state.frame, count, frameSeconds(state))}
			@input=${this.#onScrub} @keydown=${this.#onKey}>`;
	}

	/** The slider's own keys go one frame; with Shift they go ten. */
	#onKey(event: KeyboardEvent): void {
		if (!event.shiftKey || !/^Arrow(Left|Right)$/.test(event.key)) return;
		event.preventDefault();
		this.controller?.step(event.key === "ArrowLeft" ? -10 : 10);
	}

	#onScrub(event: Event): void {
		this.controller?.seek(Number((event.currentTarget as HTMLInputElement).value));
	}

	#onSpeed(event: Event): void {
		this.controller?.setSpeed(Number((event.currentTarget as HTMLSelectElement).value));
	}
}
