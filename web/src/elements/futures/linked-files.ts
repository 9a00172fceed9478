import { noticeOf } from "../review/awaited-files.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";

/** Marks the name of a local file among the addresses of a link. */
const LOCAL = "local:";
/** Number of files that a notice names. */
const MAX_NAMED = 5;

/** Shards of a submission have the name before their numbers in common. */
export function keyOf(name: string): string {
	return name.replace(/-\d{5}-of-\d{5}$/, "");
}

/** Returns how a link names a local file. */
export function localEntry(name: string): string {
	return `${LOCAL}${name.replace(/[%|?#@/\\]/g, encodeURIComponent)}`;
}

/** Returns the name of a link's local file; undefined for an address. */
export function localName(entry: string): string | undefined {
	if (!entry.startsWith(LOCAL)) return undefined;
	const name = entry.slice(LOCAL.length);
	try {
		return decodeURIComponent(name);
	} catch {
		return name; // a stray % is literal
	}
}

/** The files of the last opened link: their order, and the local ones, which are asked for. */
export class LinkedFiles {
	readonly #store: Store<ViewerState>;
	#order: readonly string[] = [];
	#awaited: readonly string[] = [];
	#asked: string | undefined;

	constructor(store: Store<ViewerState>) {
		this.#store = store;
	}

	/** Local files of the link that were not opened yet. */
	get awaited(): readonly string[] {
		return this.#awaited;
	}

	/** The notice that asks for them. */
	get asked(): string | undefined {
		return this.#asked;
	}

	/** Takes over the files of a link; `open` are those that are open. */
	expect(entries: readonly string[], open: readonly string[]): void {
		this.#order = entries;
		const local = entries.filter((one) => localName(one) !== undefined);
		const awaited = local.filter((one) => !open.includes(one));
		if (awaited.length + this.#awaited.length > 0) this.#ask(awaited);
	}

	/** Ends asking for files that are open now. */
	arrived(open: readonly string[]): void {
		const left = this.#awaited.filter((one) => !open.includes(one));
		if (left.length < this.#awaited.length) this.#ask(left);
	}

	/** Returns where a file belongs among open ones: in the order of the link, or last. */
	place(entry: string, open: readonly string[]): number {
		const own = this.#order.indexOf(entry);
		const after = open.findIndex((one) => this.#order.indexOf(one) > own);
		return own < 0 || after < 0 ? open.length : after;
	}

	#ask(awaited: readonly string[]): void {
		this.#awaited = awaited;
		const others = this.#store.state.notices.filter((one) => one !== this.#asked);
		this.#asked = awaited.length > 0 ? askedFor(awaited) : undefined;
		const notices = this.#asked === undefined ? others : [...others, this.#asked];
		this.#store.patch({ notices });
	}
}

function askedFor(entries: readonly string[]): string {
	const names = entries.map((one) => localName(one) ?? one);
	const more = names.length > MAX_NAMED ? ["…"] : [];
	return noticeOf("results", [...names.slice(0, MAX_NAMED), ...more]);
}
