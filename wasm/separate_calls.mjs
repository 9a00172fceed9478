// node separate_calls.mjs MODULE.wasm: inserts a `nop` between each call and a `try` directly
// after it, in place. WebKit's interpreter of wasm (seen in WebKitGTK 2.50) takes the
// instruction after a call for the call: its exception lands in the handler of that `try`,
// most often a destructor, and the module aborts. Binaryen has no pass for it.
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const CODE_SECTION = 10;
const NOP = 0x01;
const TRY = 0x06;
const TRY_TABLE = 0x1f; // of newer compilers
const CALLS = [0x10, 0x11]; // call, call_indirect

/** Opcodes with one LEB128 number: block types, labels, indices, constants. */
const ONE_NUMBER = [
	...[0x02, 0x03, 0x04, TRY, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x10, 0x18],
	...[0x20, 0x21, 0x22, 0x23, 0x24, 0x3f, 0x40, 0x41, 0x42],
];
const NO_OPERAND = [0x00, NOP, 0x05, 0x0a, 0x0b, 0x0f, 0x19, 0x1a, 0x1b];

/** Reads a module's bytes from a position on. */
class Cursor {
	constructor(bytes, at = 0) {
		Object.assign(this, { bytes, at });
	}

	byte() {
		return this.bytes[this.at++];
	}

	/** An unsigned LEB128 number of at most 32 bits. */
	number() {
		let value = 0;
		for (let shift = 0; ; shift += 7) {
			const byte = this.byte();
			value += (byte & 127) * 2 ** shift;
			if (byte < 128) return value;
		}
	}

	skipNumbers(count) {
		for (let i = 0; i < count; i += 1) while (this.byte() >= 128);
	}

	/** Passes an instruction; returns its opcode. */
	skipInstruction() {
		const start = this.at;
		const opcode = this.byte();
		if (ONE_NUMBER.includes(opcode)) this.skipNumbers(1);
		else if (opcode === 0x11) this.skipNumbers(2);
		else if (opcode >= 0x28 && opcode <= 0x3e)
			this.skipNumbers(2); // load, store
		else if (opcode === 0x0e)
			this.skipNumbers(this.number() + 1); // br_table
		else if (opcode === TRY_TABLE) this.#skipCatches();
		else if (opcode === 0x43)
			this.at += 4; // f32.const
		else if (opcode === 0x44)
			this.at += 8; // f64.const
		else if (opcode === 0xfc) this.#skipNumeric(start);
		else if (opcode === 0xfd) this.#skipVector();
		else if (!NO_OPERAND.includes(opcode) && (opcode < 0x45 || opcode > 0xc4))
			fail(opcode, start);
		return opcode;
	}

	#skipCatches() {
		this.skipNumbers(1); // the block's type
		const count = this.number();
		for (let i = 0; i < count; i += 1) this.skipNumbers(this.byte() < 2 ? 2 : 1);
	}

	#skipNumeric(start) {
		const opcode = this.number();
		if (opcode === 10)
			this.at += 2; // memory.copy
		else if (opcode === 11)
			this.at += 1; // memory.fill
		else if (opcode > 7) fail(opcode, start);
	}

	#skipVector() {
		const opcode = this.number();
		const isLane = opcode >= 84 && opcode <= 91; // loads and stores of one lane
		if (opcode <= 11 || isLane || opcode === 92 || opcode === 93) this.skipNumbers(2);
		if (opcode === 12 || opcode === 13) this.at += 16; // v128.const, i8x16.shuffle
		if (isLane || (opcode >= 21 && opcode <= 34)) this.at += 1; // a lane's number
	}
}

function fail(opcode, at) {
	const found = `0x${opcode.toString(16)} at byte ${at}`;
	throw new Error(`separate_calls: unknown opcode (found ${found})`);
}

function encoded(number) {
	const bytes = [];
	for (let rest = number; ; rest = Math.floor(rest / 128)) {
		if (rest < 128) return [...bytes, rest];
		bytes.push((rest % 128) + 128);
	}
}

/** Appends the instructions of a function's body, which ends at `end`, to `out`. */
function separateInBody(cursor, end, out) {
	let from = cursor.at;
	const groups = cursor.number();
	for (let i = 0; i < groups; i += 1) cursor.skipNumbers(2); // locals: count and type
	let isCall = false;
	while (cursor.at < end) {
		const { at } = cursor;
		const opcode = cursor.skipInstruction();
		if (isCall && (opcode === TRY || opcode === TRY_TABLE)) {
			out.push(cursor.bytes.subarray(from, at), [NOP]);
			from = at;
		}
		isCall = CALLS.includes(opcode);
	}
	if (cursor.at !== end)
		throw new Error(`separate_calls: no function ends at ${cursor.at}`);
	out.push(cursor.bytes.subarray(from, end));
}

const joined = (parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));

function separateInCode(cursor) {
	const count = cursor.number();
	const out = [encoded(count)];
	for (let i = 0; i < count; i += 1) {
		const end = cursor.number() + cursor.at;
		const body = [];
		separateInBody(cursor, end, body);
		const bytes = joined(body);
		out.push(encoded(bytes.length), bytes);
	}
	return joined(out);
}

/** Returns the module, with a `nop` between each call and a `try` that follows it. */
export function separateCalls(module) {
	const cursor = new Cursor(module, 8);
	const out = [module.subarray(0, 8)];
	while (cursor.at < module.length) {
		const id = cursor.byte();
		const end = cursor.number() + cursor.at;
		const section =
			id === CODE_SECTION ? separateInCode(cursor) : module.subarray(cursor.at, end);
		out.push([id], encoded(section.length), section);
		cursor.at = end;
	}
	return joined(out);
}

if (argv[1] === fileURLToPath(import.meta.url))
	writeFileSync(argv[2], separateCalls(readFileSync(argv[2])));
