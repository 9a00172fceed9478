import { html, type ReactiveController, type ReactiveControllerHost } from "lit";
import type { ModelState, ReviewState } from "../review/review-state.js";
import type { Pictured, PicturePart } from "../scene-view/picture-part.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";

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

const parts = new WeakMap<ModelState, PicturePart>();

/** Returns the picture of a model, which lacks the predictions of others. */
function partOf(model: ModelState): PicturePart {
	const { id, name, slot } = model;
	const own = (one: { readonly model: number }): boolean => one.model === id;
	const part = parts.get(model) ?? {
		...{ name, mark: `model-${slot + 1}` },
		only: <T extends Pictured>(state: T): T => {
			const { review } = state;
			const [drawn, coming] = [review.drawn.filter(own), review.coming.filter(own)];
			return { ...state, review: { ...review, drawn, coming } };
		},
	};
	parts.set(model, part);
	return part;
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

	/** Returns the models or submissions with a picture of their own. */
	parts({ review, futures }: ViewerState): readonly PicturePart[] {
		const submissions = futures?.parts ?? [];
		this.#wanted = review.split || submissions.length > 1;
		const models = splitModels(review, this.#size);
		if (models.length > 0) return models.map(partOf);
		return fits(submissions.length, this.#size) ? submissions : [];
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
	all: readonly PicturePart[],
	controller: ViewerController | undefined,
	{
		painter,
		gestures,
	}: { readonly painter: string | null; readonly gestures: string | null },
) {
	return all
		.slice(1)
		.map(
			(part, i) =>
				html`<bev-scene-view class="p${i + 2}" bare .controller=${controller} .painter=${painter} .gestures=${gestures} .subset=${part}></bev-scene-view>`,
		);
}
