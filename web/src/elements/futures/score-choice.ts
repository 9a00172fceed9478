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

/** Keys of A and B; undefined: the usual one; no B at all: null. */
interface Chosen {
	readonly a: string | undefined;
	readonly b: string | undefined | null;
}

const USUAL: Chosen = { a: undefined, b: undefined };

/** Returns the key of an open submission among the sources. */
export function submissionKey(key: string): string {
	return `submission ${key}`;
}

/** Chooses A and B among submissions and files of scores: usually the first two. */
export class ScoreChoice {
	#files: readonly ScoreSource[] = [];
	#chosen: Chosen = USUAL;
	#before: { readonly of: readonly unknown[]; readonly ranked: Ranked } | undefined;

	/** The files of scores. */
	get files(): readonly ScoreSource[] {
		return this.#files;
	}

	/** Adds a file, in place of the one of its name; the oldest one gives way. */
	add(scores: ScoreSource): void {
		const others = this.#files.filter(({ key }) => key !== scores.key);
		this.#files = [...others, scores].slice(-MAX_FILES);
	}

	remove(key: string): void {
		this.#files = this.#files.filter((one) => one.key !== key);
	}

	/** Chooses A or B by its key; no B by null. What the other one was changes places. */
	choose(side: "a" | "b", key: string | null): void {
		const [a, b] = this.#before?.ranked.scored.map((one) => one.key) ?? [];
		const now: Chosen = { a, b: b ?? null };
		if (side === "a" && key !== null)
			this.#chosen = { a: key, b: key === b ? a : now.b };
		else if (side === "b") this.#chosen = { a: key === a ? b : a, b: key };
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
		const found = (key: string | undefined | null) =>
			sources.find((one) => one.key === key);
		const a =
			found(this.#chosen.a) ?? sources.find((one) => one.key !== this.#chosen.b);
		const first = sources.find((one) => one !== a);
		const b = this.#chosen.b === null ? undefined : (found(this.#chosen.b) ?? first);
		const scored = [a, b === a ? first : b].filter((one) => one !== undefined);
		this.#before = { of, ranked: { sources, scored } };
		return this.#before.ranked;
	}
}
