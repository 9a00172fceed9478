import type { Overlay } from "../draw/picture.js";
import type { ReviewState } from "../review/review-state.js";

/** What pictures show of models and submissions. */
export interface Pictured {
	readonly review: ReviewState;
	readonly simulated: readonly Overlay[];
}

/** What one of several pictures of the same scene and time shows. */
export interface PicturePart {
	readonly name: string;
	/** The CSS class that colours the name. */
	readonly mark: string;
	/** Returns the state without what only the other pictures show. */
	readonly only: <T extends Pictured>(state: T) => T;
}
