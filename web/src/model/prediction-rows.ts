import { BevError } from "../base/errors.js";
import type { SampleArray } from "../samples/sample.js";
import type { Predictions } from "../tools.js";
import type { PredictedRecords, SampleArraysByKey } from "./binding.js";

/** Predictions of a model, as `viewer.addPredictions` and `bevscope/tools` take them. */
export interface PredictionSet extends Predictions {
	/** M, of each record. */
	readonly modes: number;
	/** F, of each mode. */
	readonly steps: number;
}

/** Predictions of a batch. */
interface Block extends PredictedRecords {
	readonly timestamps: BigInt64Array;
	readonly track_ids: BigInt64Array;
}

/** Predictions of many batches, in the form of a prediction set. */
export class PredictionRows {
	#blocks: Block[] = [];

	/** Number of batches. */
	get blocks(): number {
		return this.#blocks.length;
	}

	/**
	 * Adds the predictions of a batch of samples.
	 *
	 * @throws BevError `invalid_argument` for other numbers of modes or steps than before
	 */
	add(samples: SampleArraysByKey, records: PredictedRecords): void {
		const { modes, steps, coords, confidences } = records;
		this.#put({
			...{ modes, steps, coords, confidences },
			timestamps: idsOf(samples.timestamp),
			track_ids: idsOf(samples.track_id),
		});
	}

	/** Adds all of `others`; throws as `add`. */
	take(others: PredictionRows): void {
		for (const block of others.#blocks) this.#put(block);
	}

	/** Returns the rows of the first `blocks` batches, to which others can be added. */
	copy(blocks: number): PredictionRows {
		const made = new PredictionRows();
		made.#blocks = this.#blocks.slice(0, blocks);
		return made;
	}

	#put(block: Block): void {
		const { modes, steps } = block;
		const [first = block] = this.#blocks;
		if (modes !== first.modes || steps !== first.steps) {
			const said = `predictions: sizes change (found ${modes} modes of ${steps} steps, expected ${first.modes} of ${first.steps} as before)`;
			throw new BevError("invalid_argument", said);
		}
		this.#blocks.push(block);
	}

	/** Returns the predictions of the first `count` batches. */
	all(count = this.#blocks.length): PredictionSet {
		const blocks = this.#blocks.slice(0, count);
		return {
			modes: blocks[0]?.modes ?? 0,
			steps: blocks[0]?.steps ?? 0,
			timestamps: joined(
				blocks.map(({ timestamps }) => timestamps),
				BigInt64Array,
			),
			track_ids: joined(
				blocks.map(({ track_ids }) => track_ids),
				BigInt64Array,
			),
			coords: joined(
				blocks.map(({ coords }) => coords),
				Float64Array,
			),
			confidences: joined(
				blocks.map(({ confidences }) => confidences),
				Float64Array,
			),
		};
	}
}

function idsOf(array: SampleArray | undefined): BigInt64Array {
	return (array as SampleArray<BigInt64Array>).data.slice();
}

interface Column<V> {
	readonly length: number;
	set(values: V, at: number): void;
}

/** Returns the values of all columns, one after the other. */
function joined<V extends Column<V>>(
	columns: readonly V[],
	Values: new (length: number) => V,
): V {
	const all = new Values(columns.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const column of columns) {
		all.set(column, at);
		at += column.length;
	}
	return all;
}
