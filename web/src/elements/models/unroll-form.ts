import { css, html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../session/controller.js";
import { frameCount } from "../session/state.js";
import { counted } from "../ui/words.js";
import { liveOf } from "./live.js";
import type { LiveState, UnrollState } from "./live-state.js";
import { DRIVEN, type UnrollChoice } from "./unroller.js";

export const unrollStyles = css`
fieldset { margin: 8px 12px 0; padding: 4px 0 0; border: 0; border-top: 1px solid var(--_line); }
legend { padding: 0 8px 0 0; color: var(--_ink2); }
.fields { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; }
.fields label { display: flex; gap: 4px; align-items: center; }
.fields input[type="number"] {
	font: inherit;
	color: inherit;
	width: 64px;
	min-height: 28px;
	padding: 0 4px;
	border: 1px solid var(--_edge);
	border-radius: 6px;
	background: var(--_bg);
}
@media (pointer: coarse) { .fields input[type="number"], .fields label { min-height: 44px; } }
.far { display: flex; gap: 8px; align-items: center; padding-top: 4px; }
.far progress { flex: 1; min-width: 0; height: 4px; accent-color: var(--_accent); }
fieldset p { padding: 4px 0 0; }
`;

/** Five seconds of L5Kit's frames. */
const STEPS = 50;

const DRIVEN_WORDS = { ego: "Ego", agents: "Cars near it", both: "Both" } as const;

/** Words of what was simulated. */
function told({ start, done, of, isRunning }: UnrollState): string {
	const far = `from frame ${start}: ${done} of ${counted(of, "frame")}`;
	if (isRunning) return `Unrolling ${far}`;
	return done === of
		? `Unrolled ${counted(of, "frame")} from frame ${start}`
		: `Stopped ${far}`;
}

/** Reads the form's fields. */
function choiceOf(form: HTMLFormElement): UnrollChoice {
	const data = new FormData(form);
	const drives = DRIVEN.find((one) => one === data.get("drives")) ?? "ego";
	return { steps: Number(data.get("steps")), drives, history: data.has("history") };
}

/** Renders the simulation by the open model. */
export function unrollForm(
	controller: ViewerController,
	{ phase, unroll }: LiveState,
): TemplateResult | typeof nothing {
	if (phase !== "ready") return nothing;
	const { frame } = controller.state;
	const most = frameCount(controller.state) - 1 - frame;
	const isRunning = unroll?.isRunning ?? false;
	const press = (event: SubmitEvent): void => {
		event.preventDefault();
		const live = liveOf(controller);
		if (isRunning) live.stopUnroll();
		else void live.unroll(choiceOf(event.currentTarget as HTMLFormElement));
	};
	return html`<form @submit=${press}><fieldset>
		<legend>Unroll</legend>
		<div class="fields">
			<label>Frames <input name="steps" type="number" min="1" step="1" required value=${STEPS} ?disabled=${isRunning}></label>
			<label>Drive <select name="drives" ?disabled=${isRunning}>${DRIVEN.map(
				(one) => html`<option value=${one}>${DRIVEN_WORDS[one]}</option>`,
			)}</select></label>
			<label title="L5Kit's simulations begin without a history"><input name="history" type="checkbox" checked ?disabled=${isRunning}>History</label>
			<button class="outlined" ?disabled=${!isRunning && most < 1} title=${isRunning ? "Stops; the rollout stays" : "The model drives from this frame on"}>${isRunning ? "Stop" : "Unroll"}</button>
		</div>
		${
			unroll?.isRunning
				? html`<div class="far"><progress max=${unroll.of} value=${unroll.done} aria-label="Simulated frames"></progress></div>`
				: nothing
		}
		${unroll ? html`<p role="status">${told(unroll)}</p>` : nothing}
		${unroll?.problem ? html`<p class="wrong" role="alert">${unroll.problem}</p>` : nothing}
	</fieldset></form>`;
}
