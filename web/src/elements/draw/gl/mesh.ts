/** Between two strips, or two fans: WebGL2 begins anew after it. */
export const RESTART = 0xffff_ffff;

/** Numbers that grow; `view` is of those there are. */
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

	/** Valid until the next `push`. */
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

/** Half open: indices `begin` to `end - 1` of a mesh. */
export interface IndexRange {
	readonly begin: number;
	readonly end: number;
}

/** Corners of triangles, and in which order they make strips or fans. */
export class Mesh {
	readonly #vertices = new Growing((length) => new Float32Array(length));
	readonly #indices = new Growing((length) => new Uint32Array(length));
	readonly #perVertex: number;

	/** @param perVertex numbers that a vertex has */
	constructor(perVertex: number) {
		this.#perVertex = perVertex;
	}

	get vertices(): Float32Array {
		return this.#vertices.view;
	}

	get indices(): Uint32Array {
		return this.#indices.view;
	}

	/** The next vertex of the strip or fan. */
	add(...numbers: readonly number[]): void {
		this.#indices.push(this.#vertices.length / this.#perVertex);
		for (const number of numbers) this.#vertices.push(number);
	}

	/** Ends the strip or fan. */
	restart(): void {
		this.#indices.push(RESTART);
	}

	/** Takes over indices of another mesh. */
	addIndices(indices: Uint32Array): void {
		for (const index of indices) this.#indices.push(index);
	}

	/** What `add` adds. */
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
