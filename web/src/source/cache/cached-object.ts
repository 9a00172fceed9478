import { SharedTask } from "../../base/shared-task.js";
import type { ByteRange } from "../source.js";
import { compare, hashOfText, type Validator } from "../validator.js";
import type { CacheFiles } from "./cache-files.js";
import { type CachedRange, CachedRanges } from "./cached-ranges.js";
import { bytesOf, encode, type Placed, parse, type RecordHead } from "./record.js";

/**
 * Maximum bytes of an object per file. Long objects, such as a .zip, use several files,
 * which are listed, appended to and evicted independently.
 */
const SEGMENT = 2 ** 22;
/**
 * Maximum number of files to look up for a range, which may reach far past the object's
 * end.
 */
const MAX_SEGMENTS = 512;

/** The records in one file. */
interface Segment {
	readonly name: string;
	readonly records: Placed[];
	/** The records of the object's current state; undefined while that is unknown. */
	held: CachedRanges<Placed> | undefined;
}

/** A byte range of a cached object, and its location. */
export type Part = CachedRange<{ readonly segment: Segment; readonly placed: Placed }>;

/** Decides whether a record belongs to the state `now`. */
export type Judge = (head: RecordHead, now: Validator) => boolean;

export interface CachedObjectOptions {
	readonly files: CacheFiles;
	/** The object's URL without its query. */
	readonly address: string;
	readonly judge: Judge;
	/**
	 * Asks the server for the object's state; `known` is the state of the cached bytes.
	 */
	readonly fetchState: (
		known: Validator,
		signal: AbortSignal,
	) => Promise<Validator | undefined>;
}

/** One object: its state on the server, and its ranges in storage. */
export class CachedObject {
	readonly #options: CachedObjectOptions;
	readonly #segments = new Map<number, SharedTask<Segment>>();
	readonly #confirming: SharedTask<void>;
	#known: Validator = {};
	#now: Validator | undefined;
	#state = 0;

	constructor(options: CachedObjectOptions) {
		this.#options = options;
		this.#confirming = new SharedTask(async (signal) => {
			const seen = await options.fetchState(this.#known, signal);
			if (seen) this.saw(seen);
		});
	}

	/** The object's length in bytes, if known. */
	get length(): number | undefined {
		return this.#now?.length;
	}

	/** Counter that increases when the object has changed on the server. */
	get state(): number {
		return this.#state;
	}

	/**
	 * Revalidates the object with the server, once, if anything of `range` is cached. All
	 * readers share the request; one reader's abort does not end it for the others.
	 */
	async confirm(
		range: ByteRange | undefined,
		signal: AbortSignal | undefined,
	): Promise<void> {
		if (this.#now) return;
		const segments = await this.#segmentsOf(range ?? { begin: 0, end: 1 });
		const last = segments.flatMap(({ records }) => records).at(-1);
		if (!last || this.#now) return;
		this.#known = last.head.validator;
		await this.#confirming.join(signal);
	}

	/** Records the object's state from a response. */
	saw(seen: Validator): void {
		if (this.#now && compare(this.#now, seen) === "changed") {
			this.#state += 1;
			this.#now = undefined;
			for (const segment of this.#segments.values()) segment.forget();
		}
		this.#now = { ...this.#now, ...seen };
	}

	/** Removes the cached bytes. The instance must not be used for further reads. */
	remove(): void {
		this.#state += 1;
		for (const index of this.#segments.keys())
			this.#options.files.remove(this.#nameOf(index));
	}

	/** Returns the cached parts of `range`, in order. */
	async parts(range: ByteRange): Promise<Part[]> {
		const now = this.#now;
		if (!now) return [];
		const segments = await this.#segmentsOf(range);
		return segments.flatMap((segment) => {
			const held = this.#held(segment, now).within(range);
			return held.map(({ holder, ...part }) => ({
				...part,
				holder: { segment, placed: holder },
			}));
		});
	}

	/**
	 * Copies the bytes of `parts` to `target`, whose first byte is byte `origin` of the
	 * object. Returns false if storage has lost any of them.
	 */
	async copy(
		parts: readonly Part[],
		target: Uint8Array,
		origin: number,
	): Promise<boolean> {
		const segments = new Set(parts.map(({ holder }) => holder.segment));
		for (const segment of segments) {
			const own = parts.filter(({ holder }) => holder.segment === segment);
			const whole = await this.#options.files.use(segment.name, async (file) => {
				for (const part of own) {
					const { placed } = part.holder;
					const bytes = await bytesOf(file, placed);
					if (!bytes) return false;
					const { begin } = placed.head;
					const wanted = bytes.subarray(part.begin - begin, part.end - begin);
					target.set(wanted, part.begin - origin);
				}
				return true;
			});
			if (whole) continue;
			segment.held?.remove(new Set(own.map(({ holder }) => holder.placed)));
			return false;
		}
		return true;
	}

	/** Queues writes of bytes to storage. */
	keep(
		{ begin, metadata }: Pick<RecordHead, "begin" | "metadata">,
		bytes: Uint8Array,
		validator: Validator,
	): void {
		const { files, address } = this.#options;
		const state = this.#state;
		for (let from = 0; from < bytes.length; ) {
			const index = Math.floor((begin + from) / SEGMENT);
			const to = Math.min(bytes.length, (index + 1) * SEGMENT - begin);
			const given = { of: address, begin: begin + from, validator, metadata };
			const { head, record, start } = encode(given, bytes.subarray(from, to));
			files.append(this.#nameOf(index), record, async (at) => {
				const segment = await this.#segment(index).join();
				if (state !== this.#state) return;
				const placed = { head, at: at + start };
				segment.records.push(placed);
				segment.held?.add(head, placed);
			});
			from = to;
		}
	}

	#nameOf(index: number): string {
		const { address } = this.#options;
		return hashOfText(index === 0 ? address : `${index} ${address}`).toString(36);
	}

	#segment(index: number): SharedTask<Segment> {
		const known = this.#segments.get(index);
		if (known) return known;
		const reading = new SharedTask(async (): Promise<Segment> => {
			const name = this.#nameOf(index);
			const found = (await this.#options.files.use(name, parse)) ?? [];
			const records = found.filter(({ head }) => head.of === this.#options.address);
			return { name, records, held: undefined };
		});
		this.#segments.set(index, reading);
		return reading;
	}

	#segmentsOf({ begin, end }: ByteRange): Promise<Segment[]> {
		const first = Math.floor(begin / SEGMENT);
		const reached = Math.max(0, Math.ceil(end / SEGMENT) - first);
		const count = Math.min(reached, MAX_SEGMENTS);
		const indices = Array.from({ length: count }, (_, i) => first + i);
		return Promise.all(indices.map((index) => this.#segment(index).join()));
	}

	/**
	 * Returns the segment's ranges of the current state. Removes the file if it contains
	 * only records of other states.
	 */
	#held(segment: Segment, now: Validator): CachedRanges<Placed> {
		if (segment.held) return segment.held;
		const { judge, files } = this.#options;
		const good = segment.records.filter(({ head }) => judge(head, now));
		if (good.length === 0 && segment.records.length > 0) files.remove(segment.name);
		segment.held = new CachedRanges();
		for (const placed of good) segment.held.add(placed.head, placed);
		return segment.held;
	}
}
