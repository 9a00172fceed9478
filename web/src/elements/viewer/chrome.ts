import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { withEditor } from "../edits/load-edits.js";
import { dropPreview } from "../open/drop-preview.js";
import { rememberAddress } from "../open/recent.js";
import type { Selection } from "../scene-view/picking.js";
import type { PicturePart } from "../scene-view/picture-part.js";
import { LazySensors } from "../sensors/lazy-sensors.js";
import { stripPlace } from "../sensors/strip-styles.js";
import type { ViewerState } from "../session/state.js";
import type { Timeline } from "../timeline/timeline.js";
import { controlStyles } from "../ui/base-styles.js";
import { defineLazy } from "../ui/define-lazy.js";
import { icon } from "../ui/icons.js";
import { chromeStyles } from "./chrome-styles.js";
import { watchDrops } from "./drops.js";
import { Health, healthStyles } from "./health.js";
import { skipLinks } from "./landmarks.js";
import { LayoutMenu, layoutMenuStyles } from "./layout-menu.js";
import type { Tab } from "./layout-state.js";
import { NoteTips, noteTipStyles } from "./note-tips.js";
import { noticeList } from "./notices.js";
import { panelButtons, peek } from "./panel-buttons.js";
import { ScenePictures, scenePictureStyles } from "./scene-pictures.js";
import { leftSide, rightSide, type Side } from "./sides.js";
import { furtherPictures, SplitPictures } from "./split-pictures.js";
import { Steps } from "./steps.js";
import { Toasts } from "./toasts.js";
import { type TopBar, topBar, topBarStyles } from "./top-bar.js";
import { isFullScreen, ViewerActions } from "./viewer-actions.js";
import type { ViewerHost } from "./viewer-host.js";

/** Loads the element of a tab of the right panel. */
async function defineTab(tab: Tab): Promise<void> {
	if (tab === "raster")
		await defineLazy(
			"bev-raster",
			async () => (await import("../raster/raster.js")).Raster,
		);
	if (tab === "distributions")
		await (
			await import("../distributions/define-distributions.js")
		).defineDistributions();
	if (tab === "plots")
		await defineLazy(
			"bev-series",
			async () => (await import("../plots/series-panel.js")).SeriesPanel,
		);
	if (tab === "notes")
		await defineLazy(
			"bev-notes",
			async () => (await import("../notes/notes-panel.js")).NotesPanel,
		);
	if (tab === "edits")
		await defineLazy(
			"bev-edits",
			async () => (await import("../edits/edits-panel.js")).EditsPanel,
		);
	if (tab !== "predictions") return;
	await defineLazy(
		"bev-scatter",
		async () => (await import("../review/scatter.js")).Scatter,
	);
	await defineLazy(
		"bev-review",
		async () => (await import("../review/review.js")).Review,
	);
}

/** What the viewer's template contains in addition to the picture. */
export interface Surroundings {
	readonly before: unknown;
	readonly after: unknown;
	/** Further pictures beside the first one. */
	readonly pictures: unknown;
	/** Number of pictures; 0 for one. */
	readonly count: number;
	/** Models or submissions with a picture of their own. */
	readonly split: readonly PicturePart[];
	/** The button that leaves the start page, and notices. */
	readonly notices: unknown;
	readonly dialogs: unknown;
}

/**
 * Everything around the picture: bars, panels, dialogs, dropped files, and the actions of
 * buttons and keys. Loaded after the first picture.
 */
export class Chrome {
	readonly #host: ViewerHost;
	readonly #acts: ViewerActions;
	readonly #split: SplitPictures;
	readonly #menu: LayoutMenu;
	readonly #health: Health;
	readonly #toasts: Toasts;
	readonly #tips: NoteTips;
	/** Pictures of further scenes. */
	readonly scenes: ScenePictures;
	/** Images and points of the frame. */
	readonly sensors: LazySensors;
	#gallery: ViewerState["gallery"];
	#dataset: ViewerState["dataset"];
	/** Tabs whose content is loaded. */
	readonly #needed = new Set<Tab>();
	/** The tab in view. */
	#tab: Tab | undefined;

	constructor(host: ViewerHost) {
		this.#host = host;
		this.#acts = new ViewerActions(host, new Steps(host));
		this.#split = new SplitPictures(host);
		this.#menu = new LayoutMenu(host);
		this.#health = new Health(host);
		this.#toasts = new Toasts(host);
		this.#tips = new NoteTips(host);
		this.scenes = new ScenePictures(host);
		this.sensors = new LazySensors(host);
		this.sensors.update();
		watchDrops(host);
		this.selected(host.state.selection);
	}

	/** Style sheets of the parts, to be applied after the viewer's. */
	static readonly styles = [
		controlStyles,
		chromeStyles,
		topBarStyles,
		layoutMenuStyles,
		healthStyles,
		scenePictureStyles,
		noteTipStyles,
		stripPlace,
	];

	/** The actions of buttons and keys. */
	get actions(): ViewerActions {
		return this.#acts;
	}

	/** Stores the selection, whose row regains the focus. */
	selected(selection: Selection | undefined): void {
		if (selection !== undefined) this.#acts.noteSelection(selection);
	}

	/**
	 * Renders the surroundings of the picture.
	 *
	 * @param shown whether the picture is displayed, not the start page
	 */
	render(shown: boolean): Surroundings {
		const host = this.#host;
		const { state, controller, layout } = host;
		const ready = shown && host.controls !== "none";
		const skip = ready ? skipLinks(this.#acts.skipTo) : nothing;
		const split = shown ? this.#split.parts(state) : [];
		const fit =
			shown && split.length === 0 ? this.#split.fit(1 + state.besides.length) : 0;
		const besides = this.scenes.update(fit);
		const bar = host.controls !== "none" && layout.has("bar");
		const side = (label: string): Side => ({
			...{ controller, panels: layout, close: this.#acts.closeSheet },
			steps: this.#acts.steps,
			label: host.regionName(label),
		});
		return {
			before: html`${bar ? topBar(this.#top(ready, skip)) : skip}
				${ready && layout.hasSide("layers") ? leftSide(side("Layers and lights")) : nothing}`,
			pictures:
				besides > 0 ? this.scenes.render() : furtherPictures(split, controller, host),
			count: besides > 0 ? 1 + besides : split.length,
			split,
			after: html`${bar ? this.#menuButton() : nothing}
				${ready && layout.has("cameras") ? this.sensors.render() : nothing}
				${ready && layout.has("selected") ? peek(controller, this.#acts.openSelected) : nothing}
				${ready && layout.hasSide("details") ? rightSide(side("Agents")) : nothing}
				${ready && layout.has("timeline") ? this.#timeline() : nothing}`,
			notices: html`${shown ? this.#tips.render() : nothing}${!shown && state.phase === "ready" ? this.#back() : nothing}
				${noticeList(controller, { picture: shown, badge: bar && ready, hold: this.#toasts.hold })}`,
			dialogs: html`<bev-commands .controller=${controller}></bev-commands>
				<bev-help .controller=${controller}></bev-help>
				<bev-share .controller=${controller}></bev-share>
				<bev-export .controller=${controller}></bev-export>
				<bev-find .controller=${controller}></bev-find>
				<bev-gallery .controller=${controller} .linkBase=${host.linkBase}></bev-gallery>
				${host.over ? html`<div class="over"><p role="status">${dropPreview(host.over, state.phase === "ready")}</p></div>` : nothing}`,
		};
	}

	/** Resolves when images of the frame, further pictures and edits are shown. */
	async settled(): Promise<void> {
		await this.#edit();
		await this.sensors.settled();
		await this.scenes.settled();
	}

	/** Applies edits of a link; resolves when they are, or have failed. */
	async #edit(): Promise<void> {
		const { state, controller } = this.#host;
		if (!controller || (state.edits === "" && !state.editing)) return;
		await withEditor(controller, async (editor) => {
			await editor.settled();
			await controller.settled;
		});
	}

	/** Opens the gallery when it has a new list, and loads the content of the active tab. */
	updated(): void {
		void this.#remember();
		this.sensors.update();
		const { gallery } = this.#host.state;
		if (gallery && gallery !== this.#gallery) this.#acts.gallery();
		void this.#openLinked();
		if (!this.#host.state.editing) void this.#edit();
		this.#gallery = gallery;
		const { layout, controller } = this.#host;
		const { side, tab, lower, share } = layout;
		this.#showTab(tab);
		const frame = this.#host.renderRoot.querySelector<HTMLElement>(".frame");
		frame?.style.setProperty("--_side", `${side}px`);
		frame?.style.setProperty("--_lower", `${share}%`);
		this.#need(tab, controller);
		if (lower) this.#need(lower, controller);
	}

	#need(tab: Tab, controller: ViewerHost["controller"]): void {
		if (this.#needed.has(tab)) return;
		this.#needed.add(tab);
		defineTab(tab).catch((error: unknown) => {
			this.#needed.delete(tab);
			controller?.notify(`Viewer: loading a panel failed: ${String(error)}`);
		});
	}

	/** Opens the gallery of the link once a scene is displayed. */
	async #openLinked(): Promise<void> {
		const { state, controller } = this.#host;
		const { galleryLink, sceneInfo } = state;
		if (galleryLink === undefined || !sceneInfo || !controller) return;
		controller.store.patch({ galleryLink: undefined });
		try {
			const { openLinked } = await import("../gallery/open-linked.js");
			await openLinked(controller.store, galleryLink);
		} catch (error) {
			controller.notify(`Gallery: loading failed: ${String(error)}`);
		}
	}

	/** Scrolls the row of tabs to a tab that was just activated. */
	#showTab(tab: Tab): void {
		if (tab === this.#tab) return;
		const list = this.#host.renderRoot.querySelector<HTMLElement>("[role=tablist]");
		const active = list?.querySelector<HTMLElement>(`#tab-${tab}`);
		if (!list || !active) return;
		this.#tab = tab;
		const { offsetLeft, offsetWidth } = active;
		list.scrollLeft = offsetLeft - (list.clientWidth - offsetWidth) / 2;
	}

	/** Stores where the data set is, so that the start page can offer to reopen it. */
	async #remember(): Promise<void> {
		const { controller, state } = this.#host;
		const { dataset, phase, place } = state;
		if (!controller || phase !== "ready" || dataset === this.#dataset) return;
		this.#dataset = dataset;
		if (place?.kind === "address") rememberAddress(place.address);
		if (place?.kind !== "files" || !place.handles) return;
		try {
			const { storeFolder } = await import("../open/stored-folder.js");
			await storeFolder(controller, place);
		} catch {
			// Optional, so load failures are ignored.
		}
	}

	#timeline(): TemplateResult {
		const { controller, layout } = this.#host;
		return html`<bev-timeline class="time" role="region" aria-label=${this.#host.regionName("Timeline")} ?folded=${layout.covered} .collapsed=${live(layout.isClosed("plots"))} @toggle=${({ target }: Event) => layout.close((target as Timeline).collapsed, "plots")} part="timeline" exportparts="playhead, cursor, buffered, controls, plots" .controller=${controller}></bev-timeline>`;
	}

	#back(): TemplateResult {
		return html`<button class="icon-only back" aria-label="Back to the picture"
			@click=${() => this.#host.backToPicture()}>${icon("close")}</button>`;
	}

	#top(ready: boolean, skip: TopBar["skip"]): TopBar {
		const host = this.#host;
		const { state, layout, controller } = host;
		return {
			state,
			ready,
			actions: this.#acts,
			link: { possible: host.linkBase !== undefined, copied: host.copied },
			fullScreen: isFullScreen(host),
			scenes: ready
				? html`<bev-scenes .controller=${controller}></bev-scenes>`
				: nothing,
			panels: ready ? panelButtons(layout, this.#menu.render()) : nothing,
			skip,
			health: ready ? this.#health.render() : nothing,
			label: host.regionName("Top bar"),
			brand: layout.has("brand"),
		};
	}

	/**
	 * Renders the button that opens the top bar in boxes too small to show it
	 * permanently.
	 */
	#menuButton(): TemplateResult {
		const { layout } = this.#host;
		const open = layout.sheet === "menu" || layout.sheet === "more";
		return html`<button class="icon-only menu-button" id="menu" aria-label="Menu" aria-expanded=${open}
			@click=${() => {
				layout.sheet = open ? undefined : "menu";
			}}>${icon(open ? "close" : "more")}</button>`;
	}
}
