import { BevError } from "../base/errors.js";
import { camelNames, type FormerNames } from "../base/names.js";
import type { Progress } from "../worker/protocol.js";
import { askObject, free, newId } from "../worker/remote-object.js";
import type { CountOptions } from "./explanation.js";
import type { Plan } from "./options.js";
import type { ReaderEngines } from "./session.js";

/** Options of `DatasetReader.describe`. */
export interface DescribeOptions extends CountOptions {
	/**
	 * Describes the rows of each value of this column, which has integers, booleans or
	 * strings.
	 */
	readonly by?: string | undefined;
}

/** Summary of the values of a field, or of an element of a field. */
export interface ElementDescription extends FormerNames<Record<"rankError", number>> {
	/** Name of the field. */
	readonly name: string;
	/** Number of the element, if a row has several. */
	readonly element?: number;
	/** Number of values, with NaN and infinities. */
	readonly count: number;
	/** Number of NaN. */
	readonly nan: number;
	/** Number of infinities. */
	readonly infinite: number;
	/** The least value: a string for integers beyond 2^53, `"inf"` and `"-inf"`. */
	readonly min: number | string | null;
	/** The greatest value, as `min`. */
	readonly max: number | string | null;
	/** Mean of the finite values; null without any. */
	readonly mean: number | null;
	/** Their standard deviation, as NumPy's `std`. */
	readonly std: number | null;
	/** Fractions from 0.01 to 0.99 and the quantiles at them. */
	readonly quantiles: readonly (readonly [fraction: number, value: number])[];
	/** Bound of the error of a quantile's rank, as a fraction; 0 if they are exact. */
	readonly rankError: number;
	/** At most 64 bins of equal width; null without finite values. */
	readonly histogram: {
		/** The first bin's lower end. */
		readonly begin: number;
		/** Width of a bin; 0 if all values are equal. */
		readonly width: number;
		/** Values in each bin. */
		readonly counts: readonly number[];
	} | null;
}

/** Summaries of the numeric fields of a reader's rows. */
export interface ReaderDescription {
	/** Number of rows. */
	readonly rows: number;
	/** One per element of the fields. */
	readonly columns: readonly ElementDescription[];
}

/** Summaries of the rows with one value of a column. */
export interface DescribedGroup extends ReaderDescription {
	/** The value: a string for strings and for integers beyond 2^53. */
	readonly value: number | string;
	/** What the value stands for, in columns of categories such as `label`. */
	readonly name?: string;
}

/** Summaries of the rows of each value of a column. */
export interface GroupedDescription {
	/** Number of rows in all groups. */
	readonly rows: number;
	/** Name of the column. */
	readonly by: string;
	/** Groups by ascending value. */
	readonly groups: readonly DescribedGroup[];
}

/** Blocks per message, between which an abort is noticed. */
const STEPS = 16;

interface Answered {
	readonly progress?: Progress;
	readonly described?: ReaderDescription | GroupedDescription;
}

/** Returns a description of the core with names in camel case. */
function inCamelCase<T extends ReaderDescription | GroupedDescription>(of: T): T {
	if ("groups" in of) return { ...of, groups: of.groups.map(inCamelCase) };
	return { ...of, columns: of.columns.map((one) => camelNames(one)) };
}

/** Describes the fields of a plan's rows. */
export async function describeFields(
	engines: ReaderEngines,
	plan: Plan,
	{ by, signal, onProgress }: DescribeOptions & { readonly signal: AbortSignal },
): Promise<ReaderDescription | GroupedDescription> {
	const client = await engines.forReaders(signal);
	const id = newId();
	const text = JSON.stringify(plan);
	await askObject(client, { kind: "description", id, plan: text, by }, { signal });
	const step = { kind: "description-step", description: id, steps: STEPS } as const;
	try {
		while (true) {
			const { text = "{}" } = await client.ask(step, { signal });
			const { progress, described } = JSON.parse(text) as Answered;
			if (described) return inCamelCase(described);
			if (!progress) throw new BevError("internal", "reader: answer without text");
			onProgress?.(progress);
		}
	} finally {
		free(client, id);
	}
}
