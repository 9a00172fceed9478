import type { PageLayer } from "../draw/page-layer.js";
import type { Overlay } from "../draw/picture.js";
import { type Layer, toggled } from "../layers/layer-set.js";
import type { LinkState } from "../link/link.js";
import { linkOf, settingsOf } from "../link/link-of.js";
import { MAX_CHARTS, MAX_PLOTTED, withPlots } from "../plots/plots-state.js";
import type { Measure } from "../review/review-state.js";
import { unfollowed } from "../scene-view/anchor.js";
import {
	type Camera,
	DEFAULT_CAMERA,
	type Follow,
	type Point,
} from "../scene-view/camera.js";
import type { Coords } from "../scene-view/frames.js";
import { lastStep, lengthOf } from "../scene-view/path.js";
import type { Selection } from "../scene-view/picking.js";
import {
	clampedRange,
	type FrameRange,
	rangeOf,
	steppedSpeed,
} from "../timeline/clock.js";
import { withLayout } from "../viewer/layout-state.js";
import { withOutcomes, without } from "./outcomes.js";
import { EMPTY_STATE, frameCount, type Theme, type ViewerState } from "./state.js";
import { Store } from "./store.js";

/** Returns where a link's camera is, and what it moves with. */
export function lookOf({
	follow,
	camera,
}: LinkState): Partial<Pick<ViewerState, "follow" | "camera">> {
	return {
		...(follow && { follow }),
		...(camera && { camera: { ...DEFAULT_CAMERA, ...camera } }),
	};
}

/** Commands that read no data: display settings, camera and selection. */
export class Controls {
	/** Holds the state, and tells its listeners about changes. */
	readonly store = new Store<ViewerState>(EMPTY_STATE);

	/** The current state. */
	get state(): ViewerState {
		return this.store.state;
	}

	/** The frames that loop playback repeats. */
	get span(): FrameRange {
		return this.state.section ?? { begin: 0, end: frameCount(this.state) };
	}

	/** Marks a range of the scene and loops it; undefined removes the mark. */
	setSection(section: FrameRange | undefined): void {
		const count = frameCount(this.state);
		if (!section || count === 0) this.store.patch({ section: undefined });
		else this.store.patch({ section: clampedRange(section, count), loop: true });
	}

	/** Sets the section's first or last frame to the current frame. */
	markSection(which: "begin" | "end"): void {
		const { frame } = this.state;
		const { begin, end } = this.span;
		if (which === "begin") this.setSection(rangeOf(frame, Math.max(frame, end - 1)));
		else this.setSection(rangeOf(Math.min(frame, begin), frame));
	}

	/** Switches repeated playback on or off. */
	toggleLoop(): void {
		this.store.patch({ loop: !this.state.loop });
	}

	/** Switches motion between frames on or off. */
	toggleSmooth(): void {
		this.store.patch({ smooth: !this.state.smooth });
	}

	/** Sets the playback speed as a factor of real time. */
	setSpeed(speed: number): void {
		this.store.patch({ speed });
	}

	/** Selects the next faster (1) or slower (-1) speed. */
	changeSpeed(direction: 1 | -1): void {
		this.setSpeed(steppedSpeed(this.state.speed, direction));
	}

	/** Sets the camera's position, extent, rotation and tilt. */
	setCamera(camera: Camera): void {
		this.store.patch({ camera });
	}

	/** Sets what the camera moves with, and where it is. */
	setFollow(follow: Follow, camera: Camera): void {
		this.store.patch({ follow, camera });
	}

	/** Centres the ego at the default scale. */
	resetCamera(): void {
		const { follow: now } = this.state;
		const follow = now === "heading" ? "heading" : "position";
		this.store.patch({ follow, camera: DEFAULT_CAMERA });
	}

	/** Shows or hides a layer. */
	toggleLayer(layer: Layer): void {
		this.adjust({ layers: toggled(this.state.layers, layer) });
	}

	/** Sets the number of frames covered by trails and futures. */
	setPaths(past: number, future: number): void {
		this.adjust({ past, future });
	}

	/** Sets the lower bound of the sum of known classes' probabilities. */
	setThreshold(threshold: number): void {
		this.adjust({ threshold });
	}

	/** Sets the maximum distance of displayed agents to the ego vehicle, in metres. */
	setDistance(distance: number): void {
		this.store.patch({ distance });
	}

	/**
	 * Sets the minimum number of past and future frames in which a kept agent is visible.
	 */
	setMinima(minHistory: number, minFuture: number): void {
		this.store.patch({ minHistory, minFuture });
	}

	/** Searches agents by class or track id; an empty query matches all. */
	setQuery(query: string): void {
		this.store.patch({ query });
	}

	/** Selects a track or the ego vehicle; undefined clears the selection. */
	select(selection: Selection | undefined): void {
		const camera = selection === undefined ? unfollowed(this.state) : {};
		this.store.patch({ selection, focus: undefined, mapChoice: undefined, ...camera });
	}

	/** Marks the object under the pointer; undefined marks none. */
	hover(hover: Selection | undefined): void {
		this.store.patch({ hover });
	}

	/** Sets the axes of the displayed coordinates. */
	setCoords(coords: Coords): void {
		this.store.patch({ coords });
	}

	/** Starts measuring, or ends it and clears the path. */
	toggleMeasure(): void {
		this.store.patch({ measured: this.state.measured ? undefined : [] });
	}

	/** Appends a point to the measured path. */
	measureAt(point: Point): void {
		const { measured } = this.state;
		if (!measured) return;
		const path = [...measured, point];
		this.store.patch({ measured: path });
		const last = lastStep(path);
		if (!last) return;
		const all = path.length > 2 ? `, ${lengthOf(path).toFixed(2)} in total` : "";
		this.announce(`${last.metres.toFixed(2)} metres${all}`);
	}

	/** Removes the last point. */
	unmeasure(): void {
		const { measured } = this.state;
		if (measured) this.store.patch({ measured: measured.slice(0, -1) });
	}

	/** Sets the points and lines that a page draws over the picture. */
	setOverlays(overlays: readonly Overlay[]): void {
		this.store.patch({ overlays: [...overlays] });
	}

	/**
	 * Draws a layer over the picture; it replaces the one of the same name. Returns a
	 * function that removes it.
	 */
	addLayer(layer: PageLayer): () => void {
		const others = this.state.pageLayers.filter(({ name }) => name !== layer.name);
		this.store.patch({ pageLayers: [...others, layer] });
		return () => this.removeLayer(layer);
	}

	/** Removes a layer of the page, if it is drawn. */
	removeLayer(layer: PageLayer): void {
		const { pageLayers } = this.state;
		const others = pageLayers.filter((other) => other !== layer);
		if (others.length < pageLayers.length) this.store.patch({ pageLayers: others });
	}

	/** Sets the plotted quantities. */
	setCharts(charts: readonly string[]): void {
		this.store.patch({ charts: charts.slice(0, MAX_CHARTS) });
	}

	/** Sets the plotted tracks, which are plotted in addition to the selection. */
	setPlotted(plotted: readonly Selection[]): void {
		this.store.patch({ plotted: plotted.slice(0, MAX_PLOTTED) });
	}

	/** Sets the frames on the plots' time axis; undefined for the whole scene. */
	setPlotSpan(plotSpan: FrameRange | undefined): void {
		this.store.patch({ plotSpan });
	}

	/** Lets the next click in the picture choose a note's place; false forgets it. */
	placeNote(placing: boolean): void {
		this.store.patch({ placing, placed: undefined });
	}

	/** Announces `announcement` to screen readers. */
	announce(announcement: string): void {
		this.store.patch({ announcement });
	}

	/** Sets the measure by which predictions are ranked. */
	rankBy(by: Measure): void {
		this.store.patch({ review: { ...this.state.review, by } });
	}

	/** Sets the theme. */
	setTheme(theme: Theme): void {
		this.store.patch({ theme });
	}

	/** Tells outcomes of actions, each once; those that are shown become the newest. */
	notify(...told: readonly string[]): void {
		if (told.length > 0) this.store.patch(withOutcomes(this.state, ...told));
	}

	/** Removes a notice. */
	dismiss(notice: string): void {
		this.store.patch(without(this.state, (one) => one === notice));
	}

	/** Dismisses the notice about keys presumed absent. */
	dismissAbsence(): void {
		this.store.patch({ presumedAbsent: [] });
	}

	/** Applies a link's display settings; fields absent in the link stay unchanged. */
	adjust(link: LinkState): void {
		const { state } = this;
		this.store.patch({
			...lookOf(link),
			...settingsOf(link, state),
			find: link.find ?? state.find,
			...withPlots(state, link),
			note: link.note ?? state.note,
			loop: link.loop ?? state.loop,
			...(link.tabs || link.closed || link.besides
				? withLayout(state, link)
				: undefined),
			galleryLink: link.gallery ?? state.galleryLink,
			review: { ...state.review, by: link.rankBy ?? state.review.by },
		});
	}

	/** Returns the current state as a link: everything that differs from the defaults. */
	linkState(): LinkState {
		return linkOf(this.state);
	}
}
