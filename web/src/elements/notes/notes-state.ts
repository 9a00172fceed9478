import type { Point } from "../scene-view/camera.js";
import type { Slice } from "../session/store.js";
import type { Note } from "./note.js";

/** The notes of the open data set. */
export interface NotesSlice {
	/** All notes of the data set. */
	readonly notes: readonly Note[];
	/** Those of the document beside the data set. */
	readonly notesBeside: readonly Note[];
	/** Id of the chosen note; it need not exist. */
	readonly note: string | undefined;
	/** Whether the next click in the picture chooses a note's place. */
	readonly placing: boolean;
	/** The place chosen by such a click; world metres. */
	readonly placed: Point | undefined;
}

export const NOTES_SLICE: Slice<NotesSlice> = {
	empty: {
		notes: [],
		notesBeside: [],
		note: undefined,
		placing: false,
		placed: undefined,
	},
	kept: () => ({}),
};
