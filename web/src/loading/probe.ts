import { BevError } from "../errors.js";

// Both start with the eight bytes of magic and version 1.
const HEAD = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** `() -> v128 { i32.const 0; i8x16.splat; i8x16.popcnt }` */
const SIMD = [
	...HEAD,
	...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b], // type: () -> v128
	...[0x03, 0x02, 0x01, 0x00], // one function of it
	...[0x0a, 0x0a, 0x01, 0x08, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x62, 0x0b],
];

/** `() -> () { try catch_all end }` */
const EXCEPTIONS = [
	...HEAD,
	...[0x01, 0x04, 0x01, 0x60, 0x00, 0x00], // type: () -> ()
	...[0x03, 0x02, 0x01, 0x00],
	...[0x0a, 0x08, 0x01, 0x06, 0x00, 0x06, 0x40, 0x19, 0x0b, 0x0b],
];

/** What this browser lacks, in words. */
export function lacking(validate = WebAssembly?.validate): string[] {
	const runs = (bytes: readonly number[]): boolean =>
		validate?.(Uint8Array.from(bytes)) === true;
	const needs: [string, boolean][] = [
		["WebAssembly", validate !== undefined],
		["WebAssembly SIMD", runs(SIMD)],
		["WebAssembly exceptions", runs(EXCEPTIONS)],
		["64-bit integer arrays", typeof BigInt64Array !== "undefined"],
	];
	return needs.filter(([, there]) => !there).map(([name]) => name);
}

/** Throws `unsupported`, in words a person can act on, where the core cannot run. */
export function assertSupported(found: readonly string[] = lacking()): void {
	if (found.length === 0) return;
	throw new BevError(
		"unsupported",
		`this browser lacks ${found.join(", ")}; Chrome 95, Firefox 100, Safari 16.4 or newer is needed`,
	);
}
