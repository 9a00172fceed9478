import { css, html, nothing, type TemplateResult } from "lit";
import type { ModelContract } from "../../model/types.js";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { icon } from "../ui/icons.js";
import { counted, formatBytes, formatNumber, groupedCount } from "../ui/words.js";
import { liveOf } from "./live.js";
import type { LiveState, LiveTimes } from "./live-state.js";
import { runForm } from "./run-form.js";
import { unrollForm, unrollStyles } from "./unroll-form.js";

const styles = css`
section { border-bottom: 1px solid var(--_line); padding-bottom: 8px; }
header { display: flex; align-items: center; gap: 8px; padding: 4px 12px; }
header h2 { min-width: 0; flex: none; margin: 0; padding: 0; }
header .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--_ink2); }
header button { margin-left: auto; flex: none; }
.swatch { flex: none; width: 12px; height: 12px; border-radius: 2px; background: var(--_predicted); }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 0; padding: 2px 12px; }
dt { color: var(--_ink2); }
dd { margin: 0; overflow-wrap: anywhere; }
p { margin: 0; padding: 2px 12px; }
p.wrong { color: var(--_warn-ink); overflow-wrap: anywhere; }
.acts { padding: 4px 12px 0; }
`;

const STEPS: readonly (readonly [keyof LiveTimes, string])[] = [
	["sample", "sample"],
	["copy", "copy"],
	["inference", "inference"],
	["draw", "drawing"],
];

/** Returns the inputs by key and shape: `image (batch, 5, 112, 112)`. */
function inputsText({ inputs, readsFuture }: ModelContract): string {
	const all = inputs.map(({ name, key, shape }) =>
		name === key ? `${key} ${shape}` : `${name} = ${key} ${shape}`,
	);
	const future = readsFuture ? "; reads the recorded future" : "";
	return `${all.join(", ") || "all arrays of the sample"}${future}`;
}

function outputsText({ modes, steps, stepTime, outputs }: ModelContract): string {
	const several = modes === null ? "modes" : counted(modes, "mode");
	const long =
		steps === null
			? ""
			: ` of ${counted(steps, "step")}, ${formatNumber(steps * stepTime, 1)} s`;
	const sure = outputs.confidences === null ? "" : ", with confidences";
	return `${several}${long}${sure}`;
}

/** Returns what computes the model, and why it is not the graphics card. */
function usedText({ used }: LiveState): string {
	if (!used) return "";
	if (used.provider === "webgpu") return "WebGPU";
	const why = used.why === undefined ? "" : `; no WebGPU: ${used.why}`;
	return `WebAssembly, one thread${why}`;
}

/** The open model: what it takes and gives, how far it is, and what it costs. */
export class LivePanel extends BevElement {
	static override styles = [baseStyles, styles, unrollStyles];

	protected watched({ live, frame }: ViewerState): readonly unknown[] {
		return [live, frame];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override render(): TemplateResult | typeof nothing {
		const { controller } = this;
		const { live } = this.state;
		if (!live || !controller) return nothing;
		const { name, bytes, contract, problem, config, kept } = live;
		return html`<section aria-label="Model">
			<header role="presentation"><h2 class="section">Model</h2><span class="swatch" title="Predicted live"></span>
				<span class="name" title=${name}>${name}</span>
				<button class="icon-only" aria-label="Close the model" title="Close the model"
					@click=${() => liveOf(controller).close()}>${icon("close")}</button></header>
			${problem ? html`<p class="wrong" role="alert">${problem}</p>` : nothing}
			<p role="status">${this.#status(live)}</p>
			${
				contract
					? html`<dl>
				${bytes === undefined ? nothing : html`<dt>File</dt><dd class="mono">${formatBytes(bytes)}</dd>`}
				<dt>Takes</dt><dd>${inputsText(contract)}</dd>
				<dt>Gives</dt><dd>${outputsText(contract)}</dd>
				${config === "" ? nothing : html`<dt>Config</dt><dd>${config}</dd>`}
				${usedText(live) === "" ? nothing : html`<dt>Runs on</dt><dd>${usedText(live)}</dd>`}
				${this.#times(live)}
				<dt>Results</dt><dd class="mono">${groupedCount(kept, "frame")}</dd></dl>`
					: nothing
			}
			${
				live.busy === undefined
					? nothing
					: html`<div class="acts"><button @click=${() => liveOf(controller).cancel()}>Cancel</button></div>`
			}
			${runForm(controller, live)}
			${unrollForm(controller, live)}
		</section>`;
	}

	#status({ phase, frame, contract }: LiveState): string {
		const { frame: wanted } = this.state;
		if (phase === "failed") return "Not running";
		if (phase === "opening") return contract ? "Preparing samples …" : "Loading …";
		if (frame === undefined) return "Waiting for the first frame …";
		return frame === wanted ? "Live" : `Late: frame ${frame} of ${wanted}`;
	}

	#times({ times }: LiveState): TemplateResult | typeof nothing {
		if (!times) return nothing;
		const sum = STEPS.reduce((all, [key]) => all + times[key], 0);
		const parts = STEPS.map(([key, name]) => `${name} ${formatNumber(times[key], 1)}`);
		return html`<dt>Took</dt><dd class="mono" title="The last prediction">${formatNumber(sum, 1)} ms: ${parts.join(", ")}</dd>`;
	}
}
