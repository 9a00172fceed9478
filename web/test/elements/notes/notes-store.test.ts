import { describe, expect, it } from "vitest";
import { formatNotes, type Note } from "../../../src/elements/notes/note.js";
import {
	identityOf,
	type NotesHost,
	NotesStore,
} from "../../../src/elements/notes/notes-store.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { MemorySource, type Source } from "../../../src/source/source.js";
import { fakeDataset } from "../../support/fake-dataset.js";

const time = "2026-01-31T12:00:00.000Z";
const note = (id: string, text = id): Note => ({ id, scene: 0, text, tags: [], time });

/** A browser with storage of limited length that tells its tabs about changes. */
function browser(room = Number.POSITIVE_INFINITY) {
	const items = new Map<string, string>();
	const limit = { room };
	const listeners = new Set<(event: StorageEvent) => void>();
	const host: NotesHost = {
		base: "https://host/app/",
		storage: () => ({
			getItem: (key) => items.get(key) ?? null,
			setItem(key, value) {
				if (value.length > limit.room)
					throw new DOMException("full", "QuotaExceededError");
				items.set(key, value);
			},
			removeItem: (key) => void items.delete(key),
		}),
		addEventListener: (_, listener) => void listeners.add(listener),
		removeEventListener: (_, listener) => void listeners.delete(listener),
	};
	const tell = (key: string) => {
		for (const listener of listeners) listener({ key } as StorageEvent);
	};
	const open = (address = "/data/town.zarr", beside?: Source) => {
		const store = new Store<ViewerState>(EMPTY_STATE);
		const notesStore = new NotesStore(store, { host, beside: () => beside });
		const show = (at: string) => {
			const { dataset } = fakeDataset({ frames: 2 });
			store.patch({ dataset, place: { kind: "address", address: at } });
		};
		show(address);
		return {
			store,
			notesStore,
			show,
			ids: () => store.state.notes.map(({ id }) => id),
		};
	};
	return { items, limit, listeners, tell, open };
}

describe("NotesStore", () => {
	it("stores the notes of each data set", () => {
		const { open } = browser();
		open().notesStore.put(note("a"), note("b"));
		const again = open();
		expect(again.ids()).toEqual(["a", "b"]);
		again.show("/data/other.zarr");
		expect(again.ids()).toEqual([]);
		again.show("/data/town.zarr");
		again.notesStore.remove("a");
		expect(open().ids()).toEqual(["b"]);
	});

	it("two tabs do not overwrite each other's notes", () => {
		const { open, tell, items } = browser();
		const [one, two] = [open(), open()];
		one.notesStore.put(note("a"));
		two.notesStore.put(note("b")); // not told about "a" yet
		expect(two.ids()).toEqual(["a", "b"]);
		tell([...items.keys()][0] ?? "");
		expect(one.ids()).toEqual(["a", "b"]);
		one.notesStore.remove("b");
		two.notesStore.put(note("c"));
		expect(open().ids()).toEqual(["a", "c"]);
	});

	it("names data sets without credentials", () => {
		const of = (address: string) =>
			identityOf({ kind: "address", address }, "https://host/app/");
		expect(of("../data/town.zarr#x")).toBe("https://host/data/town.zarr");
		expect(of("https://u:p@s3/town.zarr?X-Amz-Signature=ff&v=2")).toBe(
			"https://s3/town.zarr?v=2",
		);
		// Another query can be another data set
		expect(of("https://s3/town.zarr?set=b")).not.toBe(of("https://s3/town.zarr?set=c"));
		expect(of("https://s3/town.zarr?set=b&sig=1")).toBe(
			of("https://s3/town.zarr?set=b&sig=2"),
		);
		for (const query of ["X-Amz-Signature=secret", "private_token=secret", "secret"]) {
			const { open, items } = browser();
			open(`https://s3/town.zarr?${query}`).notesStore.put(note("a"));
			expect([...items.entries()].flat().join(" ")).not.toContain("secret");
		}
	});

	it("keeps notes on the page, and says so, if storage is full", () => {
		const { open } = browser(10);
		const { notesStore, store, ids } = open();
		notesStore.put(note("a"));
		notesStore.put(note("b"));
		expect(ids()).toEqual(["a", "b"]);
		expect(store.state.notices).toHaveLength(1);
		expect(store.state.notices[0]).toContain("Notes: not stored in this browser");
	});

	it("keeps notes that could not be stored when another tab changes its notes", () => {
		const { open, tell, items, limit } = browser();
		const [one, two] = [open(), open()];
		one.notesStore.put(note("a"), note("b"));
		limit.room = 0;
		expect(one.notesStore.put(note("c"), note("a", "new"))).toBe(false);
		one.notesStore.remove("b");
		expect(one.ids()).toEqual(["a", "c"]);
		limit.room = Number.POSITIVE_INFINITY;
		two.notesStore.put(note("d"));
		const [key = ""] = items.keys();
		tell(key);
		expect(one.ids()).toEqual(["a", "d", "c"]);
		expect(one.store.state.notes[0]?.text).toBe("new");
		// The next change stores them too
		expect(one.notesStore.put(note("e"))).toBe(true);
		expect(open().ids()).toEqual(["a", "d", "c", "e"]);
	});

	it("keeps notes that could not be stored while another data set is open", () => {
		const { open, limit } = browser(0);
		const { notesStore, show, ids } = open();
		notesStore.put(note("a"));
		show("/data/other.zarr");
		expect(ids()).toEqual([]);
		show("/data/town.zarr");
		expect(ids()).toEqual(["a"]);
		limit.room = Number.POSITIVE_INFINITY;
		notesStore.put(note("b"));
		expect(open().ids()).toEqual(["a", "b"]);
	});

	it("refuses notes above the limit, and invalid ones; the others stay", () => {
		const { open, tell, items, limit } = browser();
		const [one, two] = [open(), open()];
		const many = Array.from({ length: 4999 }, (_, i) => note(`n${i}`));
		one.notesStore.put(...many);
		const full = "notes: too many (found 5001, expected at most 5000)";
		expect(() => one.notesStore.put(note("a"), note("b"))).toThrow(full);
		expect(one.ids()).toHaveLength(4999);
		const tags = Array(17).fill("a");
		expect(() => one.notesStore.put({ ...note("a"), tags })).toThrow("notes[0].tags");
		// What does not fit beside another tab's notes stays on display
		limit.room = 0;
		one.notesStore.put(note("c"));
		limit.room = Number.POSITIVE_INFINITY;
		two.notesStore.put(note("d"));
		const [key = ""] = items.keys();
		tell(key);
		expect(one.ids()).toHaveLength(5001);
		expect(one.ids()).toContain("c");
		one.notesStore.remove("n0");
		expect(open().ids()).toHaveLength(5000);
	});

	it("puts damaged storage aside instead of overwriting it", () => {
		const { open, items } = browser();
		const key = "bevscope.notes https://host/data/town.zarr";
		items.set(key, '[{"id":1}]');
		const { notesStore, store, ids } = open();
		expect(ids()).toEqual([]);
		expect(store.state.notices[0]).toContain("cannot be read");
		notesStore.put(note("a"));
		expect(items.get(`${key} (unread)`)).toBe('[{"id":1}]');
		expect(open().ids()).toEqual(["a"]);
	});

	it("stores nothing if the page stores the notes itself", () => {
		const { open, items } = browser();
		const { notesStore, ids, show } = open();
		notesStore.give([note("p")]);
		notesStore.put(note("q"));
		expect(ids()).toEqual(["p", "q"]);
		expect(items.size).toBe(0);
		show("/data/other.zarr"); // whose notes the page has not given yet
		expect(ids()).toEqual([]);
		expect(() => notesStore.give([note("not valid")])).toThrow("notes[0].id");
		notesStore.give(undefined);
		notesStore.put(note("r"));
		expect(items.size).toBe(1);
	});

	it("stops listening when disposed", () => {
		const { open, listeners } = browser();
		const { notesStore } = open();
		expect(listeners.size).toBe(1);
		notesStore.dispose();
		expect(listeners.size).toBe(0);
	});

	it("listens to other tabs only while a data set is open", () => {
		const { open, listeners } = browser();
		const { store, show } = open();
		expect(listeners.size).toBe(1);
		store.patch({ dataset: undefined, place: undefined });
		expect(listeners.size).toBe(0);
		show("/data/town.zarr");
		expect(listeners.size).toBe(1);
	});
});

describe("notes beside the data", () => {
	const folder = (text: string) =>
		new MemorySource({ "notes.json": new TextEncoder().encode(text) });
	const file = (...notes: Note[]) => folder(formatNotes(notes, "town.zarr"));
	const texts = ({ store }: { store: Store<ViewerState> }) =>
		store.state.notes.map(({ text }) => text);

	it("are shown with those of the browser", async () => {
		const { open } = browser();
		open().notesStore.put(note("b"));
		const it = open("/data/town.zarr", file(note("a")));
		await expect.poll(it.ids).toEqual(["a", "b"]);
		it.notesStore.put(note("c"));
		expect(it.ids()).toEqual(["a", "b", "c"]);
		expect(it.store.state.notesBeside).toEqual([note("a")]);
	});

	it("are replaced by an edited copy, and come back when that is deleted", async () => {
		const { open } = browser();
		const beside = file(note("a", "theirs"));
		const it = open("/data/town.zarr", beside);
		await expect.poll(() => texts(it)).toEqual(["theirs"]);
		it.notesStore.put(note("a", "mine"));
		expect(texts(it)).toEqual(["mine"]);
		const again = open("/data/town.zarr", beside);
		await expect.poll(() => again.store.state.notesBeside).toHaveLength(1);
		expect(texts(again)).toEqual(["mine"]);
		again.notesStore.remove("a");
		expect(texts(again)).toEqual(["theirs"]);
	});

	it("go with the data set, and leave notes of the page alone", async () => {
		const { open } = browser();
		const it = open("/data/town.zarr", file(note("a")));
		await expect.poll(it.ids).toEqual(["a"]);
		it.notesStore.give([note("p")]);
		expect(it.ids()).toEqual(["p"]);
		it.notesStore.give(undefined);
		expect(it.ids()).toEqual(["a"]);
		it.show("/data/other.zarr");
		expect(it.ids()).toEqual([]);
		expect(it.store.state.notesBeside).toEqual([]);
	});

	it("are told of if they cannot be shown", async () => {
		const { open } = browser();
		const it = open("/data/town.zarr", folder("[1, 2"));
		await expect.poll(() => it.store.state.notices).toHaveLength(1);
		expect(it.store.state.notices[0]).toMatch(/^Notes: notes.json is not shown: /);
		expect(it.ids()).toEqual([]);
	});
});
