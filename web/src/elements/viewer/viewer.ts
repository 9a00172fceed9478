import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type KeyTarget, keyFocus } from "../keys/key-focus.js";
import { type LinkState, parseLink } from "../link/link.js";
import type { Example, Pending } from "../open/open.js";
import { openPlace } from "../open/open-place.js";
import type { PredictionSets } from "../review/prediction-sets.js";
import { ViewerController } from "../session/controller.js";
import type { Place, ViewerDataset } from "../session/dataset.js";
import { keptNow } from "../session/showing.js";
import type { ViewerState } from "../session/state.js";
import { BevElement } from "../ui/bev-element.js";
import { rootStyles } from "../ui/root-styles.js";
import { GroupMembership } from "./group-membership.js";
import { IdleClose } from "./idle-close.js";
import { Landmarks } from "./landmarks.js";
import { LazyParts } from "./lazy-parts.js";
import { Panels } from "./panels.js";
import { Position } from "./position.js";
import { StartPage } from "./start-page.js";
import { ViewerApi } from "./viewer-api.js";
import {
	ATTRIBUTE_DEFAULTS,
	ATTRIBUTE_PROPERTIES,
	AttributeChanges,
	displaySettings,
} from "./viewer-attributes.js";
import { dispatchChanges } from "./viewer-events.js";
import { viewerStyles } from "./viewer-styles.js";

/** The complete viewer: all elements with one controller. */
export class Viewer extends ViewerApi implements KeyTarget {
	static override styles = [rootStyles, viewerStyles];
	static override properties = {
		...BevElement.properties,
		...ATTRIBUTE_PROPERTIES,
		examples: { attribute: false },
		linkBase: { attribute: false },
		pageKeys: { attribute: false },
		predictions: { attribute: false },
		pending: { attribute: false },
		choosing: { state: true },
		over: { state: true },
		copied: { state: true },
	};

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
	/** A data set to confirm before it is opened. */
	declare pending: Pending | undefined;
	/** Whether a data set is being chosen. */
	declare choosing: boolean;
	/** Types of the files dragged over the viewer. */
	declare over: readonly string[] | undefined;
	/** Whether the link was just copied. */
	declare copied: boolean;
	/** State of the panels. */
	readonly layout = new Panels(this);
	readonly #landmarks = new Landmarks(this);
	readonly #membership = new GroupMembership(this);
	readonly #position = new Position(this);
	readonly #attributes = new AttributeChanges({
		viewer: this,
		membership: this.#membership,
		picture: this.picture,
		position: this.#position,
	});
	readonly #start: StartPage;
	readonly #lazy: LazyParts;
	readonly #idleClose: IdleClose;
	#dataset: ViewerDataset | undefined;
	#stopEvents: (() => void) | undefined;

	constructor() {
		super();
		Object.assign(this, ATTRIBUTE_DEFAULTS);
		this.examples = [];
		this.pageKeys = false;
		this.choosing = false;
		this.copied = false;
		this.controller = new ViewerController({ opener: openPlace });
		this.#idleClose = new IdleClose(this.controller);
		this.#lazy = new LazyParts(this);
		this.#start = new StartPage(this);
	}

	/**
	 * See `ViewerController.settled`; also waits for the panels, which are loaded after the
	 * picture.
	 */
	get settled(): Promise<void> {
		// Attributes set just now take effect in the next update.
		return this.updateComplete
			.then(() => this.#membership.joined)
			.then(() => this.controller?.reviews.settled())
			.then(() => this.controller?.rollout.settled())
			.then(() => this.controller?.rollout.value?.settled())
			.then(() => this.controller?.settled)
			.then(() => this.#lazy.settled());
	}

	/**
	 * The open scene; without a data set, the initial scene. Setting it opens the scene
	 * at `frame`.
	 */
	get scene(): number | null {
		return this.#position.get("scene");
	}

	/** Displays another scene, from the frame that is set with it. */
	set scene(scene: number | string | null | undefined) {
		this.#position.set("scene", scene);
	}

	/**
	 * The displayed frame, null if none; without a data set, the initial frame. Setting
	 * it seeks.
	 */
	get frame(): number | null {
		return this.#position.get("frame");
	}

	/** Displays another frame. */
	set frame(frame: number | string | null | undefined) {
		this.#position.set("frame", frame);
	}

	/**
	 * Opens a scene at a frame; resolves when it is displayed. Rejects with `out_of_range`
	 * if the scene, or the frame of the open scene, does not exist, and like `settled` if it
	 * cannot be read. In another scene, a frame above the last one means the last.
	 */
	async goTo(scene: number, frame = 0): Promise<void> {
		await this.updateComplete;
		await this.#position.goTo(scene, frame);
	}

	/**
	 * Opens an address, files or an open data set; resolves when it is ready or has
	 * failed. `start` is the state, or the fragment of a link.
	 */
	async open(from: string | Place, start: LinkState | string = {}): Promise<void> {
		const state = typeof start === "string" ? parseLink(start).state : start;
		const place: Place =
			typeof from === "string" ? { kind: "address", address: from } : from;
		await this.controller?.open(place, { ...displaySettings(this), ...state });
		if (this.autoplay) this.#playWhenDrawn();
	}

	override connectedCallback(): void {
		super.connectedCallback();
		keyFocus.add(this);
		this.#idleClose.back();
		if (this.controller) this.#stopEvents = dispatchChanges(this.controller, this);
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		keyFocus.remove(this);
		this.#stopEvents?.();
		this.controller?.pause();
		this.#idleClose.left();
	}

	get modal(): boolean {
		const parts = [...this.renderRoot.querySelectorAll("*")];
		return parts.some(({ shadowRoot }) => shadowRoot?.querySelector(":modal"));
	}

	/** Acts on a key of the viewer. */
	handleKey(event: KeyboardEvent): void {
		this.#lazy.onKey(event);
	}

	/** Applies to the numbers on tabs. */
	protected override get pace(): number {
		return 100;
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { phase, place, bytes, requests, absentChunks, dataset, opening } = state;
		const { notices, announcement, serverWait, presumedAbsent, theme } = state;
		const { selection, mapChoice, review, rollout, plotsLinked, notes, gallery } =
			state;
		const { pictured, frameProblem, arrangement, besides, unreadable } = state;
		const { models, report } = review;
		const opened = [phase, place, bytes, requests, absentChunks, dataset, opening];
		const told = [notices, announcement, serverWait, presumedAbsent, theme];
		const shown = [selection, mapChoice, rollout, plotsLinked, notes, gallery];
		const placed = [
			arrangement,
			besides,
			unreadable,
			state.distributions,
			state.futures?.parts,
			!state.live,
			state.edits,
		];
		const reviewed = [review.phase, models.length, review.split && models, report];
		const picture = [keptNow(state), pictured, frameProblem, state.galleryLink];
		return [...opened, ...told, ...shown, ...placed, ...reviewed, ...picture];
	}

	protected override stateChanged(): void {
		const { phase, selection, dataset } = this.state;
		if (dataset && dataset !== this.#dataset) this.choosing = false;
		this.#dataset = dataset;
		if (phase === "ready" && this.state.pictured) this.needNotes();
		this.layout.follow(this.state);
		this.#lazy.chrome?.selected(selection);
		super.stateChanged();
	}

	override regainFocus(from: Element, visible: boolean): void {
		void this.#lazy.chrome?.actions.regainFocus(from, visible);
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		this.#attributes.update(changed);
	}

	protected override render(): TemplateResult {
		const { state, controller, layout } = this;
		const aside = this.choosing || this.pending || state.opening?.problem;
		const shown = state.phase === "ready" && !aside;
		const around = this.#lazy.chrome?.render(shown);
		const alone = this.controls === "none" ? "alone" : "";
		const bare = shown && !alone ? "" : "bare";
		const loading = around ? "" : `loading ${layout.has("timeline") ? "timed" : ""}`;
		const split = around?.split ?? [];
		return html`<div class="frame ${bare} ${alone} ${loading} ${layout.classes}" tabindex="-1">
				${around?.before}
				<div class="picture n${around?.count ?? 0}" role="region" aria-label=${this.regionName("Picture")}>
					<bev-scene-view exportparts="canvas, controls" .controller=${controller} .painter=${this.painter} .gestures=${this.gestures} ?bare=${this.controls === "none"} ?hidden=${!shown}
						?tools=${layout.sheet === "menu"} .subset=${split[0]}></bev-scene-view>
					${around?.pictures}
					<div class="overlay" ?hidden=${!shown}><slot name="overlay"></slot></div>
					${shown ? nothing : this.#start.render()}
					${around?.notices ?? this.#lazy.render()}
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
		this.#lazy.updated();
	}

	/** Leaves the start page, and dismisses opening. */
	backToPicture(): void {
		this.#start.leave();
	}

	#playWhenDrawn(): void {
		if (globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches) return;
		this.controller?.displayed.then(
			() => this.play(),
			() => {}, // a frame that cannot be drawn is not played
		);
	}
}
