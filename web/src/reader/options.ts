import { check, hasMembers } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import { coreNames, type FormerNames, type WithFormer } from "../base/names.js";
import { checkPlain } from "../base/plain.js";
import {
	type Config,
	type FrameMinima,
	jsonOf,
	type SampleOptions,
} from "../samples/options.js";

/** A filter as a tree, see docs/filters.md. */
export type FilterTree =
	| boolean
	| number
	| string
	| {
			/** Name of a field. */
			readonly field: string;
			/** Element of a field with several, from 0. */
			readonly index?: number;
	  }
	| {
			/** Decimal digits of an integer beyond 2^53. */
			readonly integer: string;
	  }
	| {
			/** Operator or function, as in the text form. */
			readonly op: string;
			/** Operands, in order. */
			readonly args?: readonly FilterTree[];
			/** Label of `label_prob`. */
			readonly label?: string;
			/** Tag of `has_tag`. */
			readonly tag?: string;
			/** Fractions of `hash_split`. */
			readonly fractions?: readonly number[];
			/** Index of the chosen fraction of `hash_split`. */
			readonly part?: number;
			/** Seed of `hash_split`. Default 0. */
			readonly seed?: number;
	  };

/** Names of fields; a regular expression selects all fields it matches. */
export type FieldNames = readonly (string | RegExp)[];

/** The rows of the same frame or track around each row, within one scene. */
export interface WindowOptions<K extends string = string> {
	/** Rows before. Default 0. */
	readonly past?: number | undefined;
	/** Rows after. Default 0. */
	readonly future?: number | undefined;
	/** Frames from one row of the window to the next. Default 1. */
	readonly step?: number | undefined;
	/** Only every `stride`-th frame of a scene has windows. Default 1. */
	readonly stride?: number | undefined;
	/** False if no row may be in two windows of a track. Default true. */
	readonly overlap?: boolean | undefined;
	/**
	 * Incomplete windows: left out (default), padded with zeros, or filled with the
	 * nearest row. `window.mask` says which rows are present.
	 */
	readonly edges?: "drop" | "pad" | "clamp" | undefined;
	/** Windows with a longer time in seconds between two rows are incomplete. */
	readonly maxGapS?: number | undefined;
	/** The integer field of times of a table without frames, for `maxGap`. */
	readonly time?: string | undefined;
	/** As `maxGapS`, of a table without frames, in the unit of the field `time`. */
	readonly maxGap?: number | undefined;
	/** Fields by offset in rows, instead of all fields at all rows. */
	readonly fieldsAt?: Readonly<Record<number, readonly K[] | FieldNames>> | undefined;
}

/**
 * As stored; as stored but in each scene sorted by track; blocks permuted and items among a
 * few blocks; or all items permuted.
 */
export type OrderMode = "none" | "tracks" | "blocks" | "full";

/** Order of the items of an epoch. */
export interface OrderOptions {
	/** Default `none`. */
	readonly mode?: OrderMode | undefined;
	/** Default 0. */
	readonly seed?: number | undefined;
	/** Blocks whose items are permuted together. Default 8. */
	readonly group?: number | undefined;
	/** Whether every epoch has the order of epoch 0. Default false. */
	readonly repeat?: boolean | undefined;
}

/** Which of several readers' items to read. */
export interface ShardOptions {
	/** Number of the shard, from 0. */
	readonly index: number;
	/** Number of shards. */
	readonly count: number;
	/**
	 * Item i belongs to shard i mod count (default); or shards are cut by block, or by
	 * scene.
	 */
	readonly mode?: "strided" | "blocks" | "scene" | undefined;
	/** Makes shards equal by dropping items or repeating them. Default `none`. */
	readonly equal?: "none" | "drop" | "pad" | undefined;
	/** Whether a shard without items is allowed. Default false. */
	readonly allowEmpty?: boolean | undefined;
}

/** Size of batches. */
export interface BatchOptions {
	/** Items of a batch; the last one may have fewer. Default 256. */
	readonly size?: number | undefined;
	/** Whether to leave out a last batch of fewer items. Default false. */
	readonly dropLast?: boolean | undefined;
	/**
	 * One batch per block (scene or chunk), possibly empty, instead of `size`: to show
	 * progress. With order `none` or `tracks`. Default false.
	 */
	readonly byBlock?: boolean | undefined;
}

/**
 * L5Kit's samples instead of rows: one per chosen row, of the ego vehicle for `frames`, of
 * the agent for `agents`. Of agents, those are chosen that L5Kit's AgentDataset has.
 */
export interface ReaderSampleOptions<F extends SampleForm = SampleForm>
	extends Omit<SampleOptions<F>, "signal">,
		FrameMinima {
	/** L5Kit's config. */
	readonly config: Config;
	/** Whether to use the mask in the store, if there is one. Default true. */
	readonly useStored?: boolean | undefined;
}

/** Forms of the images of a reader's samples. */
export type SampleForm = "f32" | "u8" | "none";

/**
 * What a reader reads: rows, filter, windows, order, shard, batches. `K` are the fields, `T`
 * is the table.
 */
export interface ReaderOptions<K extends string = string, T extends string = string>
	extends Partial<FormerNames<Record<"onDamage", "fail" | "skip" | undefined>>> {
	/** Path of an array. Default `agents`. */
	readonly from?: T | undefined;
	/** Only rows that pass this filter: text or tree, see docs/filters.md. */
	readonly where?: string | FilterTree | undefined;
	/**
	 * Columns of the result. Default: the table's stored fields; all arrays of samples.
	 */
	readonly fields?: readonly K[] | FieldNames | undefined;
	/** Reads samples instead of rows, 16 per batch by default. */
	readonly sample?: WithFormer<ReaderSampleOptions> | undefined;
	/** Reads windows instead of rows. */
	readonly window?: WithFormer<WindowOptions<K>> | undefined;
	/** Default `none`. */
	readonly order?: OrderMode | OrderOptions | undefined;
	/** Reads only this shard. */
	readonly shard?: WithFormer<ShardOptions> | undefined;
	/** Number of items, or options. Default 256; 16 samples. */
	readonly batch?: number | WithFormer<BatchOptions> | undefined;
	/**
	 * What becomes of blocks (scenes, or chunks of other tables) with damaged chunks:
	 * reading fails (default), or they are left out and listed in `diagnostics.skipped`.
	 * A failed request is always an error. With order `none` or `blocks`.
	 */
	readonly onDamage?: "fail" | "skip" | undefined;
	/** Converts `centroid`, `velocity` and `yaw` to the frame of the item's agent. */
	readonly transform?: "agent_frame" | undefined;
	/** The first epoch. Default 0. */
	readonly epoch?: number | undefined;
	/** Aborts all reads of the reader. */
	readonly signal?: AbortSignal | undefined;
}

/** A plan without regular expressions; `JSON.stringify` makes the core's JSON. */
export type Plan = Readonly<Record<string, unknown>>;

/** Checks options for what JSON would drop, or write as another value. */
export function checkReader(options: ReaderOptions): void {
	check("reader", options, "options");
	const { fields, window, sample, signal: _, epoch, ...rest } = options;
	check("reader: epoch", epoch, "index");
	check("reader: fields", fields, "list");
	check("reader: window", window, "options");
	check("reader: sample", sample, "options");
	for (const [name, value] of Object.entries(rest))
		checkPlain(`reader: ${name}`, value);
}

/** Returns the plan of `options`. */
export function planOf(options: ReaderOptions, columns: readonly string[]): Plan {
	const {
		fields,
		window,
		order,
		shard,
		batch,
		sample,
		epoch: _,
		signal: _signal,
		...rest
	} = options;
	return {
		...coreNames("reader", rest), // misspelt options too: the core refuses unknown ones
		fields: fields && resolved("fields", fields, columns),
		window: window && windowOf(coreNames("reader: window", window), columns),
		order: typeof order === "string" ? { mode: order } : order,
		shard: named("shard", shard),
		batch: typeof batch === "number" ? { size: batch } : named("batch", batch),
		sample: sample && sampleOf(sample),
	};
}

/** Returns a member of the options in the core's notation; the core refuses other kinds. */
function named(name: string, given: unknown): unknown {
	return hasMembers(given) ? coreNames(`reader: ${name}`, Object(given)) : given;
}

function sampleOf(sample: ReaderSampleOptions): Plan {
	const { root: _, map: _map, meta: _meta, aerial: _aerial, ...rest } = sample;
	return { ...coreNames("reader: sample", rest), config: jsonOf(sample.config) };
}

/** Whether the samples' arrays may be drawn or computed from maps. */
export function needsMaps({ sample, fields }: Plan): boolean {
	const { vectorized = false, image } = (sample ?? {}) as Partial<ReaderSampleOptions>;
	if (vectorized) return true;
	const drawn = !Array.isArray(fields) || fields.includes("image");
	return sample !== undefined && image !== "none" && drawn;
}

/** A plan that reads metadata only. */
export function schemaPlan(from: string | undefined): Plan {
	return { from, fields: [], order: { mode: "full" } };
}

/** Whether the columns' names are needed to resolve `options`. */
export function hasPatterns({ fields = [], window }: ReaderOptions): boolean {
	const given = window && coreNames("reader: window", window);
	const all = [fields, ...Object.values(fieldsAt(given ?? {}) ?? {})];
	return all.some((names) => names.some((name) => name instanceof RegExp));
}

/** Returns the fields by offset of a window in the core's notation. */
function fieldsAt(window: Plan): Readonly<Record<number, FieldNames>> | undefined {
	const { fields_at: at } = window;
	return at as Readonly<Record<number, FieldNames>> | undefined;
}

function windowOf(window: Plan, columns: readonly string[]): Plan {
	const at = fieldsAt(window);
	if (!at) return window;
	const offsets = Object.entries(at).map(([offset, names]) => [
		offset,
		resolved(`window.fieldsAt.${offset}`, names, columns),
	]);
	return { ...window, fields_at: Object.fromEntries(offsets) };
}

function resolved(
	where: string,
	names: FieldNames,
	columns: readonly string[],
): string[] {
	const found = names.flatMap((name) => {
		if (typeof name === "string") return [name];
		// Unlike `test`, `search` ignores and keeps `lastIndex`.
		const matching = columns.filter((column) => column.search(name) >= 0);
		if (matching.length > 0) return matching;
		const known = columns.join(", ");
		throw new BevError(
			"not_found",
			`${where}: no field matches ${name} (expected one of ${known})`,
		);
	});
	return [...new Set(found)];
}
