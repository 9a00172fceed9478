import type { BevError } from "../base/errors.js";
import { isDocument, MAX_DOCUMENT_BYTES } from "./document.js";
import {
	cut,
	type FetchSourceOptions,
	type Job,
	type Outcome,
	type Sending,
	type Tagged,
	Transient,
	WHOLE,
} from "./fetch-job.js";
import type { Exchange } from "./http.js";
import { judge } from "./judge.js";
import { MetadataPins } from "./metadata-pins.js";
import { remember } from "./remember.js";
import { jobError, Requests, refused } from "./requests.js";
import { RangeSupport } from "./server-traits.js";
import {
	type Contradiction,
	KnownValidators,
	type Validator,
	validatorOf,
} from "./validator.js";

/** Default maximum object size in bytes. */
const MAX_BYTES = 2 ** 31;

/**
 * The attempt that requests the whole object instead of a range, up to a maximum
 * length.
 */
const WHOLE_ATTEMPT = 2;
const MAX_WHOLE_BYTES = 2 ** 26;

/** Maximum number of absent objects whose status is remembered. */
const MAX_ABSENT = 1000;

/** What single attempts need of their source. */
export interface Around {
	/** Number of attempts after the first. */
	readonly retries: number;
	/** Returns a request besides the reads of data, which bypasses caches. */
	aside(key: string, signal: AbortSignal | undefined): Job;
	/** Reads the current version of a document. */
	reread(key: string, signal: AbortSignal): Promise<Tagged | undefined>;
	/** Called when the server says that an object is absent. */
	shown(): void;
}

/**
 * Single attempts to read the objects of a FetchSource: sends a request, judges the response,
 * and compares it with what was known of the object and the server. Does not retry.
 */
export class Attempts {
	readonly states = new KnownValidators();
	/** Optional keys that are presumed absent. */
	readonly presumed: string[] = [];
	/** Statuses of absent objects, in order of the answers. */
	readonly absent = new Map<string, number>();
	readonly requests: Requests;
	readonly #options: FetchSourceOptions;
	readonly #around: Around;
	readonly #ranges = new RangeSupport();
	readonly #pins: MetadataPins;
	/**
	 * The last object read whole instead of a range; its other ranges are likely to
	 * follow.
	 */
	#last: (Tagged & { readonly key: string }) | undefined;
	#refusesHead = false;

	/** @param isForeign whether the browser hides what the server does not expose */
	constructor(options: FetchSourceOptions, isForeign: boolean, around: Around) {
		this.#options = options;
		this.#around = around;
		this.requests = new Requests(options, isForeign);
		this.#pins = new MetadataPins(around.reread);
	}

	/** Does not reuse earlier responses for `key`, whose bytes were damaged. */
	forget(key: string): void {
		if (this.#last?.key === key) this.#last = undefined;
		this.requests.distrust(key);
	}

	/** Notes that an optional object is presumed absent. */
	presume({ key }: Job): undefined {
		if (!this.presumed.includes(key)) this.presumed.push(key);
	}

	/** Throws `changed` if the data set is known to have changed. */
	requireUnchanged(job: Job): void {
		const { changed } = this.#pins;
		if (changed) throw changedError(job, changed);
	}

	/** Makes an attempt, by its number and the failure of the one before. */
	next(job: Job, attempt: number, failed: Transient | undefined): Promise<Outcome> {
		return this.run(job, this.#sending(job, attempt, failed));
	}

	/**
	 * Chooses how to send an attempt. One attempt reads the whole object if ranges may be
	 * the cause of the failure: if no response was visible, or a range was unusable because
	 * the server compresses it.
	 */
	#sending(
		{ key, range }: Job,
		attempt: number,
		failed: Transient | undefined,
	): Sending {
		const isDoc = isDocument(key);
		const limit = this.#options.maxBytes ?? (isDoc ? MAX_DOCUMENT_BYTES : MAX_BYTES);
		if (!range) return { ranged: false, limit };
		const length = this.states.length(key) ?? 0;
		const isLast = attempt === this.#around.retries;
		const isCause = failed?.isOpaque || failed?.error.status === 206;
		if (isCause && attempt === WHOLE_ATTEMPT && !isLast && length <= MAX_WHOLE_BYTES) {
			return { ranged: false, limit: Math.min(limit, MAX_WHOLE_BYTES), isTrial: true };
		}
		return { ranged: this.#ranges.isWorthAsking(), limit };
	}

	/** Makes one attempt. Throws failures that a retry cannot fix. */
	async run(asked: Job, sending: Sending): Promise<Outcome> {
		const { key, range } = asked;
		if (range && this.#last?.key === key) return cut(this.#last, range);
		const answer = await this.requests.send(asked, sending);
		if (answer instanceof Transient) return answer;
		const { response } = answer;
		const job = { ...asked, status: response.status };
		const { verdict, problem } = judge(answer, {
			range: sending.ranged ? range : undefined,
			forbiddenIsAbsent: this.#options.forbiddenIsAbsent,
		});
		switch (verdict) {
			case "absent":
				return this.#noteAbsent(job);
			case "denied":
				if (await this.#isAbsent(job)) return this.#noteAbsent(job);
				break;
			case "ask-whole":
				return this.#askWhole(job, sending, problem);
			case "web-page":
				if (!job.required) return this.presume(job);
				throw jobError(job, "unexpected response (found a web page, expected data)");
			case "part":
				return this.#part(job, answer);
			case "whole":
				return this.#whole(job, sending, answer);
		}
		if (problem === undefined) return refused(job, response);
		return new Transient(jobError(job, problem));
	}

	/**
	 * Returns the server's current state of the object of `job`, by one request; `job.known`
	 * itself if it is unchanged.
	 */
	async state(job: Job): Promise<Validator | undefined> {
		if (this.#refusesHead) return undefined;
		const seen = await this.#head(job);
		if (!seen) return undefined;
		const answered = { ...job, status: seen === job.known ? 304 : 200 };
		await this.#check(answered, seen);
		const { etag, modified } = seen;
		if (etag ?? modified) {
			const state = { ...(etag && { etag }), ...(modified && { modified }) };
			this.#refuse(answered, this.states.note(job.key, state));
		}
		return seen;
	}

	/** Returns whether a key is readable now. */
	async isReadable(key: string, signal: AbortSignal | undefined): Promise<boolean> {
		const answer = await this.requests.send(this.#around.aside(key, signal), WHOLE);
		return !(answer instanceof Transient) && answer.response.ok;
	}

	/** Whether 403 means that an object is absent. */
	async #isAbsent({ key, signal }: Job): Promise<boolean> {
		if (!isDocument(key)) return false;
		const { isDescribed } = await import("./denied.js");
		return isDescribed(key, (other) => this.isReadable(other, signal));
	}

	#noteAbsent({ key, status = 404 }: Job): undefined {
		this.#around.shown();
		remember(this.absent, key, status, MAX_ABSENT);
	}

	/**
	 * Reads the object instead of a range. Only up to a limit if the server encodes
	 * ranges, because then every range costs the object.
	 */
	async #askWhole(job: Job, sending: Sending, problem?: string): Promise<Outcome> {
		const whole = { ...sending, ranged: false };
		if (problem === undefined) return this.run(job, whole);
		const limit = Math.min(sending.limit, MAX_WHOLE_BYTES);
		const outcome = await this.run(job, { ...whole, limit, isTrial: true });
		return outcome instanceof Transient
			? new Transient(jobError(job, problem))
			: outcome;
	}

	async #whole(
		job: Job,
		{ ranged }: Sending,
		{ response, bytes }: Exchange,
	): Promise<Tagged> {
		const { key, range } = job;
		this.requests.trust(key);
		const tagged = { bytes, validator: validatorOf(response, bytes.length) };
		if (job.fresh) return tagged;
		this.#refuse(job, this.states.noteWhole(key, tagged.validator));
		if (isDocument(key)) this.#pins.pin(key, tagged, response.headers.get("Date"));
		else await this.#check(job, tagged.validator);
		if (!range) return tagged;
		if (ranged) this.#ranges.ignored();
		this.#last = { key, ...tagged };
		return cut(this.#last, range);
	}

	async #part(job: Job, { response, bytes }: Exchange): Promise<Tagged> {
		this.#ranges.honoured();
		const validator = validatorOf(response, bytes.length);
		this.#refuse(job, this.states.note(job.key, validator));
		await this.#check(job, validator);
		return { bytes, validator };
	}

	/**
	 * Sends one conditional request; unconditional to another origin, where it would need
	 * a preflight.
	 */
	async #head(job: Job): Promise<Validator | undefined> {
		const answer = await this.requests.send(job, WHOLE);
		if (answer instanceof Transient) return undefined;
		const { status, headers } = answer.response;
		if (status === 304) return job.known;
		if (status === 405 || status === 501) this.#refusesHead = true;
		if (status !== 200) return undefined;
		// The Content-Length of an encoded response is not the object's length.
		const said = headers.get("Content-Encoding") ? null : headers.get("Content-Length");
		return validatorOf(answer.response, said ? Number(said) : undefined);
	}

	/** Throws an error if a response contradicts an earlier one. */
	#refuse(job: Job, found: Contradiction | undefined): void {
		if (found?.isChange) throw changedError(job, found.how);
		if (found) throw jobError(job, `lengths differ (found ${found.how})`);
	}

	/** Throws `changed` if the object belongs to another version of the data set. */
	async #check(job: Job, seen: Validator): Promise<void> {
		const changed = await this.#pins.check(seen, job.signal);
		if (changed) throw changedError(job, changed);
	}
}

function changedError(job: Job, how: string): BevError {
	const said = `changed on the server (${how}); open the data set again`;
	return jobError(job, said, {}, "changed");
}
