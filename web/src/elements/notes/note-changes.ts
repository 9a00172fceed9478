import { messageOf } from "../../base/errors.js";
import type { ViewerController } from "../session/controller.js";
import type { Note } from "./note.js";
import type { NotesStore } from "./notes-store.js";

type Host = Pick<ViewerController, "notes" | "announce" | "notify">;

/**
 * Changes the notes and announces the text that `act` returns. Returns whether the change
 * was taken; a failure is a notice.
 */
export async function changeNotes(
	host: Host | undefined,
	act: (store: NotesStore) => string,
): Promise<boolean> {
	if (!host) return false;
	try {
		const store = await host.notes;
		host.announce(act(store));
		return true;
	} catch (error) {
		host.notify(messageOf(error));
		return false;
	}
}

/** Adds a note, or replaces that of its id. Returns whether it was taken. */
export function keepNote(host: Host | undefined, note: Note): Promise<boolean> {
	return changeNotes(host, (store) =>
		store.put(note) ? "Note saved" : "Note kept on this page only",
	);
}
