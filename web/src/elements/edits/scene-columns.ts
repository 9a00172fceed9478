import type { AbortOptions } from "../../api.js";
import type { ResultArray, ResultArrays } from "../../arrays/result.js";
import { BevError } from "../../base/errors.js";
import type { ChunkedDataset } from "../../dataset/dataset.js";
import { askArrays, clientOf } from "../../worker/client.js";
import { arraysBy } from "../../worker/protocol.js";
import type { RowColumns } from "../session/dataset.js";

/** Fields of the frames that edits change. */
export const EDITED_FIELDS = [
	"agent_index_interval",
	"ego_translation",
	"ego_rotation",
] as const;

/** Fields of the frames that the core returns of an edited scene. */
const FRAME_FIELDS: readonly string[] = ["timestamp", ...EDITED_FIELDS];

/** Rows `begin` to `end` of columns in memory. */
class MemoryRows implements RowColumns {
	readonly length: number;
	readonly names: readonly string[];
	readonly #of: (name: string) => ResultArray;
	readonly #begin: number;

	constructor(
		names: readonly string[],
		[begin, end]: readonly [number, number],
		of: (name: string) => ResultArray,
	) {
		this.names = names;
		this.length = end - begin;
		this.#begin = begin;
		this.#of = of;
	}

	column(name: string) {
		const { data, shape, dtype } = this.#of(name);
		const width = shape.slice(1).reduce((all, size) => all * size, 1);
		const [begin, end] = [this.#begin, this.#begin + this.length];
		return { data: data.slice(begin * width, end * width), dtype };
	}

	strings(name: string): readonly string[] {
		throw new BevError("not_found", `column ${name}: not of an edited scene`);
	}
}

/** The columns of an edited scene, whose rows no array has. */
export class SceneColumns {
	readonly #arrays: ResultArrays;
	readonly #intervals: BigInt64Array;

	/** @param first number of the first row of the scene's agents */
	private constructor(arrays: ResultArrays, first: bigint) {
		this.#arrays = arrays;
		const intervals = arrays.view("agent_index_interval", BigInt64Array);
		this.#intervals = intervals.map((row) => row + first);
	}

	/** Reads a scene of a patched data set. */
	static async read(
		edited: ChunkedDataset,
		scene: number,
		{ first, signal }: AbortOptions & { readonly first: number },
	): Promise<SceneColumns> {
		const query = arraysBy("scene_arrays", { scene });
		const arrays = await askArrays(clientOf(edited).client, query, { signal });
		return new SceneColumns(arrays, BigInt(first));
	}

	/** Returns frames of the scene. */
	frames(begin: number, end: number, fields = FRAME_FIELDS): RowColumns {
		const dtype = "<i8";
		const shape = [this.#intervals.length / 2, 2];
		const of = (name: string): ResultArray =>
			name === "agent_index_interval"
				? { data: this.#intervals, shape, dtype }
				: this.#arrays.array(name);
		return new MemoryRows(fields, [begin, end], of);
	}

	/** Returns agents of the scene. */
	agents(begin: number, end: number, fields?: readonly string[]): RowColumns {
		const all = this.#arrays.names.filter((name) => !FRAME_FIELDS.includes(name));
		const of = (name: string): ResultArray => this.#arrays.array(name);
		return new MemoryRows(fields ?? all, [begin, end], of);
	}
}
