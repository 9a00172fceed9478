/** Primitive restart index of WebGL2: separates strips and fans. */
export const RESTART = 0xffff_ffff;

/** A growable typed array. */
class Growing<T extends Float32Array | Uint32Array> {
	#data: T;
	#length = 0;
	readonly #make: (length: number) => T;

	constructor(make: (length: number) => T) {
		this.#make = make;
		this.#data = make(1024);
	}

	get length(): number {
		return this.#length;
	}

	/** The current elements; valid until the next `push`. */
	get view(): T {
		return this.#data.subarray(0, this.#length) as T;
	}

	push(value: number): void {
		if (this.#length === this.#data.length) {
			const grown = this.#make(2 * this.#length);
			grown.set(this.#data);
			this.#data = grown;
		}
		this.#data[this.#length] = value;
		this.#length += 1;
	}

	clear(): void {
		this.#length = 0;
	}
}

/** Half-open: indices `begin` to `end - 1` of a mesh. */
export interface IndexRange {
	readonly begin: number;
	readonly end: number;
}

/** Vertices, and indices that order them into strips or fans. */
export class Mesh {
	readonly #vertices = new Growing((length) => new Float32Array(length));
	readonly #indices = new Growing((length) => new Uint32Array(length));
	readonly #perVertex: number;

	/** @param perVertex numbers per vertex */
	constructor(perVertex: number) {
		this.#perVertex = perVertex;
	}

	get vertices(): Float32Array {
		return this.#vertices.view;
	}

	get indices(): Uint32Array {
		return this.#indices.view;
	}

	/** Adds a vertex to the current strip or fan. */
	add(...numbers: readonly number[]): void {
		this.#indices.push(this.#vertices.length / this.#perVertex);
		for (const number of numbers) this.#vertices.push(number);
	}

	/** Ends the current strip or fan. */
	restart(): void {
		this.#indices.push(RESTART);
	}

	/** Copies indices from another mesh. */
	addIndices(indices: Uint32Array): void {
		for (const index of indices) this.#indices.push(index);
	}

	/** Returns the indices that `add` adds. */
	range(add: () => void): IndexRange {
		const begin = this.#indices.length;
		add();
		return { begin, end: this.#indices.length };
	}

	clear(): void {
		this.#vertices.clear();
		this.#indices.clear();
	}
}
