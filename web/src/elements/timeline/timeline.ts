import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { EgoLight } from "../map/ego-light.js";
import { noteTicks } from "../notes/note-marks.js";
import { errorLane } from "../review/error-lane.js";
import { rolloutLane } from "../rollout/rollout-lane.js";
import { frameCount, frameSeconds, type ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { chipStyles } from "../ui/chips.js";
import { defineLazy } from "../ui/define-lazy.js";
import { Disclosure } from "../ui/disclosure.js";
import { type IconName, icon } from "../ui/icons.js";
import { formatTime, frameText, SPEEDS } from "./clock.js";
import { frameUnder, lanePressed } from "./lane-pointer.js";
import {
	type Pointed,
	type PointedFacts,
	pointedFrame,
	QUANTITIES,
	type Quantity,
} from "./pointed-frame.js";
import {
	type QualityMark,
	qualityButton,
	qualityList,
	qualityMarks,
	qualityTicks,
} from "./quality.js";
import { setRows, toggledRow } from "./rows.js";
import { anchorTick, predictedTicks, scrubTrack } from "./scrub-track.js";
import { sectionHandles } from "./section-handles.js";
import { lightStrip, lightWords } from "./strips.js";
import { timelineStyles } from "./timeline-styles.js";

/**
 * Playback controls, time and scrub bar; below, on the same time axis, plots and
 * lights.
 */
export class Timeline extends BevElement {
	static override styles = [baseStyles, chipStyles, timelineStyles];
	static override properties = {
		...BevElement.properties,
		lights: { state: true },
		allLights: { state: true },
		collapsed: { type: Boolean, reflect: true },
		options: { state: true },
		pointed: { state: true },
	};

	/** Whether the rows of lights are open. */
	declare lights: boolean;
	/** Whether the rows of all lights are open. */
	declare allLights: boolean;
	/** Whether only the bar is shown, without plots and lights. */
	declare collapsed: boolean;
	/** Whether the list of options is open. */
	declare options: boolean;
	/** The frame at the pointer. */
	declare pointed: Pointed | undefined;
	#marks: readonly QualityMark[] = [];
	#marksOf: readonly unknown[] = [];
	#egoLight: EgoLight | undefined;
	#egoLightOf: ViewerState["map"];
	readonly #disclosure = new Disclosure(this, ".quality");
	readonly #rowMenu = new Disclosure(this, ".row-menu, .add-row");

	constructor() {
		super();
		this.lights = true;
		this.allLights = false;
		this.collapsed = false;
		this.options = false;
	}

	override connectedCallback(): void {
		super.connectedCallback();
		defineLazy("bev-plots", async () => (await import("./plots.js")).Plots).catch(
			(error: unknown) => this.#cannotLoad(error),
		);
		document.addEventListener("pointerdown", this.#onPressElsewhere);
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#findEgoLight();
		document.removeEventListener("pointerdown", this.#onPressElsewhere);
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { frame, sceneInfo, playing, stalled, speed, buffered, map, unreadable } =
			state;
		const { section, loop, scene, sceneCount, timeline, timelineFailed } = state;
		const noted = [state.notes, state.note];
		const time = [frame, sceneInfo, playing, stalled, speed, section, loop];
		const { report, by, list, comparison, name, models } = state.review;
		time.push(state.smooth);
		const errors = [list, comparison, name, models.length];
		const held = [
			buffered,
			unreadable,
			timeline,
			timelineFailed,
			state.timelineUnread,
			state.egoLight,
		];
		const shown = [map, scene, sceneCount, report, by, state.mapChoice, state.rollout];
		return [
			!state.futures,
			...time,
			state.rows,
			...noted,
			...held,
			...shown,
			...errors,
		];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override updated(_: PropertyValues<this>): void {
		const span = Math.max(1, frameCount(this.state) - 1);
		this.style.setProperty("--_at", String(this.state.frame / span));
		this.#findEgoLight();
		const { section } = this.state;
		this.style.setProperty("--_begin", String((section?.begin ?? 0) / span));
		this.style.setProperty("--_end", String(((section?.end ?? 1) - 1) / span));
		this.style.setProperty("--_over", String((this.pointed?.frame ?? 0) / span));
	}

	protected override render(): TemplateResult {
		const count = frameCount(this.state);
		const marks = this.#quality();
		return html`
			<div class="transport" part="controls">
				${this.#transport(count)}
				<span class="fill"></span>
				${this.#options(marks)}
			</div>
			${qualityList(marks, this.#disclosure, this.controller)}
			<div class="axis" @pointermove=${this.#onPoint} @pointerleave=${this.#onLeave}>
				<span class="key"></span>
				<div class="lane scrub" @pointerdown=${{ handleEvent: this.#onScrubPress, capture: true }}>
					${scrubTrack(this.state, count)} ${anchorTick(this.state, count)} ${predictedTicks(this.state, count)} ${qualityTicks(marks, count)} ${noteTicks(this.state, count)} ${this.#slider(count)} ${sectionHandles(this.controller)}
				</div>
				${
					this.state.rows.length > 0
						? html`<bev-plots part="plots" .controller=${this.controller} .over=${this.pointed?.frame}></bev-plots>`
						: nothing
				}
				${errorLane(this.state, count, this.#onPress)}
				${rolloutLane(this.state, count, this.#onPress)}
				${this.state.futures ? this.#futures() : nothing}
				${this.lights ? this.#strip(count) : nothing}
				<div class="cursor" part="cursor" ?hidden=${count < 2}></div>
				${this.pointed ? pointedFrame(this.state, this.pointed, this.#facts(this.pointed, marks)) : nothing}
			</div>`;
	}

	#strip(count: number): TemplateResult {
		return lightStrip(this.state, {
			count,
			open: this.allLights,
			toggle: () => {
				this.allLights = !this.allLights;
			},
			pressed: this.#onPress,
			hovered: (id) => this.controller?.mapPicker.hover(id),
		});
	}

	/** Renders the futures of submissions, over time. */
	#futures(): TemplateResult {
		defineLazy(
			"bev-futures-strip",
			async () => (await import("../futures/futures-strip.js")).FuturesStrip,
		).catch((error: unknown) => this.#cannotLoad(error));
		return html`<bev-futures-strip .controller=${this.controller}></bev-futures-strip>`;
	}

	/** Follows the ego's light on the map that is displayed. */
	#findEgoLight(): void {
		const { controller } = this;
		const map = this.isConnected ? this.state.map : undefined;
		if (map === this.#egoLightOf) return;
		this.#egoLightOf = map;
		this.#egoLight?.dispose();
		this.#egoLight = map && controller && new EgoLight(controller.store, map);
	}

	#transport(count: number): TemplateResult {
		const { state, controller } = this;
		const none = count === 0;
		const end = state.sceneInfo?.seconds[count - 1] ?? 0;
		const button = (name: string, key: string, shape: IconName, act: () => void) =>
			html`<button class="icon-only step ${shape === "first" || shape === "last" ? "end" : ""}" ?disabled=${none} aria-label=${name}
				title="${name} (${key})" @click=${act}>${icon(shape)}</button>`;
		return html`
			${button("First frame", "Home", "first", () => controller?.seek(0))}
			${button("Previous frame", "←", "previous", () => controller?.step(-1))}
			<button class="play" ?disabled=${count < 2} title="Play or pause (Space)"
				aria-label=${state.playing ? "Pause" : "Play"} @click=${() => controller?.togglePlay()}>
				${icon(state.playing ? "pause" : "play")}
			</button>
			${button("Next frame", "→", "next", () => controller?.step(1))}
			${button("Last frame", "End", "last", () => controller?.seek(count - 1))}
			<span class="wide">${this.#loop()}</span>
			<span class="wide">${this.#speed()}</span>
			<span class="time mono"><b>${formatTime(frameSeconds(state))}</b><span> / ${formatTime(end)}</span></span>
			<span class="frame mono" title="Frames count from 0, as in code">${count > 0 ? `frame ${state.frame} of 0–${count - 1}` : nothing}</span>
			${this.#section()}
			${state.stalled ? html`<span class="stalled mono">buffering</span>` : ""}`;
	}

	/**
	 * Renders the switches of plots, lights and quality; in a narrow layout as a list
	 * behind a button.
	 */
	#options(marks: readonly QualityMark[]): TemplateResult {
		return html`<button class="icon-only options-button" aria-label="Timeline options" title="Timeline options"
				aria-expanded=${this.options} @click=${() => {
					this.options = !this.options;
				}}>${icon("options")}</button>
			<div class="options ${this.options ? "open" : ""}" @keydown=${this.#onOptionsKey}>
				<span class="narrow">${this.#loop()} ${this.#speed()}</span>
				${(Object.keys(QUANTITIES) as Quantity[]).map((quantity) => this.#plotToggle(quantity))}
				${this.#addRow()}
				<button class="toggle" aria-pressed=${this.lights} @click=${() => {
					this.lights = !this.lights;
				}}>Lights</button>
				<button class="toggle" aria-pressed=${this.state.smooth} title="Move between frames during playback"
					@click=${() => this.controller?.toggleSmooth()}>Smooth</button>
				${qualityButton(marks, this.state.timelineUnread, this.#disclosure)}
			</div>
			<button class="icon-only collapse" aria-label="Plots and lights" aria-expanded=${!this.collapsed}
				title="${this.collapsed ? "Show" : "Hide"} plots and lights (T)" @click=${() => {
					this.collapsed = !this.collapsed;
					this.dispatchEvent(new Event("toggle"));
				}}>${icon(this.collapsed ? "up" : "down")}</button>`;
	}

	/** Closes the list on Escape and focuses its button. */
	#onOptionsKey(event: KeyboardEvent): void {
		if (event.key !== "Escape" || !this.options) return;
		event.preventDefault();
		this.options = false;
		this.renderRoot.querySelector<HTMLElement>(".options-button")?.focus();
	}

	/** Closes the list on a press elsewhere. */
	readonly #onPressElsewhere = (event: PointerEvent): void => {
		if (!this.options) return;
		const within = this.renderRoot.querySelectorAll(".options, .options-button");
		const path = event.composedPath();
		if (![...within].some((part) => path.includes(part))) this.options = false;
	};

	#loop(): TemplateResult {
		const { loop } = this.state;
		return html`<button class="icon-only loop" ?disabled=${frameCount(this.state) === 0} aria-pressed=${loop}
			aria-label="Loop" title="Loop (L). To set a section, press I and O or Shift + drag"
			@click=${() => this.controller?.toggleLoop()}>${icon("loop")}</button>`;
	}

	#speed(): TemplateResult {
		const now = this.state.speed;
		return html`<select class="speed mono" aria-label="Playback speed" title="Playback speed (, and .)"
			.value=${live(String(now))} @change=${this.#onSpeed}>
			${SPEEDS.map(
				(speed) =>
					html`<option value=${speed} ?selected=${speed === now}>${speed}×</option>`,
			)}
		</select>`;
	}

	#section(): TemplateResult | typeof nothing {
		const { section } = this.state;
		if (!section) return nothing;
		const words = `${section.begin}–${section.end - 1}`;
		return html`<button class="part mono" title="Clear the section (Shift + Esc)"
			aria-label=${`Section ${words}: clear`}
			@click=${() => {
				this.controller?.setSection(undefined);
				// The button is removed; without this the focus, and with it the keys, would be
				// lost.
				this.renderRoot.querySelector<HTMLElement>(".loop")?.focus();
			}}>${words}${icon("close")}</button>`;
	}

	#plotToggle(quantity: Quantity): TemplateResult {
		const { rows } = this.state;
		return html`<button class="toggle" aria-pressed=${rows.includes(quantity)}
			@click=${() => setRows(this.controller, toggledRow(rows, quantity))}>${QUANTITIES[quantity].name}</button>`;
	}

	/** Renders the button that opens the menu of rows. */
	#addRow(): TemplateResult {
		const { open } = this.#rowMenu;
		return html`<span class="add-row">
			<button class="icon-only add" aria-label="Add a row" title="Add a row: a quantity, an error or a fact"
				aria-expanded=${open} @click=${this.#toggleRowMenu}>${icon("plus")}</button>
			${open ? html`<bev-row-menu class="row-menu" .controller=${this.controller} @row-added=${this.#rowAdded}></bev-row-menu>` : nothing}
		</span>`;
	}

	readonly #toggleRowMenu = (): void => {
		defineLazy(
			"bev-row-menu",
			async () => (await import("./row-menu.js")).RowMenu,
		).catch((error: unknown) => this.#cannotLoad(error));
		this.#rowMenu.toggle();
		if (!this.#rowMenu.open) return;
		void this.updateComplete
			.then(() => customElements.whenDefined("bev-row-menu"))
			.then(() => {
				const menu = this.renderRoot.querySelector<HTMLElement>("bev-row-menu");
				menu?.focus();
			});
	};

	readonly #rowAdded = (): void => {
		this.#rowMenu.close();
		this.collapsed = false;
	};

	/** The closed menu leaves the focus to its button. */
	override regainFocus(from: Element, visible: boolean): void {
		if (from.matches(".row-menu"))
			this.renderRoot.querySelector<HTMLElement>(".add")?.focus();
		else super.regainFocus(from, visible);
	}

	/** Returns the anomalies, cached by their inputs. */
	#quality(): readonly QualityMark[] {
		const { timeline, map } = this.state;
		const of = [timeline, map];
		if (of.every((value, i) => value === this.#marksOf[i])) return this.#marks;
		this.#marksOf = of;
		this.#marks = timeline ? qualityMarks(timeline, map) : [];
		return this.#marks;
	}

	#cannotLoad(error: unknown): void {
		this.controller?.notify(`Viewer: loading a component failed: ${String(error)}`);
	}

	#facts({ frame, light }: Pointed, marks: readonly QualityMark[]): PointedFacts {
		const words = light && lightWords(this.state, light, frame);
		const picture = this.#picture(frame);
		return { marks, light: words, picture };
	}

	/** Returns a picture of the frame if it is in memory, so that pointing reads nothing. */
	#picture(frame: number): TemplateResult | typeof nothing {
		const { buffered } = this.state;
		if (!buffered.some(({ begin, end }) => begin <= frame && frame < end))
			return nothing;
		defineLazy(
			"bev-frame-thumbnail",
			async () => (await import("./frame-thumbnail.js")).FrameThumbnail,
		).catch((error: unknown) => this.#cannotLoad(error));
		return html`<bev-frame-thumbnail .controller=${this.controller} .frame=${frame}></bev-frame-thumbnail>`;
	}

	/** Focuses the scrub bar. */
	override focus(options?: FocusOptions): void {
		void this.updateComplete.then(() =>
			this.renderRoot.querySelector<HTMLElement>(".scrub input")?.focus(options),
		);
	}

	/** Uses the scrub bar's time axis, which all lanes share. */
	readonly #onPoint = (event: PointerEvent): void => {
		const lane = this.renderRoot.querySelector<HTMLElement>(".scrub");
		const count = frameCount(this.state);
		const path = event.composedPath();
		const over = path.find(
			(node): node is HTMLElement =>
				node instanceof HTMLElement && node.classList.contains("lane"),
		);
		if (!lane || !over || count < 2) {
			this.pointed = undefined;
			return;
		}
		const frame = frameUnder(event, lane, count);
		const { light } = over.dataset;
		const { pointed } = this;
		if (pointed?.frame !== frame || pointed.light !== light)
			this.pointed = { frame, light };
	};

	readonly #onLeave = (): void => {
		this.pointed = undefined;
	};

	readonly #onPress = (event: PointerEvent): void => {
		lanePressed(event, this.controller);
	};

	/** The slider seeks by itself; with Shift, a press marks a section instead. */
	readonly #onScrubPress = (event: PointerEvent): void => {
		if (event.shiftKey) lanePressed(event, this.controller);
	};

	#slider(count: number): TemplateResult {
		const { state } = this;
		return html`<input type="range" aria-label="Frame" min="0"
			max=${Math.max(0, count - 1)} step="1" .value=${live(String(state.frame))}
			?disabled=${count === 0}
			aria-valuetext=${frameText(state.frame, count, frameSeconds(state))}
			@input=${this.#onScrub} @keydown=${this.#onKey}>
			<div class="thumb" part="playhead" ?hidden=${count === 0}></div>`;
	}

	/** The slider's own arrow keys step one frame; with Shift ten. */
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
