import type { Selection } from "../scene-view/picking.js";
import type { Slice } from "../session/store.js";

/** A displayed value of an item. */
export interface ItemValue {
	readonly name: string;
	/** With its unit. */
	readonly text: string;
	/** For sorting; NaN if unknown. */
	readonly number: number;
}

/** A place in the data set, with values: a found row, a rank of predictions, a note. */
export interface GalleryItem {
	readonly scene: number;
	readonly frame: number;
	/** Undefined for frames and scenes. */
	readonly track: bigint | undefined;
	/** What is found there, marked in pictures; undefined for frames and scenes. */
	readonly mark?: Selection | undefined;
	/** Whether the thumbnail follows the track instead of the ego vehicle. */
	readonly follows: boolean;
	/**
	 * The track whose predictions the thumbnail shows, -1 for the ego vehicle, or all;
	 * needs `GalleryList.models`.
	 */
	readonly lines?: bigint | "all" | undefined;
	/**
	 * The futures of the open submissions that the thumbnail shows: `all`, or a
	 * submission's index and a future's number, `1:5`.
	 */
	readonly futures?: string | undefined;
	readonly values: readonly ItemValue[];
}

/** A model whose predictions the thumbnails show. */
export interface GalleryModel {
	readonly id: number;
	readonly name: string;
	/** Index of its colour. */
	readonly slot: number;
}

/** Items to look through. */
export interface GalleryList {
	/** What they are, e.g. the filter. */
	readonly title: string;
	readonly items: readonly GalleryItem[];
	readonly models?: readonly GalleryModel[] | undefined;
	/** What the link says about items. */
	readonly decided?:
		| ReadonlyMap<
				GalleryItem,
				{ readonly mark: "keep" | "skip" | undefined; readonly tags: readonly string[] }
		  >
		| undefined;
}

export interface GallerySlice {
	/** The list of the gallery, which opens when it is set. */
	readonly gallery: GalleryList | undefined;
	/** The gallery of the opened link, until it is shown. */
	readonly galleryLink: string | undefined;
}

export const GALLERY_SLICE: Slice<GallerySlice> = {
	empty: { gallery: undefined, galleryLink: undefined },
	kept: () => ({}),
};
