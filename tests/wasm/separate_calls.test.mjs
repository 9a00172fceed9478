// No `try` is directly after a call, whose exceptions WebKit's interpreter would hand to it;
// BEV_CORE names the directory of the modules.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { separateCalls } from "../../wasm/separate_calls.mjs";

const folder = process.env.BEV_CORE ?? "build/wasm/wasm";

/** A module with one function, () -> (), of these instructions and `end`. */
function moduleOf(...instructions) {
	const body = [0, ...instructions, 0x0b];
	const code = [1, body.length, ...body];
	return new Uint8Array([
		...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
		...[1, 4, 1, 0x60, 0, 0], // types
		...[3, 2, 1, 0], // functions
		...[10, code.length, ...code],
	]);
}

const CALL = [0x10, 0];
const TRY = [0x06, 0x40, 0x19, 0x0b]; // try, catch_all, end
const NOP = [0x01];

const separated = (...instructions) => [...separateCalls(moduleOf(...instructions))];

test("a nop separates a call from the try after it", () => {
	const expected = moduleOf(...CALL, ...NOP, ...TRY);
	assert.deepEqual(separated(...CALL, ...TRY), [...expected]);
	assert.ok(WebAssembly.validate(expected));
});

test("a nop separates a call from a try_table after it", () => {
	const table = [0x1f, 0x40, 2, 0, 0, 0, 2, 0, 0x0b]; // catch tag 0, catch_all; end
	const expected = moduleOf(...CALL, ...NOP, ...table, ...CALL);
	assert.deepEqual(separated(...CALL, ...table, ...CALL), [...expected]);
});

test("nothing else changes", () => {
	const constant = [0x41, 0x10, 0x1a]; // i32.const 16, drop: not a call
	for (const body of [
		[...TRY, ...CALL],
		[...CALL, ...NOP, ...TRY],
		[...constant, ...TRY],
	]) {
		assert.deepEqual(separated(...body), [...moduleOf(...body)]);
	}
});

test("a longer body has a longer length", () => {
	const many = new Array(25).fill([...CALL, ...TRY]).flat(); // 152 bytes
	const module = separateCalls(longModule(many));
	assert.ok(WebAssembly.validate(module));
	assert.equal(module.length, longModule(many).length + 25);
});

/** As moduleOf(), for a body of 126 bytes to 16 kB. */
function longModule(instructions) {
	const two = (length) => [(length % 128) + 128, length >> 7];
	const body = [0, ...instructions, 0x0b];
	const code = [1, ...two(body.length), ...body];
	return new Uint8Array([
		...moduleOf().subarray(0, 18),
		...[10, ...two(code.length), ...code],
	]);
}

test("unknown instructions are refused", () => {
	assert.throws(() => separated(0x12, 0), /unknown opcode \(found 0x12 at byte 23\)/);
});

for (const name of ["core", "stream", "tools", "convert", "save"]) {
	test(`bev_${name} has no try directly after a call`, () => {
		const module = readFileSync(`${folder}/bev_${name}.wasm`);
		assert.ok(separateCalls(module).equals(module));
	});
}
