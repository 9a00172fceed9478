import { html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../session/controller.js";
import { groupedCount } from "../ui/words.js";
import { liveOf } from "./live.js";
import type { LiveController } from "./live-controller.js";
import type { LiveState, RunState } from "./live-state.js";
import type { RunChoice } from "./scene-run.js";

const SUBJECTS = [
	["ego", "Ego"],
	["agents", "Agents"],
	["both", "Both"],
] as const;

/** Words of what was predicted. */
function told({ scene, done, of, isRunning, isAdded }: RunState): string {
	const where = scene === undefined ? "all scenes" : `scene ${scene}`;
	if (of === 0) return isRunning ? `Preparing ${where} …` : "";
	const far = `${done.toLocaleString("en")} of ${groupedCount(of, "frame")}`;
	if (isRunning) return done < of ? `Predicting ${where}: ${far}` : `Adding ${far} …`;
	if (done < of) return `Stopped in ${where}: ${far}${isAdded ? ", added" : ""}`;
	const whole = `Predicted ${groupedCount(of, "frame")} of ${where}`;
	return isAdded ? `${whole}: see Predictions below` : whole;
}

/** Reads the form's fields. */
function choiceOf(form: HTMLFormElement): RunChoice {
	const data = new FormData(form);
	const subject = SUBJECTS.find(([one]) => one === data.get("subject"))?.[0] ?? "ego";
	return {
		all: data.get("scenes") === "all",
		every: Number(data.get("every")),
		subject,
	};
}

/** Renders what to do with a run that has stopped. */
function stoppedActs(
	{ done, of, isRunning, isAdded }: RunState,
	live: LiveController,
): TemplateResult | typeof nothing {
	if (isRunning || of === 0 || (done === of && isAdded)) return nothing;
	return html`<div class="fields">
		${
			done === of
				? nothing
				: html`<button type="button" class="outlined" @click=${() => void live.resumeRun()}>Resume</button>`
		}
		${
			done === 0 || isAdded
				? nothing
				: html`<button type="button" title="Adds the predicted frames to the predictions" @click=${() => void live.addRun()}>Add these</button>`
		}
	</div>`;
}

/** Renders predicting scenes with the open model. */
export function runForm(
	controller: ViewerController,
	{ phase, run, contract }: LiveState,
): TemplateResult | typeof nothing {
	if (phase !== "ready") return nothing;
	const isRunning = run?.isRunning ?? false;
	const live = liveOf(controller);
	const press = (event: SubmitEvent): void => {
		event.preventDefault();
		if (isRunning) live.stopRun();
		else void live.run(choiceOf(event.currentTarget as HTMLFormElement));
	};
	const subject = contract?.subject ?? "ego";
	return html`<form @submit=${press}><fieldset>
		<legend>Predict scenes</legend>
		<div class="fields">
			<label>Of <select name="scenes" ?disabled=${isRunning}>
				<option value="one">This scene</option><option value="all">All scenes</option>
			</select></label>
			<label>Every n-th frame <input name="every" type="number" min="1" step="1" required value="1" ?disabled=${isRunning}></label>
			<label>For <select name="subject" ?disabled=${isRunning}>${SUBJECTS.map(
				([value, words]) =>
					html`<option value=${value} ?selected=${value === subject}>${words}</option>`,
			)}</select></label>
			<button class="outlined" title=${isRunning ? "Stops; what is predicted stays" : "Makes a set of predictions in the background"}>${isRunning ? "Cancel" : "Run"}</button>
		</div>
		${
			run?.isRunning
				? html`<div class="far"><progress max=${Math.max(1, run.of)} .value=${run.done} aria-label="Predicted frames"></progress></div>`
				: nothing
		}
		${run ? html`<p role="status">${told(run)}</p>` : nothing}
		${run?.problem ? html`<p class="wrong" role="alert">${run.problem}</p>` : nothing}
		${run ? stoppedActs(run, live) : nothing}
	</fieldset></form>`;
}
