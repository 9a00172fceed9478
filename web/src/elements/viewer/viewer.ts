import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type KeyTarget, keyFocus } from "../keys/key-focus.js";
import { formatLink, type LinkState, parseLink } from "../link/link.js";
import { isOpenAt, LINK_DEFAULTS } from "../link/link-of.js";
import type { MapObject } from "../map/map-state.js";
import { type DropParts, watchDrops } from "../open/drop.js";
import type { Example, Pending } from "../open/open.js";
import { openPlace } from "../open/open-place.js";
import { resolved } from "../open/places.js";
import type { PredictionSets } from "../review/prediction-sets.js";
import type { PredictionsFrom } from "../review/review-controller.js";
import type { RolloutFrom } from "../rollout/rollout-controller.js";
import { ViewerController } from "../session/controller.js";
import type { Opened, ViewerDataset } from "../session/dataset.js";
import { keptNow } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import { rootStyles } from "../ui/root-styles.js";
import type { GroupMember } from "./group.js";
import { IdleClose } from "./idle-close.js";
import { Landmarks } from "./landmarks.js";
import { LateParts } from "./late-parts.js";
import { Panels, parsePanels } from "./panels.js";
import { dispatchChanges } from "./viewer-events.js";
import { ViewerFace } from "./viewer-face.js";
import { viewerStyles } from "./viewer-styles.js";

/** The complete viewer: all elements with one controller. */
export class Viewer extends ViewerFace implements KeyTarget {
	static override styles = [rootStyles, viewerStyles];
	static override properties = {
		...ViewerFace.properties,
		src: {},
		painter: {},
		link: { attribute: "state" },
		example: {},
		examples: { attribute: false },
		linkBase: { attribute: false },
		pageKeys: { attribute: false },
		predictions: { attribute: false },
		predictionsSrc: { attribute: "predictions-src" },
		mapSrc: { attribute: "map-src" },
		panels: {},
		label: {},
		group: {},
		pending: { attribute: false },
		choosing: { state: true },
		over: { state: true },
		copied: { state: true },
	};

	/** Address of the data set; setting it opens it, removing it closes it. */
	declare src: string | null;
	/** The painter: `auto`, `canvas2d` or `webgl2`. */
	declare painter: string | null;
	/** The state as a link's fragment: all of these attributes and more. */
	declare link: string | null;
	/** Address of an example data set. */
	declare example: string | null;
	/** Further examples that the start page offers. */
	declare examples: readonly Example[];
	/** The page's address for `Copy link`; without it there is no such button. */
	declare linkBase: string | undefined;
	/**
	 * Whether to handle the page's keys from the start; for pages that consist of the
	 * viewer.
	 */
	declare pageKeys: boolean;
	/** Predictions to review, of one model or of several; undefined for none. */
	declare predictions: PredictionSets | undefined;
	/** Addresses of predictions CSVs, separated by `|`; setting it reads them. */
	declare predictionsSrc: string | null;
	/** Map URL that replaces the one beside the data. */
	declare mapSrc: string | null;
	/** Panels to show, by the names in `PANEL_NAMES`; null for all. */
	declare panels: string | null;
	/** Name of this viewer, used in the names of its landmarks. */
	declare label: string | null;
	/** Viewers of the page with the same group show the same scene and time. */
	declare group: string | null;
	/** A data set to confirm before it is opened. */
	declare pending: Pending | undefined;
	/** Whether a data set is being chosen. */
	declare choosing: boolean;
	/** Types of the files dragged over the viewer. */
	declare over: readonly string[] | undefined;
	/** Whether the link was just copied. */
	declare copied: boolean;
	#dataset: ViewerDataset | undefined;
	/** Whether `map-src` changed while a data set was being opened. */
	#mapDue = false;
	#stopEvents: (() => void) | undefined;
	/** State of the panels. */
	readonly layout = new Panels(this);
	readonly #landmarks = new Landmarks(this);
	readonly #late: LateParts;
	#member: GroupMember | undefined;
	/** Resolves when the viewer has joined its group. */
	#joined = Promise.resolve();
	#selected: ViewerState["selection"] | MapObject;
	readonly #idleClose: IdleClose;

	constructor() {
		super();
		this.src = null;
		this.mapSrc = null;
		this.panels = null;
		this.label = null;
		this.group = null;
		this.painter = null;
		this.link = null;
		this.example = null;
		this.examples = [];
		this.pageKeys = false;
		this.choosing = false;
		this.copied = false;
		this.controller = new ViewerController({ opener: openPlace });
		this.#idleClose = new IdleClose(this.controller);
		this.#late = new LateParts(this);
		watchDrops(this, {
			over: (types) => {
				if (types?.join() !== this.over?.join()) this.over = types;
				if (types) void this.#late.load();
			},
			dropped: (parts) => void this.#takeDrop(parts),
		});
	}

	/**
	 * See `ViewerController.settled`; also waits for the panels, which are loaded after the
	 * picture.
	 */
	get settled(): Promise<void> {
		// Attributes set just now take effect in the next update.
		return this.updateComplete
			.then(() => this.#joined)
			.then(() => this.controller?.reviews.settled())
			.then(() => this.controller?.rollout.settled())
			.then(() => this.controller?.rollout.value?.settled())
			.then(() => this.controller?.settled)
			.then(() => this.#late.settled());
	}

	/** Displays a data set opened by the page. */
	show(name: string, opened: Opened, start: LinkState = {}): Promise<void> | undefined {
		return this.controller?.open({ kind: "given", name, opened }, start);
	}

	override connectedCallback(): void {
		super.connectedCallback();
		keyFocus.add(this);
		this.#idleClose.back();
		if (this.controller) this.#stopEvents = dispatchChanges(this.controller, this);
		this.#joined = this.#joinGroup();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		keyFocus.remove(this);
		this.#stopEvents?.();
		this.#member?.leave();
		this.#member = undefined;
		this.controller?.pause();
		this.#idleClose.left();
	}

	get modal(): boolean {
		const parts = [...this.renderRoot.querySelectorAll("*")];
		return parts.some(({ shadowRoot }) => shadowRoot?.querySelector(":modal"));
	}

	/** Acts on a key of the viewer. */
	handleKey(event: KeyboardEvent): void {
		this.#late.onKey(event);
	}

	/** Applies to the numbers on tabs. */
	protected override get pace(): number {
		return 100;
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { phase, place, bytes, requests, absentChunks, notices, announcement } =
			state;
		return [
			phase,
			place,
			bytes,
			requests,
			absentChunks,
			notices,
			announcement,
			state.serverWait,
			state.presumedAbsent,
			state.selection,
			state.mapChoice,
			state.review.phase,
			state.review.models.length,
			state.rollout,
			state.review.split && state.review.models,
			state.theme,
			state.dataset,
			state.opening,
			keptNow(state),
			state.pictured,
			state.frameProblem,
			state.review.report,
			state.plotsLinked,
			state.notes,
			state.gallery,
		];
	}

	async #takeDrop(parts: DropParts): Promise<void> {
		const { controller } = this;
		try {
			const { takeDrop } = await import("../open/take-drop.js");
			if (!controller) return;
			takeDrop(controller, parts, () => {
				this.pending = undefined;
				this.choosing = this.state.phase === "ready";
			});
		} catch (error) {
			controller?.notify(`Drop: loading failed: ${String(error)}`);
		}
	}

	protected override stateChanged(): void {
		const { phase, selection, mapChoice, dataset } = this.state;
		if (dataset && dataset !== this.#dataset) this.choosing = false;
		this.#dataset = dataset;
		if (phase === "ready" && this.state.pictured) this.needNotes();
		this.layout.reviewed(this.state.review.models.length > 0 || !!this.state.rollout);
		this.layout.linked(this.state.plotsLinked);
		const selected = selection ?? mapChoice?.object;
		if (selected !== this.#selected) {
			this.#selected = selected;
			this.layout.selected(selected);
			this.#late.chrome?.selected(selection);
		}
		super.stateChanged();
	}

	override regainFocus(from: Element, visible: boolean): void {
		void this.#late.chrome?.actions.regainFocus(from, visible);
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		if (this.src && changed.has("src")) this.#openSource(this.src);
		else if (changed.get("src")) this.close();
		super.willUpdate(changed);
		if (this.theme === "dark" || this.theme === "light") {
			if (changed.has("theme")) this.controller?.setTheme(this.theme);
		} else if (changed.get("theme")) this.controller?.setTheme("auto");
		this.#changeMap(changed);
		if (changed.has("panels")) this.#namePanels();
		if (changed.has("group")) this.#joined = this.#joinGroup();
		if (changed.has("link") && this.link) this.restore(this.link);
		this.#changePredictions(changed);
	}

	protected override render(): TemplateResult {
		const { state, controller, layout } = this;
		const aside = this.choosing || this.pending || state.opening?.problem;
		const shown = state.phase === "ready" && !aside;
		const around = this.#late.chrome?.render(shown);
		const alone = this.controls === "none" ? "alone" : "";
		const bare = shown && !alone ? "" : "bare";
		const loading = around ? "" : `loading ${layout.has("timeline") ? "timed" : ""}`;
		const split = around?.split ?? [];
		return html`<div class="frame ${bare} ${alone} ${loading} ${layout.classes}" tabindex="-1">
				${around?.before}
				<div class="picture n${split.length}" role="region" aria-label=${this.regionName("Picture")}>
					<bev-scene-view exportparts="canvas, controls" .controller=${controller} .painter=${this.painter} .gestures=${this.gestures} ?bare=${this.controls === "none"} ?hidden=${!shown}
						?tools=${layout.sheet === "menu"} .model=${split[0]?.id}></bev-scene-view>
					${around?.pictures}
					<div class="overlay" ?hidden=${!shown}><slot name="overlay"></slot></div>
					${shown ? nothing : this.#open()}
					${around?.notices ?? this.#late.render()}
				</div>
				${around?.after}
			</div>
			${around?.dialogs}
			<div class="sr" role="status" aria-live="polite">${state.announcement}</div>`;
	}

	/** Returns the accessible name of a region. */
	regionName(of: string): string {
		return this.#landmarks.name(of);
	}

	protected override updated(changed: PropertyValues<this>): void {
		super.updated(changed);
		this.#late.updated();
	}

	#open(): TemplateResult {
		return html`<bev-open .controller=${this.controller} .pending=${this.pending} ?over=${this.over !== undefined}
				example=${this.example ?? nothing} .examples=${this.examples}
				@open-place=${() => {
					this.pending = undefined;
					this.choosing = this.state.phase === "ready";
				}} @open-dismiss=${this.backToPicture}></bev-open>`;
	}

	/** Leaves the start page, and dismisses opening. */
	backToPicture(): void {
		this.choosing = false;
		this.pending = undefined;
		this.controller?.dismissOpening();
	}

	/** Adds a model's predictions, or replaces those of the same name. */
	addPredictions(name: string, from: PredictionsFrom): void {
		void this.controller?.reviews.give(from, name);
	}

	/** Removes a model's predictions; returns false if there is no model of that name. */
	removePredictions(name: string): boolean {
		return this.controller?.reviews.removeNamed(name) ?? false;
	}

	/**
	 * Opens simulated scenes: a file of `bevscope.save_rollout`, its text, or arrays;
	 * undefined closes them.
	 */
	setRollout(from: RolloutFrom | undefined, name = "Rollout"): void {
		void this.controller?.rollout.use((it) =>
			from === undefined ? it.clear() : it.give(from, name),
		);
	}

	#changePredictions(changed: PropertyValues<this>): void {
		const { controller, predictions, predictionsSrc } = this;
		if (!controller) return;
		const { reviews } = controller;
		const sets = [changed.get("predictions"), predictions] as const;
		if (changed.has("predictions") && sets.some((set) => set !== undefined))
			reviews.changeSets(sets);
		const before = changed.get("predictionsSrc") ?? "";
		if (changed.has("predictionsSrc") && (before || predictionsSrc))
			reviews.changeAddresses([before, predictionsSrc ?? ""]);
	}

	#openSource(address: string): void {
		const place = { kind: "address", address, map: this.mapSrc ?? undefined } as const;
		void this.open(place, this.whereToBegin());
	}

	/**
	 * Applies `map-src` once the data set is open; without it, shows the map beside the
	 * data.
	 */
	#changeMap(changed: PropertyValues<this>): void {
		const isNew = changed.has("mapSrc") && (this.mapSrc || changed.get("mapSrc"));
		if (isNew) this.#mapDue = true;
		// A data set that is being opened already includes the map.
		if (this.state.phase === "empty" || (changed.has("src") && this.src))
			this.#mapDue = false;
		if (!this.#mapDue || this.state.phase !== "ready" || this.state.opening) return;
		this.#mapDue = false;
		this.controller?.useMap(this.mapSrc ?? undefined);
	}

	/** Leaves the former group, and joins that of the attribute. */
	async #joinGroup(): Promise<void> {
		const { controller, group } = this;
		this.#member?.leave();
		this.#member = undefined;
		if (!controller || !group) return;
		try {
			const { GroupMember } = await import("./group.js");
			if (group !== this.group || !this.isConnected || this.#member) return;
			this.#member = new GroupMember(controller, group);
		} catch (error) {
			controller.notify(`group: loading failed: ${String(error)}`);
		}
	}

	#namePanels(): void {
		const { shown, bad } = parsePanels(this.panels ?? null);
		this.layout.named = shown;
		this.controller?.notify(...bad);
	}

	/**
	 * Returns the state as a link's fragment, for `restore` and the attribute `state`.
	 */
	save(): string {
		return formatLink(this.controller?.linkState() ?? {});
	}

	/**
	 * Applies a link's fragment; opens its data set if it is not open. Reports invalid
	 * values.
	 */
	restore(fragment: string): void {
		const { controller } = this;
		if (!controller) return;
		const { state, bad } = parseLink(fragment);
		const { src } = state;
		if (src !== undefined) {
			const url = resolved(src, document.baseURI);
			const isOpen = isOpenAt(controller.state, url, document.baseURI);
			if (isOpen) controller.goTo({ ...LINK_DEFAULTS, ...state });
			else void controller.open({ kind: "address", address: src }, state);
		} else if (!controller.amendStart(state)) {
			if (this.state.phase === "ready") controller.goTo(state);
			else controller.adjust(state);
		}
		controller.notify(...bad);
	}
}
