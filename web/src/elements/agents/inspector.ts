import { css, html, nothing, type TemplateResult } from "lit";
import type { FrameView } from "../../dataset/frame-view.js";
import { labelName } from "../layers/layer-set.js";
import { DEFAULT_CAMERA, followsSelection } from "../scene-view/camera.js";
import type { Selection } from "../scene-view/picking.js";
import { waitingWords } from "../session/showing.js";
import { frameCount, frameWith, type ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { chip, chipStyles } from "../ui/chips.js";
import { defineLazy } from "../ui/define-lazy.js";
import { empty, emptyStyles } from "../ui/empty.js";
import { icon } from "../ui/icons.js";
import { availabilityOf, availabilityStrip } from "./availability.js";
import { CERTAINTY } from "./certainty.js";
import { agentName, formatAngle, formatNumber, formatSpeed } from "./describe.js";
import { egoChoice } from "./ego-choice.js";
import { speedLine, speedLineStyles } from "./speed-line.js";
import { agentIndex, classOf, isKept, limitsOf } from "./summary.js";
import { presenceOf } from "./track-search.js";

const inspectorStyles = css`
section { padding: 16px; border-bottom: 1px solid var(--_line); }
section:last-of-type { border-bottom: 0; }
h2.section { padding-bottom: 8px; }
header { display: flex; align-items: center; gap: 8px; padding: 0 0 8px; }
h2 { font-size: 16px; font-weight: 600; line-height: 1.3; }
header .track { color: var(--_ink2); overflow: hidden; text-overflow: ellipsis; }
header button { margin-right: -8px; flex: none; }
header .follow { margin: 0 0 0 auto; background: var(--_raise); }
header .follow[aria-pressed="true"] { background: var(--_accent); color: var(--_on-accent); }
dl { display: grid; grid-template-columns: auto 1fr; gap: 5px 12px; }
dt { color: var(--_ink2); white-space: nowrap; }
dd { text-align: right; overflow-wrap: anywhere; }
.known { display: flex; justify-content: space-between; padding-bottom: 8px; }
.label { display: grid; grid-template-columns: 1fr auto; padding-bottom: 8px; }
.label svg { grid-column: 1 / -1; display: block; width: 100%; height: 4px; margin-top: 3px; }
.rail { fill: var(--_raise); }
.value { fill: var(--_vehicle); }
.cyclist .value { fill: var(--_cyclist); }
.pedestrian .value { fill: var(--_pedestrian); }
.other .value { fill: var(--_other); }
.availability { display: block; width: 100%; height: 16px; fill: var(--_edge); }
.availability .there { fill: var(--_accent); }
.availability .unknown { fill: var(--_raise); }
.availability .now { fill: var(--_ink); }
.words { padding-top: 4px; color: var(--_ink2); }
summary { cursor: pointer; color: var(--_ink2); padding: 4px 0; min-height: 24px; }
details dl { padding-top: 8px; }
@media (forced-colors: active) { .value { fill: Highlight; } .rail { fill: Canvas; stroke: GrayText; } }
`;

type Row = readonly [name: string, value: string];

function vector(values: ArrayLike<number>, digits: number): string {
	return Array.from(values, (value) => formatNumber(value, digits)).join(", ");
}

function rows(of: readonly Row[]): TemplateResult {
	return html`<dl>${of.map(
		([name, value]) => html`<dt>${name}</dt><dd class="mono">${value}</dd>`,
	)}</dl>`;
}

/** Returns the frames of the scene in which the selected track is visible, if known. */
function seenWords({ timeline, selection, scene }: ViewerState): string {
	if (timeline?.of !== selection || timeline?.scene !== scene) return "reading";
	const seen = presenceOf(timeline);
	if (!seen) return "–";
	const { first, last, count } = seen;
	const span = last - first + 1;
	const frames = `frames ${first}–${last}`;
	return count === span ? `${frames} (${count})` : `${frames} (${count} of ${span})`;
}

function summaryRows(state: ViewerState, { agents }: FrameView, i: number): Row[] {
	const extent = agents.extent.subarray(3 * i, 3 * i + 3);
	const size = Array.from(extent, (side) => side.toFixed(2)).join(" × ");
	return [
		["Speed (derived)", formatSpeed(agents.speed[i] ?? Number.NaN)],
		["Heading", formatAngle(agents.yaw[i] ?? 0)],
		["Extent", `${size} m`],
		["Distance to ego", `${formatNumber(agents.distance[i] ?? 0, 1)} m`],
		["Centroid", vector(agents.centroid.subarray(2 * i, 2 * i + 2), 1)],
		["Visible in", seenWords(state)],
	];
}

/** Returns every field of the record, under its name in the data. */
function recordRows({ agents }: FrameView, i: number): Row[] {
	return [
		["row", String(agents.row[i])],
		["track_id", String(agents.track_id[i])],
		["centroid", vector(agents.centroid.subarray(2 * i, 2 * i + 2), 3)],
		["extent", vector(agents.extent.subarray(3 * i, 3 * i + 3), 3)],
		["yaw", formatNumber(agents.yaw[i] ?? Number.NaN, 4)],
		["velocity", vector(agents.velocity.subarray(2 * i, 2 * i + 2), 3)],
	];
}

function egoRows({ ego, timestamp, index }: FrameView): Row[] {
	return [
		["Speed (derived)", formatSpeed(ego.speed)],
		["Heading", formatAngle(ego.yaw)],
		["ego_translation", vector(ego.translation, 2)],
		["timestamp", String(timestamp)],
		["frame row", String(index)],
	];
}

function bar(name: string, value: number): TemplateResult {
	const share = `${Math.min(100, Math.max(0, value * 100))}%`;
	return html`<li class="label">
		<span>${name}</span><span class="mono">${value.toFixed(2)}</span>
		<svg aria-hidden="true"><rect class="rail" width="100%" height="4" rx="2"/><rect class="value" width=${share} height="4" rx="2"/></svg>
	</li>`;
}

/** The selected agent: its record and its class probabilities. */
export class Inspector extends BevElement {
	static override styles = [
		baseStyles,
		emptyStyles,
		chipStyles,
		inspectorStyles,
		speedLineStyles,
	];

	protected watched(state: ViewerState): readonly unknown[] {
		const { selection, shown, partial, threshold, playing, buffered } = state;
		const { timeline, follow } = state;
		const limits = [threshold, ...limitsOf(state)];
		const seen = [selection, shown, partial, ...limits, playing, buffered];
		return [...seen, timeline, follow, waitingWords(state), state.mapChoice, state.map];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override render(): TemplateResult {
		const { selection } = this.state;
		if (selection === undefined && this.state.mapChoice) {
			this.#loadMapRecord();
			return html`<bev-map-record .controller=${this.controller}></bev-map-record>`;
		}
		if (selection === undefined) {
			if (this.state.map) this.#loadMapRecord();
			const next =
				"Click a road user, a lane or a light in the picture, or a row of Agents, to see its values.";
			return html`${empty({ icon: "fit", what: "Nothing is selected", next })}
				${this.state.map ? html`<bev-map-record .controller=${this.controller}></bev-map-record>` : nothing}`;
		}
		const part = selection === "ego" ? "ego" : "agents";
		const shown = frameWith(this.state, part);
		const waiting = waitingWords(this.state, part);
		if (!shown) return this.#unread(selection, waiting ?? "No frame is displayed");
		return html`<div class=${waiting ? "stale" : ""}>${this.#record(shown, selection)}</div>`;
	}

	#loadMapRecord(): void {
		defineLazy(
			"bev-map-record",
			async () => (await import("../map/map-record.js")).MapRecord,
		).catch((error: unknown) => {
			this.controller?.notify(`Viewer: loading a panel failed: ${String(error)}`);
		});
	}

	#record(shown: FrameView, selection: Selection): TemplateResult {
		if (selection === "ego") return this.#ego(shown);
		const i = agentIndex(shown, selection);
		return i === undefined ? this.#gone(selection) : this.#agent(shown, i);
	}

	/** Renders the selection while its frame is not available. */
	#unread(selection: Selection, why: string): TemplateResult {
		const [name, detail] =
			selection === "ego" ? ["Ego", ""] : ["Selected", `track ${selection}`];
		return html`<section>${this.#header(name ?? "", detail ?? "", nothing)}
			<p class="hint">${why}</p></section>`;
	}

	/** Focuses the button that clears the selection. */
	override focus(options?: FocusOptions): void {
		void this.updateComplete.then(() =>
			this.renderRoot.querySelector<HTMLElement>(".clear")?.focus(options),
		);
	}

	override regainFocus(from: Element, visible: boolean): void {
		if (this.state.selection === undefined) super.regainFocus(from, visible);
		else this.focus();
	}

	#header(
		name: string,
		detail: string,
		mark: TemplateResult | typeof nothing,
	): TemplateResult {
		return html`<header>
			${mark}<h2>${name}</h2><span class="track mono">${detail}</span>
			<button class="follow" aria-label="Follow selected" aria-pressed=${followsSelection(this.state.follow)}
				title="Keep the selection centred (F)" @click=${this.#onFollow}>Follow</button>
			<button class="icon-only clear" aria-label="Clear the selection" title="Clear the selection (Esc)"
				@click=${() => this.controller?.select(undefined)}>${icon("close")}</button>
		</header>`;
	}

	readonly #onFollow = (): void => {
		const { follow, camera } = this.state;
		const { span, tilt } = camera;
		const centred = { ...DEFAULT_CAMERA, span, tilt };
		this.controller?.setFollow(
			followsSelection(follow) ? "position" : "selected",
			centred,
		);
	};

	#gone(track: bigint): TemplateResult {
		return html`<section>
			${this.#header("Not in this frame", `track ${track}`, nothing)}
			<p class="hint">The track stays selected and reappears in frames that contain it.</p>
		</section>`;
	}

	#ego(frame: FrameView): TemplateResult {
		if (frame.ego.is_virtual)
			return html`<section>${this.#header("No ego vehicle", "", nothing)}
				<p class="hint">No vehicle recorded these data. The ego poses are a place for the picture, and what is measured of them is unknown. Select an agent to make it the ego vehicle.</p></section>`;
		const rotation = [0, 1, 2].map(
			(k): Row => [
				`row ${k}`,
				vector(frame.ego.rotation.subarray(3 * k, 3 * k + 3), 4),
			],
		);
		return html`<section>${this.#header("Ego", "", chip("ego"))} ${rows(egoRows(frame))} ${speedLine(this.state)} ${egoChoice(this.controller, this.state, "ego")}</section>
			<section role="group" aria-label="Rotation"><h2 class="section">ego_rotation</h2>${rows(rotation)}</section>`;
	}

	#agent(frame: FrameView, i: number): TemplateResult {
		const { state } = this;
		const kept = isKept(frame, i, state);
		const of = classOf(frame, i);
		const track = `track ${frame.agents.track_id[i]}`;
		return html`<section>
				${this.#header(agentName(state, frame, i), track, chip(of))}
				${kept ? nothing : html`<p class="hint">Filtered out.</p>`}
				${rows(summaryRows(state, frame, i))}
				${speedLine(state)} ${egoChoice(this.controller, state, frame.agents.track_id[i] ?? 0n)}
			</section>
			<section><h2 class="section">Availability</h2>${this.#availability(frame, i)}</section>
			<section class=${of}><h2 class="section">Label probabilities</h2>
				<p class="known" title=${CERTAINTY}>Certainty <span class="mono">${formatNumber(frame.agents.known_probability[i] ?? Number.NaN)}</span></p>
				${this.#labels(frame, i)}</section>
			<section><details><summary>All fields</summary>${rows(recordRows(frame, i))}</details></section>`;
	}

	#availability(frame: FrameView, i: number): TemplateResult {
		const frames = this.controller?.heldFrames ?? new Map();
		const track = frame.agents.track_id[i] ?? 0n;
		const count = frameCount(this.state);
		return availabilityStrip(availabilityOf(frames, frame.frame, count, track));
	}

	#labels(frame: FrameView, i: number): TemplateResult {
		const names = this.state.dataset?.labels ?? [];
		const width =
			frame.agents.label_probabilities.length / Math.max(1, frame.agents.length);
		const values = frame.agents.label_probabilities.subarray(
			width * i,
			width * (i + 1),
		);
		const labels = Array.from(values, (value, k) => ({
			value,
			name: names[k] ?? `LABEL_${k}`,
		}));
		const likely = labels.filter(({ value }) => value >= 0.005);
		likely.sort((a, b) => b.value - a.value);
		return html`<ul>${likely.map(({ name, value }) => bar(labelName(name), value))}</ul>
			<details><summary>All ${labels.length} labels</summary>
				${rows(labels.map(({ name, value }): Row => [labelName(name), value.toFixed(4)]))}
			</details>`;
	}
}
