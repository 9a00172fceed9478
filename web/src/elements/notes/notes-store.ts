import { messageOf } from "../../base/errors.js";
import { Latest } from "../../base/latest.js";
import type { Source } from "../../source/source.js";
import { hashOfText } from "../../source/validator.js";
import { nameOf, resolved } from "../open/places.js";
import { shownAddress, unknownQuery } from "../open/secrets.js";
import type { Place } from "../session/dataset.js";
import { withFault } from "../session/outcomes.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import {
	changedNotes,
	fittingNotes,
	MAX_NOTES,
	type Note,
	type NoteChanges,
	notesFrom,
} from "./note.js";
import { NOTES_FILE, readNotesBeside } from "./notes-file.js";

const PREFIX = "bevscope.notes ";

type NotesStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Where notes are stored, and how changes by other tabs are reported. */
export interface NotesHost {
	readonly storage: () => NotesStorage;
	readonly base: string;
	addEventListener(type: "storage", listener: (event: StorageEvent) => void): void;
	removeEventListener(type: "storage", listener: (event: StorageEvent) => void): void;
}

const PAGE_HOST: NotesHost = {
	storage: () => localStorage,
	get base() {
		return document.baseURI;
	},
	addEventListener: (type, listener) => addEventListener(type, listener),
	removeEventListener: (type, listener) => removeEventListener(type, listener),
};

/**
 * Returns the name under which notes of a place are stored: without credentials, and with
 * the hash of a query that may select the data or be secret.
 */
export function identityOf(place: Place, base: string): string {
	if (place.kind !== "address") return `${place.kind}:${place.name}`;
	const url = resolved(place.address, base);
	if (!url) return shownAddress(place.address);
	url.hash = "";
	const shown = shownAddress(url.href);
	const query = unknownQuery(url.href);
	return query === "" ? shown : `${shown} ${hashOfText(query).toString(36)}`;
}

export interface NotesStoreOptions {
	/** Default: the page. */
	readonly host?: NotesHost;
	/** Returns the folder that contains the open data set; undefined if there is none. */
	readonly beside?: () => Source | undefined;
}

/**
 * Keeps the notes of the open data set in the browser's storage, unless the page stores
 * them itself. Each change is applied to what is stored at that moment, so that tabs do
 * not overwrite each other's notes.
 */
export class NotesStore {
	readonly #store: Store<ViewerState>;
	readonly #host: NotesHost;
	readonly #beside: () => Source | undefined;
	readonly #unsubscribe: () => void;
	readonly #reading = new Latest();
	#dataset: ViewerState["dataset"];
	#key: string | undefined;
	/** Notes set by the page, which then stores them. */
	#given: readonly Note[] | undefined;
	/** Changes that could not be stored, by the name under which notes are stored. */
	readonly #unstored = new Map<string | undefined, NoteChanges>();

	constructor(
		store: Store<ViewerState>,
		{ host = PAGE_HOST, beside = () => undefined }: NotesStoreOptions = {},
	) {
		this.#store = store;
		this.#host = host;
		this.#beside = beside;
		this.#unsubscribe = store.subscribe((state) => this.#follow(state));
		this.#follow(store.state);
	}

	dispose(): void {
		this.#unsubscribe();
		this.#reading.cancel();
		this.#host.removeEventListener("storage", this.#onStorage);
	}

	/**
	 * Replaces all notes by those of the page, and stops storing them in the browser;
	 * undefined shows the stored ones again. Throws a BevError for invalid notes.
	 */
	give(notes: readonly Note[] | undefined): void {
		this.#given = notes && notesFrom(notes);
		this.#show(this.#kept());
	}

	/**
	 * Adds notes; an equal id replaces a note. Returns whether they are stored; otherwise
	 * they last as long as the page.
	 *
	 * @throws BevError for invalid notes, and `limit_exceeded` for more than 5,000
	 */
	put(...notes: readonly Note[]): boolean {
		const changes = new Map(notesFrom(notes).map((note) => [note.id, note]));
		return this.#change(changes, fittingNotes);
	}

	/** Removes a note. */
	remove(id: string): void {
		this.#change(new Map([[id, undefined]]), changedNotes);
	}

	#follow({ dataset, place }: ViewerState): void {
		if (dataset?.scenes === this.#dataset?.scenes) return; // edited, perhaps
		const isFirst = this.#dataset === undefined;
		this.#dataset = dataset;
		this.#reading.cancel();
		this.#store.patch({ notesBeside: [] });
		if (!dataset) {
			this.#key = undefined;
			// Otherwise the page would hold removed viewers.
			this.#host.removeEventListener("storage", this.#onStorage);
			return;
		}
		this.#host.addEventListener("storage", this.#onStorage);
		this.#key = place && PREFIX + identityOf(place, this.#host.base);
		if (this.#key === undefined) this.#unstored.delete(undefined); // another data set
		// Notes of the page belong to the data set that is opened first, or was open.
		if (this.#given && !isFirst) this.#given = [];
		this.#show(this.#kept());
		this.#readBeside(place);
	}

	/** Reads the document of notes beside the data set, if there is one. */
	#readBeside(place: Place | undefined): void {
		const source = this.#beside();
		if (!source || !place) return;
		const name = place.kind === "address" ? nameOf(place.address) : place.name;
		void this.#reading.run((signal) => readNotesBeside(source, name, signal), {
			done: (notesBeside) => {
				this.#store.patch({ notesBeside });
				this.#show(this.#kept());
			},
			failed: (error) => this.#tell(`${NOTES_FILE} is not shown: ${messageOf(error)}`),
		});
	}

	/**
	 * Shows the page's notes, if it stores them; otherwise those of the browser, which
	 * replace notes beside the data set of the same id.
	 */
	#show(own: readonly Note[]): void {
		const { notesBeside } = this.#store.state;
		const changes = new Map(own.map((note) => [note.id, note]));
		const notes = notesBeside.length > 0 ? changedNotes(notesBeside, changes) : own;
		this.#store.patch({ notes: this.#given ?? notes });
	}

	/** Changes the notes; returns whether they are stored. */
	#change(changes: NoteChanges, change: typeof changedNotes): boolean {
		if (this.#given) {
			this.#given = change(this.#given, changes);
			this.#show([]);
			return true;
		}
		// If storage is forbidden or full, notes last as long as the page.
		const all = new Map([...(this.#unstored.get(this.#key) ?? []), ...changes]);
		const notes = change(this.#stored(), all);
		const isStored = this.#write(notes);
		if (isStored) this.#unstored.delete(this.#key);
		else this.#unstored.set(this.#key, all);
		this.#show(notes);
		return isStored;
	}

	/** Returns the stored notes, with the changes that could not be stored. */
	#kept(): readonly Note[] {
		return changedNotes(this.#stored(), this.#unstored.get(this.#key) ?? new Map());
	}

	#stored(): readonly Note[] {
		const text = this.#text();
		if (this.#key === undefined || text === null) return [];
		try {
			return notesFrom(JSON.parse(text));
		} catch (error) {
			this.#tell(`stored ones cannot be read: ${String(error)}`);
			// The next change replaces them.
			this.#aside(text);
			return [];
		}
	}

	/** Stores a text that is not a list of notes under another name. */
	#aside(text: string): void {
		try {
			this.#host.storage().setItem(`${this.#key} (unread)`, text);
		} catch {
			// Full: the text stays where it is until the next change.
		}
	}

	/** Returns what is stored; null if nothing is, or if storage is forbidden. */
	#text(): string | null {
		try {
			return this.#key === undefined ? null : this.#host.storage().getItem(this.#key);
		} catch {
			return null;
		}
	}

	/** Returns whether the notes are stored. */
	#write(notes: readonly Note[]): boolean {
		if (this.#key === undefined) return false;
		try {
			if (notes.length > MAX_NOTES) throw new RangeError(`more than ${MAX_NOTES}`);
			const storage = this.#host.storage();
			if (notes.length === 0) storage.removeItem(this.#key);
			else storage.setItem(this.#key, JSON.stringify(notes));
			return true;
		} catch (error) {
			this.#tell(`not stored in this browser: ${String(error)}. Save them as JSON.`);
			return false;
		}
	}

	#tell(why: string): void {
		const fault = { code: "notes", what: "Notes", why } as const;
		this.#store.patch(withFault(this.#store.state, fault));
	}

	readonly #onStorage = ({ key }: StorageEvent): void => {
		if (key !== this.#key || this.#given || key === null) return;
		this.#show(this.#kept());
	};
}
