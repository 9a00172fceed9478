import { css, html, nothing, type TemplateResult } from "lit";
import { formatNumber } from "../agents/describe.js";
import type { ViewerController } from "../session/controller.js";
import { whyOf } from "../session/problem.js";
import { icon } from "../ui/icons.js";
import { table } from "../ui/table.js";
import { counted } from "../ui/words.js";
import type { PlannedScene } from "./planner-run.js";
import type { RolloutReport, RolloutState } from "./rollout-state.js";
import {
	MEASURE_TEXTS,
	ROLLOUT_MEASURES,
	type RolloutMeasure,
	SIDES,
} from "./rollout-text.js";

export const rolloutStyles = css`
section.rollout { border-bottom: 1px solid var(--_line); padding-bottom: 8px; }
section.rollout header h2 { min-width: 0; flex: 0 1 auto; }
section.rollout header .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--_ink2); }
section.rollout header button { margin-left: auto; flex: none; }
section.rollout table { width: calc(100% - 24px); margin: 0 12px 4px; }
section.rollout td { line-height: 24px; }
section.rollout ul { padding: 0 12px; }
section.rollout li button { width: 100%; justify-content: flex-start; }
section.rollout .swatch { flex: none; width: 12px; height: 12px; border: 2px solid #c026d3; border-radius: 2px; }
section.rollout .path { display: inline-block; width: 14px; height: 0; margin-right: 4px; border-top: 3px solid; vertical-align: middle; }
section.rollout .path.plan { border-color: #0891b2; }
section.rollout .path.expert { border-color: #65a30d; }
section.rollout dl { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; margin: 4px 16px; line-height: 24px; }
section.rollout dd { margin: 0; text-align: right; }
`;

/** Returns the runs of frames whose value passes, as half-open ranges. */
export function runsOf(
	values: Uint8Array,
	passes: (value: number) => boolean,
): readonly (readonly [begin: number, end: number])[] {
	const runs: [number, number][] = [];
	values.forEach((value, k) => {
		if (!passes(value)) return;
		const last = runs.at(-1);
		if (last?.[1] === k) last[1] = k + 1;
		else runs.push([k, k + 1]);
	});
	return runs;
}

interface RolloutEvent {
	readonly frame: number;
	readonly words: string;
	readonly track?: bigint;
}

/** Returns the collisions and the stretches off the road, by frame. */
function eventsOf({ collision, collisionTrack, offRoad, firstFrame }: RolloutReport) {
	const hits = SIDES.slice(1).flatMap((side, i) =>
		runsOf(collision, (value) => value === i + 1).map(([begin, end]): RolloutEvent => {
			const track = collisionTrack[begin] ?? 0n;
			const words = `Collision ${side}, track ${track}, ${spanOf(begin, end, firstFrame)}`;
			return { frame: firstFrame + begin, words, track };
		}),
	);
	const off = runsOf(offRoad, (value) => value === 1).map(
		([begin, end]): RolloutEvent => ({
			frame: firstFrame + begin,
			words: `Off the road, ${spanOf(begin, end, firstFrame)}`,
		}),
	);
	return [...hits, ...off].sort((a, b) => a.frame - b.frame);
}

function spanOf(begin: number, end: number, first: number): string {
	const [from, to] = [first + begin, first + end - 1];
	return from === to ? `frame ${from}` : `frames ${from}–${to}`;
}

/** Maximum number of listed events. */
const MAX_EVENTS = 30;

const METRES_PER_MILE = 1609.344;

/** Returns the sum of distances in miles, in which they are computed, in metres. */
function distance(miles: Float64Array): string {
	const metres = METRES_PER_MILE * miles.reduce((sum, value) => sum + value, 0);
	return metres < 1000
		? `${formatNumber(metres, 1)} m`
		: `${formatNumber(metres / 1000)} km`;
}

/** Returns a measure's mean of the known values, and the worst: of times the least. */
function summaryOf({ report }: RolloutState, measure: RolloutMeasure) {
	const { scale, ...texts } = MEASURE_TEXTS[measure];
	const known = Array.from(report?.[measure] ?? []).filter(Number.isFinite);
	const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
	const isTime = measure === "time_to_collision";
	const worst = known.reduce(
		(most, value) => (Math.abs(value) > Math.abs(most) !== isTime ? value : most),
		known[0] ?? Number.NaN,
	);
	return { measure, ...texts, mean: mean * scale, worst: worst * scale };
}

function measureTable(controller: ViewerController, rollout: RolloutState) {
	const farthest = "The value farthest from 0; of times, the least";
	const { report } = rollout;
	const known = ROLLOUT_MEASURES.filter((one) => (report?.[one].length ?? 0) > 0);
	return table({
		rows: known.map((measure) => summaryOf(rollout, measure)),
		columns: [
			{
				...{ name: "Measure", cells: "" },
				cell: ({ name, unit }) => html`${name} <span class="unit">${unit}</span>`,
			},
			{ name: "Mean", cell: ({ mean }) => formatNumber(mean) },
			{
				...{ name: "Worst", title: farthest },
				cell: ({ worst }) => formatNumber(worst),
			},
		],
		state: ({ measure, title }) => ({ title, chosen: measure === rollout.measure }),
		press: ({ measure }) => void controller.rollout.use((it) => it.measure(measure)),
	});
}

/** Returns a flag of nuPlan's in words. */
function answer(value: number): string {
	if (Number.isNaN(value)) return "unknown";
	return value === 1 ? "yes" : "no";
}

/** Renders what simulations of nuPlan have: nuPlan's measures, and what lines are. */
function planned(scene: PlannedScene): TemplateResult {
	const { measures, plan, expert, interpolated } = scene;
	const score = measures.noEgoAtFaultCollisions;
	const unknown = "Unknown if lanes decide, or the ego vehicle's motion is not known";
	const rows: readonly (readonly [string, string])[] = [
		["Road users hit", formatNumber(measures.collisions, 0)],
		["No at-fault collisions", Number.isNaN(score) ? "unknown" : formatNumber(score)],
		["Time to collision in bounds", answer(measures.timeToCollisionWithinBound)],
		["Comfortable", answer(measures.egoIsComfortable)],
	];
	const between = `${counted(interpolated, "frame is", "frames are")} between two simulated ones.`;
	return html`<dl aria-label="nuPlan's measures of the simulation" title=${unknown}>${rows.map(
		([name, value]) => html`<dt>${name}</dt><dd class="mono">${value}</dd>`,
	)}</dl>
		${
			plan.length + expert.length > 0
				? html`<p class="beside">${plan.length > 0 ? html`<span class="path plan"></span>Plan in this frame ` : nothing}
				${expert.length > 0 ? html`<span class="path expert"></span>Expert` : nothing}</p>`
				: nothing
		}
		${interpolated > 0 ? html`<p class="beside">${between}</p>` : nothing}`;
}

function results(controller: ViewerController, rollout: RolloutState): TemplateResult {
	const { report } = rollout;
	if (!report) return html`<p role="status">Comparing …</p>`;
	const events = eventsOf(report);
	const go = ({ frame, track }: RolloutEvent) => {
		controller.seek(frame);
		if (track !== undefined) controller.select(track);
	};
	const noMap = report.offRoad.includes(2);
	return html`${measureTable(controller, rollout)}
		${report.planned ? planned(report.planned) : nothing}
		<p class="beside">Driven <span class="mono">${distance(report.simulatedMiles)}</span>, recorded <span class="mono">${distance(report.recordedMiles)}</span>.
			${noMap ? "Off road: unknown without a map." : nothing}</p>
		${events.length === 0 ? html`<p class="beside">No collisions${noMap ? "" : ", never off the road"}.</p>` : nothing}
		<ul aria-label="Collisions and stretches off the road">${events
			.slice(0, MAX_EVENTS)
			.map(
				(event) =>
					html`<li><button @click=${() => go(event)}>${event.words}</button></li>`,
			)}</ul>
		${events.length > MAX_EVENTS ? html`<p class="beside">and ${events.length - MAX_EVENTS} more</p>` : nothing}`;
}

/** Saves the rollout as a file. */
async function saved(controller: ViewerController, name: string): Promise<void> {
	try {
		const file = await controller.rollout.use((it) => it.file());
		const { save } = await import("../export/save.js");
		if (file) save(file, `${name.replace(/[^\w.-]+/g, "-")}.json`);
	} catch (error) {
		controller.notify(`Rollout: saving failed: ${whyOf(error)}`);
	}
}

/** Renders the rollout: its measures and events in the displayed scene. */
export function rolloutSection(controller: ViewerController): TemplateResult {
	const { rollout, scene } = controller.state;
	if (!rollout) return html``;
	const { name, scenes, problem, isFile } = rollout;
	const isHere = scenes?.includes(scene);
	const others = scenes?.filter((one) => one !== scene) ?? [];
	return html`<section class="rollout" aria-label="Rollout">
		<header role="presentation"><h2 class="section">Rollout</h2><span class="swatch" title="Simulated"></span>
			<span class="name" title=${name}>${name}</span>
			<button class="icon-only" aria-label="Close the rollout" title="Close the rollout"
				@click=${() => void controller.rollout.use((it) => it.clear())}>${icon("close")}</button></header>
		${problem ? html`<p class="wrong" role="alert">${problem}</p>` : nothing}
		${!scenes && !problem ? html`<p role="status">Reading …</p>` : nothing}
		${scenes && !isHere ? html`<p>This scene is not simulated.</p>` : nothing}
		${isHere && !problem ? results(controller, rollout) : nothing}
		${
			scenes && isFile === false
				? html`<p class="beside"><button class="plain" title="A file that the viewer and the command line read" @click=${() => void saved(controller, name)}>Save rollout</button></p>`
				: nothing
		}
		${
			others.length > 0
				? html`<p class="beside">Other simulated scenes:
					<select aria-label="Go to a simulated scene" @change=${(event: Event) => {
						const { value } = event.currentTarget as HTMLSelectElement;
						if (value !== "") controller.setScene(Number(value));
					}}><option value="">choose</option>${others.map((one) => html`<option value=${one}>Scene ${one}</option>`)}</select></p>`
				: nothing
		}
	</section>`;
}
