import { BevError, messageOf } from "../base/errors.js";

/**
 * Petastorm's schema, which data sets contain as a pickle, as in
 * python/bevscope/_parquet_store/unischema.py. It is read, never unpickled: names are
 * text, and calls are recorded.
 */

const KEY = "dataset-toolkit.unischema.v1";
const MAX_BYTES = 2 ** 24;

/** A field of the schema. */
export interface UnischemaField {
	readonly name: string;
	/** NumPy's name of the type: "int32", "str_"; "Decimal". */
	readonly dtype: string;
	/** Lengths of axes; null for those that vary. */
	readonly shape: readonly (number | null)[];
	/** "" or the class of the codec. */
	readonly codec: string;
	/** "png", "jpeg"; "" if it is no image. */
	readonly image: string;
}

/** A class or function that a pickle names. */
class Named {
	readonly name: string;
	constructor(name: string) {
		this.name = name;
	}
}

/** What a call would have returned. */
class Made {
	readonly items: unknown[] = [];
	readonly of: unknown;
	readonly given: unknown;
	state: unknown = undefined;
	constructor(of: unknown, given: unknown) {
		this.of = of;
		this.given = given;
	}
}

type Pairs = Map<unknown, unknown>;

const MARK = Symbol("mark");

function fail(what: string): never {
	throw new Error(what);
}

/** Runs a pickle's opcodes on values of which none is a class. */
class Machine {
	readonly #code: Uint8Array;
	readonly #view: DataView;
	readonly #stack: unknown[] = [];
	readonly #memo = new Map<number, unknown>();
	#at = 0;

	constructor(code: Uint8Array) {
		this.#code = code;
		this.#view = new DataView(code.buffer, code.byteOffset, code.length);
	}

	run(): unknown {
		for (;;) {
			const opcode = String.fromCharCode(this.#view.getUint8(this.#at++));
			if (opcode === ".") break;
			this.#step(opcode);
		}
		if (this.#stack.length !== 1) fail("more than one value");
		return this.#stack[0];
	}

	#bytes(length: number): Uint8Array {
		if (length < 0 || this.#at + length > this.#code.length) fail("truncated");
		this.#at += length;
		return this.#code.subarray(this.#at - length, this.#at);
	}

	#number(size: 1 | 2 | 4 | 8, isSigned = false): number {
		const at = this.#at;
		this.#bytes(size);
		if (size === 1) return this.#view.getUint8(at);
		if (size === 2) return this.#view.getUint16(at, true);
		if (size === 8) return Number(this.#view.getBigUint64(at, true));
		return isSigned ? this.#view.getInt32(at, true) : this.#view.getUint32(at, true);
	}

	#line(): string {
		const end = this.#code.indexOf(10, this.#at);
		if (end < 0) fail("truncated");
		const line = this.#bytes(end - this.#at);
		this.#at += 1;
		return new TextDecoder().decode(line);
	}

	#text(length: number): string {
		return new TextDecoder().decode(this.#bytes(length));
	}

	/** Pushes a number or text; returns whether the opcode is one that does. */
	#pushed(opcode: string): boolean {
		switch (opcode) {
			case "I": {
				const line = this.#line();
				this.#push(line === "01" ? true : line === "00" ? false : Number(line));
				return true;
			}
			case "L":
				return this.#push(Number(this.#line().replace(/L$/, "")));
			case "F":
				return this.#push(Number(this.#line()));
			case "J":
				return this.#push(this.#number(4, true));
			case "K":
				return this.#push(this.#number(1));
			case "M":
				return this.#push(this.#number(2));
			case "\x8a": {
				let value = 0n;
				for (const byte of this.#bytes(this.#number(1)).slice().reverse())
					value = (value << 8n) | BigInt(byte);
				return this.#push(Number(value));
			}
			case "G":
				return this.#push(new DataView(this.#bytes(8).slice().buffer).getFloat64(0));
			case "S":
				return this.#push(this.#line().replace(/^(['"])(.*)\1$/, "$2"));
			case "V":
				return this.#push(this.#line());
			case "U":
			case "C":
			case "\x8c":
				return this.#push(this.#text(this.#number(1)));
			case "T":
			case "X":
			case "B":
				return this.#push(this.#text(this.#number(4)));
			case "\x8d":
			case "\x8e":
				return this.#push(this.#text(this.#number(8)));
			default:
				return false;
		}
	}

	#push(value: unknown): true {
		this.#stack.push(value);
		return true;
	}

	#pop(): unknown {
		if (this.#stack.length === 0) fail("an empty stack");
		return this.#stack.pop();
	}

	#top(): unknown {
		return this.#stack.at(-1);
	}

	#toMark(): unknown[] {
		const at = this.#stack.lastIndexOf(MARK);
		if (at < 0) fail("no mark");
		return this.#stack.splice(at).slice(1);
	}

	#step(opcode: string): void {
		if (this.#pushed(opcode)) return;
		switch (opcode) {
			case "\x80":
				this.#number(1);
				return;
			case "\x95":
				this.#number(8);
				return;
			case "N":
				this.#stack.push(null);
				return;
			case "\x88":
			case "\x89":
				this.#stack.push(opcode === "\x88");
				return;
			case "]":
			case ")":
				this.#stack.push([]);
				return;
			case "}":
				this.#stack.push(new Map());
				return;
			case "(":
				this.#stack.push(MARK);
				return;
			case "\x85":
			case "\x86":
			case "\x87": {
				const count = opcode.charCodeAt(0) - 0x84;
				if (this.#stack.length < count) fail("an empty stack");
				this.#stack.push(this.#stack.splice(-count));
				return;
			}
			case "t":
			case "l":
				this.#stack.push(this.#toMark());
				return;
			case "d":
				this.#stack.push(pairsOf(this.#toMark()));
				return;
			case "a":
			case "e":
				this.#extend(opcode === "a" ? [this.#pop()] : this.#toMark(), false);
				return;
			case "s":
			case "u":
				this.#extend(opcode === "s" ? this.#two() : this.#toMark(), true);
				return;
			default:
				this.#refer(opcode);
		}
	}

	#two(): unknown[] {
		const value = this.#pop();
		return [this.#pop(), value];
	}

	#extend(found: unknown[], arePairs: boolean): void {
		const target = this.#top();
		if (target instanceof Made)
			for (const one of arePairs ? [pairsOf(found)] : found) target.items.push(one);
		else if (arePairs && target instanceof Map) {
			for (const [key, value] of pairsOf(found)) target.set(key, value);
		} else if (!arePairs && Array.isArray(target)) {
			for (const one of found) target.push(one);
		} else fail("no container");
	}

	/** Memory, names and calls. */
	#refer(opcode: string): void {
		switch (opcode) {
			case "p":
			case "q":
			case "r":
				this.#memo.set(this.#index(opcode, "pqr"), this.#top());
				return;
			case "\x94":
				this.#memo.set(this.#memo.size, this.#top());
				return;
			case "g":
			case "h":
			case "j":
				this.#stack.push(this.#memo.get(this.#index(opcode, "ghj")));
				return;
			case "c":
				this.#line();
				this.#stack.push(new Named(this.#line()));
				return;
			case "\x93": {
				const name = this.#pop();
				this.#pop();
				this.#stack.push(new Named(textOf(name)));
				return;
			}
			case "R":
			case "\x81": {
				const given = this.#pop();
				this.#stack.push(new Made(this.#pop(), given));
				return;
			}
			case "b": {
				const state = this.#pop();
				const target = this.#top();
				if (!(target instanceof Made)) fail("a state of nothing");
				(target as Made).state = state;
				return;
			}
			default:
				fail(`opcode ${opcode.charCodeAt(0)}`);
		}
	}

	#index(opcode: string, kinds: string): number {
		const kind = kinds.indexOf(opcode);
		if (kind === 0) return Number(this.#line());
		return this.#number(kind === 1 ? 1 : 4);
	}
}

function pairsOf(found: readonly unknown[]): Pairs {
	const pairs: Pairs = new Map();
	for (let i = 0; i + 1 < found.length; i += 2) pairs.set(found[i], found[i + 1]);
	return pairs;
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : fail("not text");
}

/** Returns the name of the class of an object, also of copyreg's. */
function classOf(made: unknown, depth = 0): string {
	if (made instanceof Named) return made.name;
	if (!(made instanceof Made) || depth > 8) return "";
	const { of, given } = made;
	const isCopied = of instanceof Named && /^(_reconstructor|__newobj__)$/.test(of.name);
	return classOf(isCopied && Array.isArray(given) ? given[0] : of, depth + 1);
}

const MEMBERS = ["name", "numpy_dtype", "shape", "codec", "nullable"];

/**
 * Returns name, type, shape and codec of a field: a named tuple, which pyspark pickles as
 * names and values.
 */
function membersOf({ of, given }: Made): unknown[] {
	if (!Array.isArray(given)) return fail("a field without members");
	if (!(of instanceof Named)) return given;
	if (of.name === "_reconstructor") return given[2] as unknown[];
	if (of.name !== "_restore") return given;
	const names = given[1] as unknown[];
	const values = given[2] as unknown[];
	return MEMBERS.map((name) => values[names.indexOf(name)]);
}

function fieldOf(made: unknown): UnischemaField {
	if (!(made instanceof Made)) return fail("a field that is none");
	const [name, dtype, shape, codec] = membersOf(made);
	const isLength = (one: unknown) =>
		one === null || (Number.isInteger(one) && (one as number) >= 0);
	if (!Array.isArray(shape) || !shape.every(isLength)) return fail("a shape");
	const state = codec instanceof Made ? codec.state : undefined;
	const isType = dtype instanceof Made && classOf(dtype) === "dtype";
	const image = state instanceof Map ? state.get("_image_codec") : undefined;
	const kind = classOf(codec);
	return {
		name: textOf(name),
		dtype: isType ? textOf((dtype.given as unknown[])[0]) : classOf(dtype),
		shape: shape as (number | null)[],
		codec: kind,
		image:
			kind === "CompressedImageCodec" ? textOf(image ?? ".png").replace(/^\./, "") : "",
	};
}

function* itemsOf(fields: unknown): Generator<unknown> {
	if (fields instanceof Map) yield* fields.values();
	if (!(fields instanceof Made)) return;
	const given = Array.isArray(fields.given) ? fields.given[0] : undefined;
	for (const pair of Array.isArray(given) ? given : []) yield (pair as unknown[])[1];
	for (const pairs of fields.items) if (pairs instanceof Map) yield* pairs.values();
}

/**
 * Returns the fields of a pickled Unischema.
 *
 * @throws BevError: `invalid_metadata` for anything else
 */
export function parseUnischema(pickled: Uint8Array): UnischemaField[] {
	if (pickled.length > MAX_BYTES)
		throw new BevError(
			"limit_exceeded",
			`Unischema: too long (found ${pickled.length} bytes)`,
		);
	try {
		const made = new Machine(pickled).run();
		const state = made instanceof Made ? made.state : undefined;
		const isSchema = classOf(made) === "Unischema" && state instanceof Map;
		return isSchema
			? Array.from(itemsOf(state.get("_fields")), fieldOf)
			: fail("another object");
	} catch (error) {
		const said = `Unischema: not readable (${messageOf(error)})`;
		throw new BevError("invalid_metadata", said, { cause: error });
	}
}

/**
 * Returns the pickled schema in a footer; undefined if there is none. hyparquet decodes
 * values as UTF-8, which a pickle is not: the bytes after the key are its value, as a
 * field of Thrift's compact protocol.
 */
export function pickledSchema(footer: Uint8Array): Uint8Array | undefined {
	const key = new TextEncoder().encode(KEY);
	for (
		let at = footer.indexOf(key[0] ?? 0);
		at >= 0;
		at = footer.indexOf(key[0] ?? 0, at + 1)
	) {
		if (!key.every((byte, i) => footer[at + i] === byte)) continue;
		let next = at + key.length;
		if (footer[next] !== 0x18) continue; // binary, the next field
		let [length, shift, byte] = [0, 0, 0x80];
		while (byte & 0x80 && shift < 35) {
			next += 1;
			byte = footer[next] ?? 0;
			length += (byte & 0x7f) * 2 ** shift;
			shift += 7;
		}
		const value = footer.subarray(next + 1, next + 1 + length);
		if (value.length === length) return value;
	}
	return undefined;
}
