import { css, html, nothing, svg, type TemplateResult } from "lit";
import type { SceneFutures } from "../../reviewing/remote-futures.js";
import { frameCount, type ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { counted, formatNumber } from "../ui/words.js";
import type { FuturesView } from "./futures-state.js";
import {
	eventsOf,
	MEASURES,
	ordered,
	selectedTrack,
	shownAgents,
	untilWords,
} from "./futures-view.js";

/** Height of a future in pixels, and of all of them. */
const ROW = 4;
const MAX_HEIGHT = 160;

const styles = css`
:host { display: contents; }
.lane { cursor: pointer; padding: 0 7px; touch-action: pan-y; }
svg { display: block; }
svg:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; }
.base { fill: var(--_line); }
.chosen .base { fill: var(--_ink3); }
.collision { fill: var(--_red); }
.off { fill: var(--_warn-ink); }
.key { color: var(--_ink2); }
@media (max-width: 640px) { .key { display: none; } .lane { grid-column: 1 / -1; } }
`;

/** What the strip shows. */
interface Shown {
	readonly here: SceneFutures;
	/** Rows of the agents whose events are marked. */
	readonly agents: readonly number[];
	readonly view: FuturesView;
	/** Numbers of the futures, from the top. */
	readonly list: readonly number[];
}

/** Returns the words for a future. */
export function futureWords(
	f: SceneFutures,
	rollout: number,
	agents: readonly number[],
): string {
	const { collisions, departures } = eventsOf(f, rollout, agents);
	const frame = (step: number): number => f.firstStep + step * f.stride;
	const ade = f.measures.ade[rollout] ?? Number.NaN;
	const until = untilWords(f.measures.seconds);
	const parts = [`Future ${rollout}`, `ADE${until} ${formatNumber(ade)} m`];
	const [hit] = collisions;
	const [off] = departures;
	if (hit !== undefined)
		parts.push(
			`${counted(collisions.length, "agent")} in collisions from frame ${frame(hit)}`,
		);
	if (off !== undefined)
		parts.push(
			`${counted(departures.length, "agent")} off the lanes from frame ${frame(off)}`,
		);
	return parts.join(", ");
}

/** Futures over time: a row each, with marks of collisions and departures from the lanes. */
export class FuturesStrip extends BevElement {
	static override styles = [baseStyles, styles];

	protected watched(state: ViewerState): readonly unknown[] {
		const { futures, scene, sceneInfo, selection } = state;
		return [futures, scene, sceneInfo, selection];
	}

	protected override get pace(): number {
		return 100;
	}

	get #shown(): Shown | undefined {
		const { futures } = this.state;
		const here = futures?.sets[futures.view.active]?.here;
		if (!futures || !here) return undefined;
		const agents = shownAgents(here, selectedTrack(this.state));
		return { here, agents, view: futures.view, list: ordered(here, futures.view) };
	}

	protected override render(): TemplateResult | typeof nothing {
		const shown = this.#shown;
		const count = frameCount(this.state);
		if (!shown || count < 2) return nothing;
		const { here, agents, view, list } = shown;
		const row = Math.max(1, Math.min(ROW, Math.floor(MAX_HEIGHT / list.length)));
		const height = row * list.length;
		const colliding = list.filter(
			(r) => eventsOf(here, r, agents).collisions.length > 0,
		).length;
		const by = `${MEASURES[view.measure].name}${untilWords(here.measures.seconds)}`;
		const words = `Futures, by ${view.order === "number" ? "number" : by}; collisions in ${colliding} of ${list.length}`;
		const active = view.rollout === undefined ? nothing : `future-${view.rollout}`;
		return html`<span class="key" title=${words}>Futures <span class="mono">${colliding}/${list.length}</span></span>
			<div class="lane" @pointerdown=${this.#press}>
				<svg viewBox="0 0 ${count - 1} ${height}" width="100%" height=${height} preserveAspectRatio="none"
					role="listbox" tabindex="0" aria-label=${words} aria-activedescendant=${active}
					@keydown=${this.#key}>${list.map((r, k) => this.#row(shown, r, { top: k * row, row }))}</svg>
			</div>`;
	}

	#row(
		{ here, agents, view }: Shown,
		rollout: number,
		{ top, row }: { readonly top: number; readonly row: number },
	): TemplateResult {
		const chosen = rollout === view.rollout;
		const { collisions, departures } = eventsOf(here, rollout, agents);
		const x = (step: number): number => here.firstStep + step * here.stride;
		const bar = (kind: string, from: number, to: number) =>
			svg`<rect class=${kind} x=${from} width=${Math.max(0.5, to - from)} y=${top} height=${Math.max(0.8, row - 1)}/>`;
		const end = x(here.steps - 1);
		return svg`<g role="option" id="future-${rollout}" class=${chosen ? "chosen" : ""}
			aria-selected=${chosen} aria-label=${futureWords(here, rollout, agents)}>
			${bar("base", x(0), end)}
			${departures.map((step) => bar("off", x(step), x(step) + 1))}
			${collisions.map((step) => bar("collision", x(step), x(step) + 1))}</g>` as unknown as TemplateResult;
	}

	readonly #press = (event: PointerEvent): void => {
		const lane = this.renderRoot.querySelector("svg");
		const shown = this.#shown;
		if (!lane || !shown) return;
		const { left, top, width, height } = lane.getBoundingClientRect();
		const { list } = shown;
		const row = Math.floor(((event.clientY - top) / height) * list.length);
		const count = frameCount(this.state);
		const frame = Math.round(((event.clientX - left) / width) * (count - 1));
		const rollout = list[Math.max(0, Math.min(list.length - 1, row))];
		this.#open(rollout, Math.max(0, Math.min(count - 1, frame)));
	};

	#open(rollout: number | undefined, frame: number | undefined): void {
		const { controller } = this;
		void controller?.rollout.use(async (it) =>
			(await it.futures()).change({ rollout }),
		);
		if (frame !== undefined) controller?.seek(frame);
	}

	/** Arrow keys choose a future; Enter seeks to its first collision or departure. */
	readonly #key = (event: KeyboardEvent): void => {
		const shown = this.#shown;
		if (!shown || event.altKey || event.ctrlKey || event.metaKey) return;
		const { here, agents, list, view } = shown;
		const at = view.rollout === undefined ? -1 : list.indexOf(view.rollout);
		const moves: Readonly<Record<string, number | undefined>> = {
			ArrowUp: Math.max(0, at - 1),
			ArrowDown: Math.min(list.length - 1, at + 1),
			Home: 0,
			End: list.length - 1,
		};
		const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
		if (to !== undefined) this.#open(list[to], undefined);
		else if (event.key === "Enter" && view.rollout !== undefined) {
			const { collisions, departures } = eventsOf(here, view.rollout, agents);
			const [first] = [...collisions, ...departures].sort((a, b) => a - b);
			if (first === undefined) return;
			this.#open(view.rollout, here.firstStep + first * here.stride);
		} else return;
		event.preventDefault();
		event.stopPropagation();
	};
}
