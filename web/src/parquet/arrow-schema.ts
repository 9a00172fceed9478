import type { FileMetaData } from "hyparquet";

/**
 * Lengths of the lists that a column consists of, outermost first; 0 for lists whose
 * lengths vary.
 */
export type ListSizes = readonly number[];

/** Numbers of Arrow's types in Schema.fbs. */
const LIST = 12;
const FIXED_SIZE_LIST = 16;
const LARGE_LIST = 21;

const MAX_DEPTH = 8;

/** A table of a FlatBuffer. Reads outside the buffer throw RangeError. */
class Table {
	readonly #view: DataView;
	readonly #at: number;

	constructor(view: DataView, at: number) {
		this.#view = view;
		this.#at = at;
	}

	/** Returns the position of a field; 0 if the table has none. */
	#field(index: number): number {
		const vtable = this.#at - this.#view.getInt32(this.#at, true);
		const slot = 4 + 2 * index;
		if (slot >= this.#view.getUint16(vtable, true)) return 0;
		const offset = this.#view.getUint16(vtable + slot, true);
		return offset === 0 ? 0 : this.#at + offset;
	}

	byte(index: number): number {
		const at = this.#field(index);
		return at === 0 ? 0 : this.#view.getUint8(at);
	}

	int32(index: number): number {
		const at = this.#field(index);
		return at === 0 ? 0 : this.#view.getInt32(at, true);
	}

	/** Returns the position that a field refers to; 0 if there is none. */
	#target(index: number): number {
		const at = this.#field(index);
		return at === 0 ? 0 : at + this.#view.getUint32(at, true);
	}

	table(index: number): Table | undefined {
		const at = this.#target(index);
		return at === 0 ? undefined : new Table(this.#view, at);
	}

	text(index: number): string {
		const at = this.#target(index);
		if (at === 0) return "";
		const length = this.#view.getUint32(at, true);
		const { buffer, byteOffset } = this.#view;
		return new TextDecoder().decode(
			new Uint8Array(buffer, byteOffset + at + 4, length),
		);
	}

	/** Returns a vector of tables. */
	tables(index: number): Table[] {
		const at = this.#target(index);
		if (at === 0) return [];
		const count = this.#view.getUint32(at, true);
		const found: Table[] = [];
		for (let i = 0; i < count; i += 1) {
			const slot = at + 4 + 4 * i;
			found.push(new Table(this.#view, slot + this.#view.getUint32(slot, true)));
		}
		return found;
	}
}

function sizesOf(field: Table): ListSizes {
	const sizes: number[] = [];
	let at: Table | undefined = field;
	while (at && sizes.length < MAX_DEPTH) {
		const type = at.byte(2);
		if (type === FIXED_SIZE_LIST) sizes.push(at.table(3)?.int32(0) ?? 0);
		else if (type === LIST || type === LARGE_LIST) sizes.push(0);
		else break;
		at = at.tables(5)[0];
	}
	return sizes;
}

/**
 * Returns the sizes of columns of lists by name. Parquet has no lists of one size:
 * what wrote the file says so in its copy of Arrow's schema, if it did.
 */
export function listSizes(metadata: FileMetaData): ReadonlyMap<string, ListSizes> {
	const found = new Map<string, ListSizes>();
	const text = metadata.key_value_metadata?.find(({ key }) => key === "ARROW:schema");
	if (!text?.value) return found;
	try {
		const bytes = Uint8Array.from(atob(text.value), (letter) => letter.charCodeAt(0));
		const view = new DataView(bytes.buffer);
		// A message of Arrow's stream format: its length follows a mark, or not.
		const begin = view.getUint32(0, true) === 0xffffffff ? 8 : 4;
		const message = new Table(view, begin + view.getUint32(begin, true));
		for (const field of message.table(2)?.tables(1) ?? []) {
			const sizes = sizesOf(field);
			if (sizes.length > 0) found.set(field.text(0), sizes);
		}
	} catch {
		return new Map(); // then lists are lists
	}
	return found;
}
