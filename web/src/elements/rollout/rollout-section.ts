import { css, html, nothing, type TemplateResult } from "lit";
import { formatNumber } from "../agents/describe.js";
import type { ViewerController } from "../session/controller.js";
import { icon } from "../ui/icons.js";
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
section.rollout tbody th { position: static; font-size: inherit; color: var(--_ink2); text-align: left; padding: 0; }
section.rollout tbody tr { cursor: default; }
section.rollout td { line-height: 24px; }
section.rollout ul { padding: 0 12px; }
section.rollout li button { width: 100%; justify-content: flex-start; }
section.rollout .swatch { flex: none; width: 12px; height: 12px; border: 2px solid #c026d3; border-radius: 2px; }
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
	return metres < 1000 ? `${metres.toFixed(1)} m` : `${(metres / 1000).toFixed(2)} km`;
}

function measureRow(
	{ measure, report }: RolloutState,
	name: RolloutMeasure,
	choose: (name: RolloutMeasure) => void,
): TemplateResult {
	const { name: words, unit, scale, title } = MEASURE_TEXTS[name];
	const known = Array.from(report?.[name] ?? []).filter(Number.isFinite);
	const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
	const greatest = known.reduce(
		(most, value) => (Math.abs(value) > Math.abs(most) ? value : most),
		known[0] ?? Number.NaN,
	);
	return html`<tr class=${name === measure ? "chosen" : ""} title=${title}>
		<td><button aria-pressed=${name === measure} @click=${() => choose(name)}>${words} <span class="unit">${unit}</span></button></td>
		<td class="mono">${formatNumber(mean * scale)}</td><td class="mono">${formatNumber(greatest * scale)}</td></tr>`;
}

function results(controller: ViewerController, rollout: RolloutState): TemplateResult {
	const { report } = rollout;
	if (!report) return html`<p role="status">Comparing …</p>`;
	const events = eventsOf(report);
	const choose = (name: RolloutMeasure) =>
		void controller.rollout.use((it) => it.measure(name));
	const go = ({ frame, track }: RolloutEvent) => {
		controller.seek(frame);
		if (track !== undefined) controller.select(track);
	};
	const noMap = report.offRoad.includes(2);
	return html`<table><thead><tr><th scope="col">Measure</th><th scope="col">Mean</th><th scope="col" title="The value farthest from 0">Greatest</th></tr></thead>
		<tbody>${ROLLOUT_MEASURES.map((name) => measureRow(rollout, name, choose))}</tbody></table>
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

/** Renders the rollout: its measures and events in the displayed scene. */
export function rolloutSection(controller: ViewerController): TemplateResult {
	const { rollout, scene } = controller.state;
	if (!rollout) return html``;
	const { name, scenes, problem } = rollout;
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
