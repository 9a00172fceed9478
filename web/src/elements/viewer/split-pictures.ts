import { html, type ReactiveController, type ReactiveControllerHost } from "lit";
import type { ModelState, ReviewState } from "../review/review-state.js";
import type { ViewerController } from "../session/controller.js";

/** Minimum size of each of several pictures, CSS pixels. */
const MIN_WIDTH = 220;
const MIN_HEIGHT = 160;

/** Columns and rows of the pictures, by their number. */
const GRIDS: Readonly<Record<number, readonly [columns: number, rows: number]>> = {
	2: [2, 1],
	3: [3, 1],
	4: [2, 2],
};

/** Size of the place of all pictures, CSS pixels. */
export interface PlaceSize {
	readonly width: number;
	readonly height: number;
}

/**
 * Returns the models with a picture of their own; none for a common picture, which is
 * also used if the pictures would be too small.
 */
export function splitModels(
	{ split, models }: ReviewState,
	{ width, height }: PlaceSize,
): readonly ModelState[] {
	if (!split) return [];
	const shown = models.filter(({ phase, visible }) => phase === "ready" && visible);
	return fits(shown.length, { width, height }) ? shown : [];
}

/** Returns whether several pictures fit, each in its minimum size. */
export function fits(count: number, { width, height }: PlaceSize): boolean {
	const [columns, rows] = GRIDS[count] ?? [0, 0];
	return columns > 0 && width >= columns * MIN_WIDTH && height >= rows * MIN_HEIGHT;
}

/** Observes the size of the pictures' place while they are split. */
export class SplitPictures implements ReactiveController {
	readonly #host: ReactiveControllerHost & Element;
	#observer: ResizeObserver | undefined;
	#observed: Element | undefined;
	#size: PlaceSize = { width: 0, height: 0 };
	#wanted = false;

	constructor(host: ReactiveControllerHost & Element) {
		this.#host = host;
		host.addController(this);
	}

	hostConnected(): void {
		this.#host.requestUpdate();
	}

	hostUpdated(): void {
		const picture = this.#host.shadowRoot?.querySelector(".picture") ?? undefined;
		if (picture === this.#observed) return;
		this.#observer ??= new ResizeObserver(([entry]) => {
			if (entry) this.#resized(entry.contentRect);
		});
		this.#observer.disconnect();
		this.#observed = picture;
		if (picture) this.#observer.observe(picture);
	}

	hostDisconnected(): void {
		this.#observer?.disconnect();
		this.#observed = undefined;
	}

	/** Returns the models with a picture of their own. */
	models(review: ReviewState): readonly ModelState[] {
		this.#wanted = review.split;
		return splitModels(review, this.#size);
	}

	/** Returns `count` if so many pictures fit, otherwise 0. */
	fit(count: number): number {
		this.#wanted ||= count > 1;
		return fits(count, this.#size) ? count : 0;
	}

	#resized({ width, height }: PlaceSize): void {
		this.#size = { width, height };
		if (this.#wanted) this.#host.requestUpdate();
	}
}

/** Renders the second and further pictures; all have the same camera and time. */
export function furtherPictures(
	models: readonly ModelState[],
	controller: ViewerController | undefined,
	{
		painter,
		gestures,
	}: { readonly painter: string | null; readonly gestures: string | null },
) {
	return models
		.slice(1)
		.map(
			({ id }, i) =>
				html`<bev-scene-view class="p${i + 2}" bare .controller=${controller} .painter=${painter} .gestures=${gestures} .model=${id}></bev-scene-view>`,
		);
}
