import { html, nothing, svg, type TemplateResult } from "lit";
import type { MapView } from "../../dataset/map-view.js";
import type { Anomaly, SceneTimeline } from "../../dataset/timeline.js";
import type { ViewerController } from "../session/controller.js";
import type { Part } from "../session/parts.js";
import type { Disclosure } from "../ui/disclosure.js";
import { counted, formatNumber } from "../ui/words.js";

/** An anomaly in the data, for display. */
export interface QualityMark {
	readonly frame: number;
	/** Description with the numbers. */
	readonly what: string;
	/** The affected track, if any. */
	readonly track?: bigint;
}

const WORDS: Readonly<Record<Anomaly["kind"], (one: Anomaly) => string>> = {
	gap: ({ amount }) => `${formatNumber(amount, 2)} s since the previous frame`,
	stuck: () => "Time does not advance",
	empty: () => "No agents",
	flat: ({ track }) => `Track ${track} has no size`,
	jump: ({ track, amount }) => `Track ${track} jumps ${formatNumber(amount, 1)} m`,
	"absent-frames": (one) => absent("records", one),
	"absent-agents": (one) => absent("agents", one),
	"absent-faces": (one) => absent("traffic lights", one),
	"repeated-faces": ({ amount }) =>
		`Repeats ${counted(amount, "face")} of traffic lights`,
	turn: ({ track, amount }) => `Track ${track} turns ${formatNumber(amount, 0)}°`,
	resize: ({ track, amount }) =>
		`Track ${track} changes area by ${formatNumber(amount, 2)}×`,
	tiny: ({ track, amount }) => `Track ${track} covers ${area(amount)}`,
	hole: ({ track, amount }) =>
		`Track ${track} is missing in ${counted(amount, "frame")}`,
};

const OF_TRACKS: ReadonlySet<Anomaly["kind"]> = new Set([
	"flat",
	"jump",
	"turn",
	"resize",
	"tiny",
	"hole",
]);

/** Formats an area in square metres or centimetres. */
function area(amount: number): string {
	return amount < 1
		? `${formatNumber(amount * 1e4, 0)} cm²`
		: `${formatNumber(amount, 1)} m²`;
}

function absent(what: string, { amount }: Anomaly): string {
	return `Absent: ${what} of ${counted(amount, "frame")}`;
}

/** Maximum number of reported faces. */
const MAX_FACES = 20;

/** Returns marks for faces in the scene that control no lane of the map. */
function strays(timeline: SceneTimeline, map: MapView): QualityMark[] {
	const controls = new Set(map.lanes.controls);
	return timeline.faces
		.filter(({ id }) => !controls.has(id))
		.slice(0, MAX_FACES)
		.map(({ id, frame }) => ({
			frame,
			what: `Face ${id} controls no lane`,
		}));
}

/** Returns the scene's anomalies in frame order, with descriptions. */
export function qualityMarks(
	timeline: SceneTimeline,
	map: MapView | undefined,
): QualityMark[] {
	const odd = timeline.anomalies.map((one) => ({
		frame: one.frame,
		what: WORDS[one.kind](one),
		...(OF_TRACKS.has(one.kind) ? { track: one.track } : {}),
	}));
	const faces = map ? strays(timeline, map) : [];
	return [...odd, ...faces].sort((a, b) => a.frame - b.frame);
}

/** Renders the button that opens the list of anomalies. */
export function qualityButton(
	marks: readonly QualityMark[],
	unread: readonly Part[],
	disclosure: Disclosure,
): TemplateResult | typeof nothing {
	const unknown = unread.map(
		(part) => html` <span class="hint">${part} unknown</span>`,
	);
	if (marks.length === 0)
		return unread.length === 0
			? nothing
			: html`<span class="quality">Quality${unknown}</span>`;
	return html`<button class="quality" aria-expanded=${disclosure.open}
		@click=${() => disclosure.toggle()}>Quality <span class="mono">${marks.length}</span>${unknown}</button>`;
}

/**
 * Renders the anomalies in frame order; a press seeks, and selects the affected track.
 */
export function qualityList(
	marks: readonly QualityMark[],
	disclosure: Disclosure,
	controller: ViewerController | undefined,
): TemplateResult | typeof nothing {
	if (marks.length === 0 || !disclosure.open) return nothing;
	const goTo = ({ frame, track }: QualityMark): void => {
		disclosure.close();
		controller?.pause();
		controller?.seek(frame);
		if (track !== undefined) controller?.select(track);
	};
	return html`<ul class="quality" aria-label="Quality">${marks.map(
		(mark) =>
			html`<li><button @click=${() => goTo(mark)}><span class="mono">${mark.frame}</span> ${mark.what}</button></li>`,
	)}</ul>`;
}

/** Renders the anomalies as triangles above the bar. */
export function qualityTicks(marks: readonly QualityMark[], count: number) {
	const share = (frame: number) => `${(100 * frame) / Math.max(1, count - 1)}%`;
	const frames = [...new Set(marks.map(({ frame }) => frame))];
	return html`<svg class="ticks" width="100%" height="8" aria-hidden="true">${frames.map(
		(frame) =>
			svg`<svg x=${share(frame)} overflow="visible"><path d="M-3.5 0h7L0 7z"/></svg>`,
	)}</svg>`;
}
