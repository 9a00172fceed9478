import { FetchSource } from "../source/fetch-source.js";
import { FileSource } from "../source/file-source.js";
import type { Source } from "../source/source.js";

/** What a source tells of an object without reading it. */
export interface KnownObject {
	readonly size: number;
	/** Time of the last change, in milliseconds; NaN if it is unknown. */
	readonly modified: number;
}

/** Objects whose states are asked for at the same time: now, and in the background. */
const CONCURRENT = 32;
const CONCURRENT_LATER = 2;

/** Time for which states are used again. */
const FRESH_MS = 60_000;

type States = readonly (KnownObject | undefined)[];

interface Asked {
	/** The objects' names, and the state of the facts. */
	readonly of: string;
	readonly states: States;
	readonly at: number;
}

const checks = new WeakMap<Source, DataCheck>();

/** Asks a source for the states of a data set's objects: at once, or after searches. */
export class DataCheck {
	readonly #source: Source;
	#asked: Asked | undefined;
	/** The background work, and what it is of. */
	#later: { readonly of: string; readonly done: Promise<States> } | undefined;
	#searches = 0;
	#waiting: (() => void)[] = [];

	private constructor(source: Source) {
		this.#source = source;
	}

	/** Returns the check of a source, which all searches share. */
	static of(source: Source): DataCheck {
		const known = checks.get(source) ?? new DataCheck(source);
		checks.set(source, known);
		return known;
	}

	/** Delays work in the background until the returned function is called. */
	hold(): () => void {
		this.#searches += 1;
		let isHeld = true;
		return () => {
			this.#searches -= Number(isHeld);
			isHeld = false;
			if (this.#searches > 0) return;
			for (const go of this.#waiting.splice(0)) go();
		};
	}

	/** Returns states that were asked for in the last minute; undefined if none were. */
	known(keys: readonly string[], facts: KnownObject): States | undefined {
		const { of, states, at } = this.#asked ?? {};
		const isFresh = at !== undefined && performance.now() - at < FRESH_MS;
		return isFresh && of === nameOf(keys, facts) ? states : undefined;
	}

	/** Asks for all states at once. */
	async now(
		keys: readonly string[],
		facts: KnownObject,
		signal: AbortSignal | undefined,
	): Promise<States> {
		const known = this.known(keys, facts);
		return known ?? this.#ask(keys, facts, { concurrent: CONCURRENT, signal });
	}

	/** Asks for a few at a time, while no search is running. */
	later(keys: readonly string[], facts: KnownObject): Promise<States> {
		const known = this.known(keys, facts);
		if (known) return Promise.resolve(known);
		const of = nameOf(keys, facts);
		if (this.#later?.of === of) return this.#later.done;
		const before = (): Promise<void> => this.#idle();
		const done = this.#ask(keys, facts, { concurrent: CONCURRENT_LATER, before });
		const later = { of, done };
		this.#later = later;
		const ended = (): void => {
			if (this.#later === later) this.#later = undefined;
		};
		done.then(ended, ended);
		return done;
	}

	async #ask(
		keys: readonly string[],
		facts: KnownObject,
		{ concurrent, signal, before }: Asking,
	): Promise<States> {
		const at = performance.now();
		const states: (KnownObject | undefined)[] = new Array(keys.length);
		let next = 0;
		const work = async (): Promise<void> => {
			for (let i = next++; i < keys.length; i = next++) {
				await before?.();
				states[i] = await stateOf(this.#source, keys[i] as string, signal);
			}
		};
		await Promise.all(Array.from({ length: concurrent }, work));
		this.#asked = { of: nameOf(keys, facts), states, at };
		return states;
	}

	async #idle(): Promise<void> {
		while (this.#searches > 0)
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
	}
}

interface Asking {
	readonly concurrent: number;
	readonly signal?: AbortSignal | undefined;
	/** Called before each request. */
	readonly before?: () => Promise<void>;
}

function nameOf(keys: readonly string[], { size, modified }: KnownObject): string {
	return `${keys.length} ${keys.at(-1)} ${size} ${modified}`;
}

/** Returns an object's state; undefined if the source does not tell it. */
export async function stateOf(
	source: Source,
	key: string,
	signal: AbortSignal | undefined,
): Promise<KnownObject | undefined> {
	try {
		if (source instanceof FetchSource) {
			const state = await source.fetchState(key, {}, signal);
			if (state?.length === undefined) return undefined;
			return { size: state.length, modified: Date.parse(state.modified ?? "") };
		}
		const file = source instanceof FileSource ? await source.file(key) : undefined;
		if (!(file instanceof File)) return undefined;
		return { size: file.size, modified: file.lastModified };
	} catch {
		signal?.throwIfAborted();
		return undefined; // then facts of its scenes are computed
	}
}
