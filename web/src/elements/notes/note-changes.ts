import { messageOf } from "../../errors.js";
import type { ViewerController } from "../session/controller.js";
import type { Note } from "./note.js";
import type { NotesKeeper } from "./notes-keeper.js";

type Host = Pick<ViewerController, "notes" | "announce" | "notify">;

/**
 * Changes the notes and announces the text that `act` returns. Returns whether the change
 * was taken; a failure is a notice.
 */
export async function changeNotes(
	host: Host | undefined,
	act: (keeper: NotesKeeper) => string,
): Promise<boolean> {
	if (!host) return false;
	try {
		const keeper = await host.notes;
		host.announce(act(keeper));
		return true;
	} catch (error) {
		host.notify(messageOf(error));
		return false;
	}
}

/** Adds a note, or replaces that of its id. Returns whether it was taken. */
export function keepNote(host: Host | undefined, note: Note): Promise<boolean> {
	return changeNotes(host, (keeper) =>
		keeper.put(note) ? "Note saved" : "Note kept on this page only",
	);
}
