import { unfollowed } from "./anchor.js";
import { linkOf } from "./link-of.js";
import { type Camera, DEFAULT_CAMERA, type Follow, type Point } from "./pure/camera.js";
import { clampedRange, type FrameRange, rangeOf, steppedSpeed } from "./pure/clock.js";
import type { Coords } from "./pure/frames.js";
import type { LinkState, Selection } from "./pure/link.js";
import { lastStep, lengthOf } from "./pure/path.js";
import type { Measure, ReviewList } from "./review-state.js";
import { EMPTY_STATE, frameCount, type Theme, type ViewerState } from "./state.js";
import { Store } from "./store.js";

/** What a user can do that needs no data to be read: how to look, and at what. */
export class Controls {
	readonly store = new Store<ViewerState>(EMPTY_STATE);

	get state(): ViewerState {
		return this.store.state;
	}

	/** What is played over and over. */
	get span(): FrameRange {
		return this.state.section ?? { begin: 0, end: frameCount(this.state) };
	}

	/** Marks a part of the scene and plays it over and over; undefined unmarks it. */
	setSection(section: FrameRange | undefined): void {
		const count = frameCount(this.state);
		if (!section || count === 0) this.store.patch({ section: undefined });
		else this.store.patch({ section: clampedRange(section, count), loop: true });
	}

	/** The section begins, or ends, with the frame on show. */
	markSection(which: "begin" | "end"): void {
		const { frame } = this.state;
		const { begin, end } = this.span;
		if (which === "begin") this.setSection(rangeOf(frame, Math.max(frame, end - 1)));
		else this.setSection(rangeOf(Math.min(frame, begin), frame));
	}

	toggleLoop(): void {
		this.store.patch({ loop: !this.state.loop });
	}

	setSpeed(speed: number): void {
		this.store.patch({ speed });
	}

	changeSpeed(direction: 1 | -1): void {
		this.setSpeed(steppedSpeed(this.state.speed, direction));
	}

	setCamera(camera: Camera): void {
		this.store.patch({ camera });
	}

	setFollow(follow: Follow, camera: Camera): void {
		this.store.patch({ follow, camera });
	}

	/** The ego in the middle at the usual scale. */
	resetCamera(): void {
		const { follow: now } = this.state;
		const follow = now === "heading" ? "heading" : "position";
		this.store.patch({ follow, camera: DEFAULT_CAMERA });
	}

	setDistance(distance: number): void {
		this.store.patch({ distance });
	}

	/** Frames before and after this one in which an agent must be seen to be kept. */
	setMinima(minHistory: number, minFuture: number): void {
		this.store.patch({ minHistory, minFuture });
	}

	/** Finds agents by class or track id; an empty query finds all. */
	setQuery(query: string): void {
		this.store.patch({ query });
	}

	select(selection: Selection | undefined): void {
		const camera = selection === undefined ? unfollowed(this.state) : {};
		this.store.patch({ selection, mapChoice: undefined, ...camera });
	}

	hover(hover: Selection | undefined): void {
		this.store.patch({ hover });
	}

	setCoords(coords: Coords): void {
		this.store.patch({ coords });
	}

	/** Measuring on, or off and forgotten. */
	toggleMeasure(): void {
		this.store.patch({ measured: this.state.measured ? undefined : [] });
	}

	/** The next point of the path that is measured. */
	measureAt(point: Point): void {
		const { measured } = this.state;
		if (!measured) return;
		const path = [...measured, point];
		this.store.patch({ measured: path });
		const last = lastStep(path);
		if (!last) return;
		const all = path.length > 2 ? `, ${lengthOf(path).toFixed(2)} in all` : "";
		this.announce(`${last.metres.toFixed(2)} metres${all}`);
	}

	/** Takes the last point back. */
	unmeasure(): void {
		const { measured } = this.state;
		if (measured) this.store.patch({ measured: measured.slice(0, -1) });
	}

	/** Has a screen reader say `announcement`. */
	announce(announcement: string): void {
		this.store.patch({ announcement });
	}

	/** By what predictions are ranked. */
	rankBy(by: Measure): void {
		this.store.patch({ review: { ...this.state.review, by } });
	}

	/** What of the predictions is listed. */
	listPredictions(list: ReviewList): void {
		this.store.patch({ review: { ...this.state.review, list } });
	}

	setTheme(theme: Theme): void {
		this.store.patch({ theme });
	}

	notify(...notices: readonly string[]): void {
		if (notices.length > 0) {
			this.store.patch({ notices: [...this.state.notices, ...notices].slice(-5) });
		}
	}

	dismiss(notice: string): void {
		this.store.patch({ notices: this.state.notices.filter((n) => n !== notice) });
	}

	/** Hides what is said of keys that were taken as absent. */
	dismissAbsence(): void {
		this.store.patch({ presumedAbsent: [] });
	}

	dismissAll(): void {
		this.store.patch({ notices: [] });
	}

	/** How to look, from a link; what it does not name stays. */
	adjust(link: LinkState): void {
		const { state } = this;
		this.store.patch({
			follow: link.follow ?? state.follow,
			camera: link.camera ? { ...DEFAULT_CAMERA, ...link.camera } : state.camera,
			coords: link.coords ?? state.coords,
			layers: link.layers ?? state.layers,
			threshold: link.threshold ?? state.threshold,
			distance: link.distance ?? state.distance,
			minHistory: link.minHistory ?? state.minHistory,
			minFuture: link.minFuture ?? state.minFuture,
			past: link.past ?? state.past,
			future: link.future ?? state.future,
			review: { ...state.review, by: link.rankBy ?? state.review.by },
		});
	}

	/** What a link to the present moment carries: all that differs from the defaults. */
	linkState(): LinkState {
		return linkOf(this.state);
	}
}
