import type { AbortOptions } from "../../api.js";
import { Latest } from "../../base/latest.js";
import type { FrameView } from "../../dataset/frame-view.js";
import type { AerialView } from "../aerial/aerial.js";
import type { LinkState } from "../link/link.js";
import { LazyMapPicker } from "../map/lazy-map-picker.js";
import type { FoundMap } from "../map/open-map.js";
import type { NotesStore } from "../notes/notes-store.js";
import { invalidAddress, resolved } from "../open/places.js";
import { shownAddress } from "../open/secrets.js";
import { LazyRasters } from "../raster/lazy-rasters.js";
import { Reviews } from "../review/reviews.js";
import { lazyRollout } from "../rollout/rollouts.js";
import { followsSelection } from "../scene-view/camera.js";
import type { Selection } from "../scene-view/picking.js";
import { isSame } from "../timeline/clock.js";
import type { Ticker } from "../timeline/player.js";
import { lookOf } from "./controls.js";
import type { Opened, Opener, OpenProgress, Place } from "./dataset.js";
import { withFault } from "./outcomes.js";
import { type Problem, problemOf } from "./problem.js";
import { type Painted, ReadyState } from "./ready-state.js";
import { Session } from "./session.js";
import { type Network, PAGE_NETWORK, whenOnline } from "./source-state.js";
import { cleared, type ViewerState } from "./state.js";
import { Steering } from "./steering.js";

/** Options of a controller. */
export interface ControllerOptions {
	/** Opens the data sets. */
	readonly opener: Opener;
	/** Default: the page's animation frames. */
	readonly ticker?: Ticker | undefined;
	/** Reports when failed reads are worth retrying. Default: the page's `window`. */
	readonly network?: Network | undefined;
}

/** Returns whether `state` needs frames read with other options than `before`. */
function readOtherwise(state: ViewerState, before: ViewerState): boolean {
	const ahead = ({ layers, future }: ViewerState) =>
		layers.has("future") ? future : 0;
	return (
		state.threshold !== before.threshold ||
		state.past !== before.past ||
		ahead(state) !== ahead(before)
	);
}

/**
 * All commands of the viewer on one store. Several elements can share a controller;
 * they do not know each other.
 */
export class ViewerController extends Steering {
	readonly #opener: Opener;
	readonly #readyState = new ReadyState(this.store);
	/** The rasters of the sampler. */
	readonly rasters = new LazyRasters(this.store);
	/** The predictions. */
	readonly reviews = new Reviews(this.store);
	/** The simulated scenes. */
	readonly rollout = lazyRollout(this.store, (notice) => this.notify(notice));
	/** The selected map element. */
	readonly mapPicker = new LazyMapPicker(this.store, (notice) => this.notify(notice));
	#notes: Promise<NotesStore> | undefined;
	readonly #opening = new Latest();
	/**
	 * Playback stops at an unreadable frame; the state contains the reason. It goes on if
	 * another viewer plays.
	 */
	readonly #hooks = {
		onUnreadable: () => {
			if (this.playhead !== undefined) this.pause();
		},
	};
	readonly #network: Network | undefined;
	#stopOnline = (): void => {};
	#opened: Opened | undefined;
	#start: LinkState = {};

	constructor(options: ControllerOptions) {
		super(options.ticker);
		this.#opener = options.opener;
		this.#network = options.network ?? PAGE_NETWORK;
	}

	/** Keeps the notes; loaded on first use. */
	get notes(): Promise<NotesStore> {
		this.#notes ??= import("../notes/notes-store.js").then(
			({ NotesStore }) =>
				new NotesStore(this.store, { beside: () => this.#opened?.beside?.() }),
			(error: unknown) => {
				this.#notes = undefined; // loaded again on the next use
				throw error;
			},
		);
		return this.#notes;
	}

	/** The data set and the readers of what is beside it, while it is open. */
	get opened(): Opened | undefined {
		return this.session && this.#opened;
	}

	/** The loaded frames of the scene, by index. */
	get heldFrames(): ReadonlyMap<number, FrameView> {
		return this.session?.loader?.all ?? new Map();
	}

	/** Puts the data set with other edits in place of the open one, but not in the state. */
	serve(opened: Opened): void {
		this.#opened = opened;
		this.session?.serve(opened);
	}

	/**
	 * Opens a place; resolves when it is ready or has failed. `start` is the initial link
	 * state. An open data set stays on display until the new one is loaded, and if
	 * loading fails.
	 */
	async open(place: Place, start: LinkState = {}): Promise<void> {
		const progress = { what: "Starting", bytes: 0, requests: 0 };
		if (this.session) {
			this.store.patch({ opening: { place, start, progress, problem: undefined } });
		} else {
			this.close();
			this.#start = start;
			this.store.patch({ phase: "opening", place, progress });
			this.adjust(start);
		}
		const onProgress = (signal: AbortSignal) => (told: OpenProgress) => {
			if (!signal.aborted) this.#openingTold({ progress: told });
		};
		await this.#opening.run(
			(signal) => this.#opener(place, { signal, onProgress: onProgress(signal) }),
			{
				done: (opened) => {
					this.#show(opened, place, this.state.opening?.start ?? this.#start);
					if (opened.notice) this.notify(opened.notice);
				},
				failed: (error) => {
					const problem = problemOf(error, "open");
					this.#openingTold({ progress: undefined, problem });
				},
				discard: ({ dataset }) => dataset.close(),
			},
		);
	}

	/** Reopens the same place at the current scene and frame. */
	async retry(): Promise<void> {
		const { place, phase, scene, frame } = this.state;
		if (!place) return;
		const where = phase === "ready" ? { scene, frame } : {};
		await this.open(place, { ...this.#start, ...where });
	}

	/** Retries opening the next data set after a failure. */
	async retryOpening(): Promise<void> {
		const { opening } = this.state;
		if (opening) await this.open(opening.place, opening.start);
	}

	/**
	 * Cancels opening the next data set, or dismisses its failure; the current one stays
	 * open.
	 */
	dismissOpening(): void {
		if (!this.state.opening) return;
		this.#opening.cancel();
		this.store.patch({ opening: undefined });
	}

	/** Closes the data set, and cancels opening. */
	close(): void {
		this.#opening.cancel();
		this.#leave();
		this.store.patch(cleared(this.state));
		this.rasters.serve(undefined);
	}

	/**
	 * Merges `link` into the start state of the data set being opened; returns false if
	 * none is.
	 */
	amendStart(link: LinkState): boolean {
		const { opening, phase } = this.state;
		if (opening && !opening.problem) {
			const start = { ...opening.start, ...link };
			this.store.patch({ opening: { ...opening, start } });
			return true;
		}
		if (phase !== "opening") return false;
		this.#start = { ...this.#start, ...link };
		this.adjust(link);
		return true;
	}

	/** Applies a link to the open data set; fields absent in the link stay unchanged. */
	goTo(link: LinkState): void {
		this.adjust(link);
		const { frame, section } = link;
		const scene = this.#existing(link.scene ?? this.state.scene);
		if (scene !== this.state.scene) this.setScene(scene, frame ?? 0);
		else if (frame !== undefined && frame !== this.state.frame) this.seek(frame);
		// Opening another scene has cleared what follows, and moved the camera.
		if ("selection" in link && link.selection !== this.state.selection)
			this.select(link.selection);
		if ("focused" in link) void this.#focus(link.focused);
		this.store.patch({ ...lookOf(link), ...("note" in link && { note: link.note }) });
		this.#followNothing();
		if ("section" in link && !isSame(section, this.state.section)) {
			if (this.state.sceneInfo) this.setSection(section);
			else this.#mark(section);
		}
		if ("loop" in link) this.store.patch({ loop: link.loop ?? section !== undefined });
		if (link.plotted) this.setPlotted(link.plotted);
		if ("plotSpan" in link) this.setPlotSpan(link.plotSpan);
	}

	/** Makes the picture be about the selection, or about nothing. */
	async #focus(focused: boolean | undefined): Promise<void> {
		const { selection: of, scene } = this.state;
		if (!focused || of === undefined) {
			this.store.patch({ focus: undefined });
			return;
		}
		try {
			const { focusOn } = await import("../scene-view/focus.js");
			const isSame = this.state.selection === of && this.state.scene === scene;
			if (isSame) focusOn(this.store, { scene, of });
		} catch {
			// Optional: the selection is shown without it.
		}
	}

	/** Without a selection, the camera follows the ego vehicle. */
	#followNothing(): void {
		const { selection, follow } = this.state;
		if (selection === undefined && followsSelection(follow))
			this.store.patch({ follow: "position" });
	}

	/** Marks a section before the scene's length is known, which will clamp it. */
	#mark(section: LinkState["section"]): void {
		this.store.patch({ section, ...(section && { loop: true }) });
	}

	/**
	 * Reopens the data set in its current state, to retry the keys that were presumed
	 * absent.
	 */
	async reopen(): Promise<void> {
		const { place } = this.state;
		this.dismissAbsence();
		if (place) await this.open(place, this.linkState());
	}

	/** Selects a track or the ego vehicle; undefined clears the selection. */
	override select(selection: Selection | undefined): void {
		this.mapPicker.clear();
		super.select(selection);
	}

	/** Replaces the aerial image beside the data. */
	openAerial(aerial: Promise<AerialView>): Promise<void> {
		return (
			this.session?.afterFrame((it) => it.aerial.open(aerial)) ?? Promise.resolve()
		);
	}

	/** Whether agents of the open data set can be filtered by history and future. */
	get canFilterByLength(): boolean {
		return this.session?.canSelect ?? false;
	}

	/** Whether another map can be opened for the open data set. */
	get canReadMaps(): boolean {
		return this.#opened?.readMap !== undefined && this.session !== undefined;
	}

	/**
	 * Replaces the map beside the data: from a URL, or from files, one of which is its
	 * meta.json. `address` is the map's address in links.
	 */
	async openMap(from: URL | readonly File[], address?: string): Promise<void> {
		const [session, read] = [this.session, this.#opened?.readMap];
		if (!session || !read) return;
		const find = async (options: AbortOptions): Promise<FoundMap> => {
			const { mapAt, mapOf } = await import("../map/open-map.js");
			return from instanceof URL
				? mapAt(from, read, options)
				: mapOf(from, read, options);
		};
		await session.afterFrame(({ map }) => map.open(find, { address }));
	}

	/**
	 * Shows the map at `address`, now and after reopening; undefined restores the map
	 * beside the data.
	 */
	useMap(address: string | undefined): void {
		const { place } = this.state;
		if (place?.kind === "address")
			this.store.patch({ place: { ...place, map: address } });
		const url = address === undefined ? undefined : resolved(address, document.baseURI);
		if (url) void this.openMap(url, address);
		else if (address !== undefined) this.notify(invalidAddress("Map", address));
		else void this.session?.findMap();
	}

	/** Applies a link's display settings, map, predictions and rollout. */
	override adjust(link: LinkState): void {
		const before = this.state;
		super.adjust(link);
		if (readOtherwise(this.state, before)) this.session?.reload();
		const { map } = link;
		const { mapAddress } = this.state;
		this.reviews.restore(link, (address) => this.#ownSite("pr", address));
		const { rollout, futures } = link;
		if (rollout)
			void this.rollout.use((it) =>
				it.restore(rollout, futures, (address) => this.#ownSite("ro", address)),
			);
		if (map === undefined || map === mapAddress || !this.session) return;
		const url = this.#ownSite("m", map);
		if (url) void this.openMap(url, map);
	}

	/**
	 * Receives from a scene view what its canvas shows; undefined when the view is
	 * removed.
	 */
	painted(picture: object, painted: Painted | undefined): void {
		if (painted?.shown) this.store.patch({ pictured: true });
		this.#readyState.painted(picture, painted);
	}

	/**
	 * Resolves once nothing more will change by itself: the data set is loaded, and the
	 * requested frame, its brake lights and the map (if any) are drawn; or no data set is
	 * open. Rejects if opening or the frame failed.
	 */
	get settled(): Promise<void> {
		return this.whenSettled();
	}

	/** Like `settled`; also rejects with the reason of `signal`. */
	whenSettled(signal?: AbortSignal): Promise<void> {
		return this.#readyState.promise(true, signal);
	}

	/** Like `settled`, without the brake lights: these need the whole scene. */
	get displayed(): Promise<void> {
		return this.#readyState.promise(false);
	}

	/**
	 * Stores the progress or failure of opening, of the first data set or of the next
	 * one.
	 */
	#openingTold(told: {
		progress: OpenProgress | undefined;
		problem?: Problem | undefined;
	}): void {
		const { opening } = this.state;
		if (opening) {
			this.store.patch({ opening: { ...opening, ...told } });
		} else this.store.patch(told.problem ? { phase: "failed", ...told } : told);
	}

	/** Disposes the open session, if any. */
	#leave(): void {
		this.#stopOnline();
		this.stopPlayback();
		this.session?.dispose();
		this.session = undefined;
	}

	#show(opened: Opened, place: Place, start: LinkState): void {
		if (this.session) {
			this.#leave();
			this.store.patch({ ...cleared(this.state), phase: "opening", place });
			this.adjust(start);
		}
		this.#start = start;
		this.#opened = opened;
		this.#begin(new Session(this.store, opened, this.#hooks), start);
		this.rasters.serve(opened.rasters);
	}

	#begin(session: Session, start: LinkState): void {
		this.session = session;
		this.#stopOnline = whenOnline(this.#network, () => this.retryUnread());
		const { sceneCount } = this.state;
		const scene = this.#existing(start.scene ?? 0);
		this.store.patch({ selection: start.selection });
		this.#followNothing();
		this.#mark(start.section);
		if (start.loop !== undefined) this.store.patch({ loop: start.loop });
		if (sceneCount === 0) {
			const what = "The data set contains no scenes";
			this.store.patch(withFault(this.state, { code: "empty", what }));
		} else void session.openScene(scene, start.frame ?? 0);
		if (start.focused) void this.#focus(true);
		this.#beginMap(session, start.map);
	}

	/** Returns `wanted`, or the last scene and a notice if there are fewer. */
	#existing(wanted: number): number {
		const scene = Math.min(wanted, Math.max(0, this.state.sceneCount - 1));
		if (scene !== wanted)
			this.notify(`Scene ${wanted} is out of range; opened the last one, ${scene}`);
		return scene;
	}

	/**
	 * Loads the initial map: the page's `map` attribute first, then the link's, then the
	 * map beside the data.
	 */
	#beginMap(session: Session, linked: string | undefined): void {
		const { place } = this.state;
		const given = place?.kind === "address" ? place.map : undefined;
		const url =
			given === undefined
				? linked !== undefined && this.#ownSite("m", linked)
				: resolved(given, document.baseURI);
		if (given !== undefined && !url) this.notify(invalidAddress("Map", given));
		if (url) void this.openMap(url, given ?? linked);
		else void session.findMap();
	}

	/**
	 * Resolves the address in a link's `key`; undefined with a notice if it is
	 * cross-origin.
	 */
	#ownSite(key: string, address: string): URL | undefined {
		const url = resolved(address, document.baseURI);
		if (url?.origin === location.origin) return url;
		const shown = shownAddress(address);
		this.notify(`Link: ignored ${key}=${shown} (expected a URL of this site)`);
		return undefined;
	}
}
