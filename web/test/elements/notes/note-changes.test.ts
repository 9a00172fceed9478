import { describe, expect, it } from "vitest";
import { changeNotes, keepNote } from "../../../src/elements/notes/note-changes.js";
import type { NotesStore } from "../../../src/elements/notes/notes-store.js";

const note = {
	id: "a",
	scene: 0,
	text: "a",
	tags: [],
	time: "2026-01-31T12:00:00.000Z",
};

function made(notes: Promise<Pick<NotesStore, "put">>) {
	const said: string[] = [];
	const controller = {
		notes: notes as Promise<NotesStore>,
		announce: (text: string) => said.push(`announced: ${text}`),
		notify: (text: string) => said.push(`notified: ${text}`),
	};
	return { controller, said };
}

describe("elements/notes/note-changes", () => {
	it("a note is announced when it is taken", async () => {
		for (const [stored, text] of [
			[true, "Note saved"],
			[false, "Note kept on this page only"],
		] as const) {
			let take = (_: Pick<NotesStore, "put">): void => {};
			const loading = new Promise<Pick<NotesStore, "put">>((resolve) => {
				take = resolve;
			});
			const { controller, said } = made(loading);
			const kept = keepNote(controller, note);
			await new Promise((resolve) => setTimeout(resolve));
			expect(said).toEqual([]);
			take({ put: () => stored });
			expect(await kept).toBe(true);
			expect(said).toEqual([`announced: ${text}`]);
		}
	});

	it("a note that is refused is not announced", async () => {
		const put = (): boolean => {
			throw new RangeError("notes: too many");
		};
		for (const [notes, why] of [
			[Promise.resolve({ put }), "notes: too many"],
			[Promise.reject(new Error("offline")), "offline"],
		] as const) {
			const { controller, said } = made(notes);
			expect(await keepNote(controller, note)).toBe(false);
			expect(said).toEqual([`notified: ${why}`]);
		}
	});

	it("no note is taken without a viewer", async () => {
		expect(await changeNotes(undefined, () => "done")).toBe(false);
	});
});
