import type { RemoteSubmission } from "../../reviewing/remote-futures.js";
import type { FuturesHorizon } from "./futures-state.js";
import type { ScoreSource } from "./score-source.js";
import { submissionScores } from "./submission-scores.js";

/** Maximum number of files of scores. */
const MAX_FILES = 8;

/** An open submission, by its name without the number of a shard. */
export interface NamedSubmission {
	readonly key: string;
	readonly submission: RemoteSubmission | undefined;
}

/** What can be ranked, and A and B of it. */
export interface Ranked {
	readonly sources: readonly ScoreSource[];
	/** A, or A and B. */
	readonly scored: readonly ScoreSource[];
}

/** Keys or names of A and B; undefined: the usual one; no B at all: null. */
interface Chosen {
	readonly a: string | undefined;
	readonly b: string | undefined | null;
}

const USUAL: Chosen = { a: undefined, b: undefined };

/** Returns A or B for links; separators in names are escaped. */
function sideText(side: "a" | "b", name: string): string {
	return `${side}:${name.replace(/[%;]/g, encodeURIComponent)}`;
}

/** Returns the key of an open submission among the sources. */
export function submissionKey(key: string): string {
	return `submission ${key}`;
}

/** Chooses A and B among submissions and files of scores: usually the first two. */
export class ScoreChoice {
	#files: readonly ScoreSource[] = [];
	/** How links name the files, by their keys. */
	readonly #entries = new Map<string, string>();
	/** Names of all sources so far, by their keys. */
	readonly #names = new Map<string, string>();
	#chosen: Chosen = USUAL;
	#before: { readonly of: readonly unknown[]; readonly ranked: Ranked } | undefined;

	/** The files of scores. */
	get files(): readonly ScoreSource[] {
		return this.#files;
	}

	/** How links name the files, in their order. */
	get entries(): readonly string[] {
		return this.#files.flatMap(({ key }) => this.#entries.get(key) ?? []);
	}

	/**
	 * Adds a file, instead of the one of its name; the first one gives way. `place` returns
	 * its index among the others.
	 */
	add(
		scores: ScoreSource,
		entry: string,
		place: (others: readonly string[]) => number = (others) => others.length,
	): void {
		this.remove(scores.key);
		const at = place(this.entries);
		const all = [...this.#files.slice(0, at), scores, ...this.#files.slice(at)];
		this.#entries.set(scores.key, entry);
		this.#files = all.slice(-MAX_FILES);
	}

	remove(key: string): void {
		this.#files = this.#files.filter((one) => one.key !== key);
		this.#entries.delete(key);
	}

	/** Chooses A or B by its key; no B by null. What the other one was changes places. */
	choose(side: "a" | "b", key: string | null): void {
		const [a, b] = this.#before?.ranked.scored.map((one) => one.key) ?? [];
		const now: Chosen = { a, b: b ?? null };
		if (side === "a" && key !== null)
			this.#chosen = { a: key, b: key === b ? a : now.b };
		else if (side === "b") this.#chosen = { a: key === a ? b : a, b: key };
	}

	/** A and B in links, to be parsed by `show`; undefined for the usual ones. */
	get text(): string | undefined {
		const { a, b } = this.#chosen;
		const name = (key: string): string => this.#names.get(key) ?? key;
		const sides = [
			...(a === undefined ? [] : [sideText("a", name(a))]),
			...(b === undefined ? [] : [sideText("b", b === null ? "" : name(b))]),
		];
		return sides.length > 0 ? sides.join(";") : undefined;
	}

	/** Chooses A and B as a link does, also among files that are not open yet. */
	show(text: string): void {
		const side = (name: string): string | undefined => {
			const part = text.split(";").find((one) => one.startsWith(`${name}:`));
			return part?.slice(2).replaceAll("%3B", ";").replaceAll("%25", "%");
		};
		const [a, b] = [side("a"), side("b")];
		this.#chosen = { a: a || undefined, b: b === "" ? null : b };
	}

	/** Returns what is ranked: the same lists while it is the same. */
	ranked(
		open: readonly NamedSubmission[],
		seconds: FuturesHorizon | undefined,
	): Ranked {
		const ready = open.flatMap(({ submission }) => submission ?? []);
		const of = [seconds, this.#chosen, ...ready, ...this.#files];
		const before = this.#before;
		if (before?.of.length === of.length && before.of.every((one, i) => one === of[i]))
			return before.ranked;
		const named = open.flatMap(({ key, submission }) =>
			submission
				? [submissionScores(submissionKey(key), key, { submission, seconds })]
				: [],
		);
		const sources = [...named, ...this.#files];
		for (const { key, name } of sources) this.#names.set(key, name);
		const found = (key: string | undefined | null) =>
			sources.find((one) => one.key === key || one.name === key);
		const a =
			found(this.#chosen.a) ?? sources.find((one) => one !== found(this.#chosen.b));
		const first = sources.find((one) => one !== a);
		const b = this.#chosen.b === null ? undefined : (found(this.#chosen.b) ?? first);
		const scored = [a, b === a ? first : b].filter((one) => one !== undefined);
		this.#before = { of, ranked: { sources, scored } };
		return this.#before.ranked;
	}
}
