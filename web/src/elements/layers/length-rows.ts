import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { MAX_PATH } from "../link/link.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";
import { counted, formatNumber } from "../ui/words.js";

/** Upper end of the history and future sliders, in frames. */
const MAX_SEEN = 100;
/** Default seconds per frame if the scene's timestamps give none. */
const USUAL_STEP_S = 0.1;

/** Formats `frames` as seconds of the scene: `2.5 s`. */
export function pathSeconds({ sceneInfo }: ViewerState, frames: number): string {
	const seconds = sceneInfo?.seconds;
	const steps = (seconds?.length ?? 0) - 1;
	const step = steps > 0 ? (seconds?.at(-1) ?? 0) / steps : USUAL_STEP_S;
	return `${formatNumber(frames * (step > 0 ? step : USUAL_STEP_S), 1)} s`;
}

interface Slider {
	readonly id: string;
	readonly name: string;
	readonly title: string;
	readonly words: string;
	readonly value: number;
	readonly max: number;
	readonly set: (value: number) => void;
}

function slider({ id, name, title, words, value, max, set }: Slider): TemplateResult {
	return html`<div class="slider">
		<label for=${id} title=${title}>${name}</label>
		<output for=${id} class="mono">${words}</output>
		<input id=${id} class="filled" type="range" min="0" max=${max} step="1"
			.value=${live(String(Math.min(value, max)))} aria-valuetext=${words}
			@input=${(event: Event) => set(Number((event.currentTarget as HTMLInputElement).value))}>
	</div>`;
}

/** Renders the minimum lengths of an agent's history and future. */
export function trackLengthFilters(
	controller: ViewerController | undefined,
): TemplateResult | typeof nothing {
	if (!controller?.canFilterByLength) return nothing;
	const { minHistory, minFuture } = controller.state;
	const title =
		"Consecutive frames in which the track is visible, with the thresholds above, as in L5Kit's select_agents";
	const words = (frames: number) => counted(frames, "frame");
	return html`<details ?open=${minHistory > 0 || minFuture > 0}><summary>Track length</summary>
		${slider({
			...{ id: "history", name: "History ≥", title, words: words(minHistory) },
			...{ value: minHistory, max: MAX_SEEN },
			set: (value) => controller.setMinima(value, controller.state.minFuture),
		})}
		${slider({
			...{ id: "ahead", name: "Future ≥", title, words: words(minFuture) },
			...{ value: minFuture, max: MAX_SEEN },
			set: (value) => controller.setMinima(controller.state.minHistory, value),
		})}
	</details>`;
}

/** Renders the lengths of trails and futures. */
export function pathLengths(
	controller: ViewerController | undefined,
): TemplateResult | typeof nothing {
	if (!controller) return nothing;
	const { state } = controller;
	const { past, future } = state;
	return html`<details><summary>Trail and future length</summary>
		${slider({
			...{ id: "past", name: "Trail", title: "Length of trails" },
			...{ words: pathSeconds(state, past), value: past, max: MAX_PATH },
			set: (value) => controller.setPaths(value, controller.state.future),
		})}
		${slider({
			...{ id: "future", name: "Future", title: "Length of futures" },
			...{ words: pathSeconds(state, future), value: future, max: MAX_PATH },
			set: (value) => controller.setPaths(controller.state.past, value),
		})}
	</details>`;
}
