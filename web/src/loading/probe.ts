import { BevError, type BevErrorOptions } from "../base/errors.js";

/**
 * Minimum browser versions of the library and the viewer. Container queries determine
 * the minimum for Chrome, `:has` for Firefox, WebAssembly SIMD for Safari. Keep
 * README.md, ARCHITECTURE.md and the targets in `tools/bundle.mjs` in step.
 */
export const OLDEST_BROWSERS = "Chrome 105, Firefox 121, Safari 16.4";

// Header of both modules: magic number and version 1.
const HEAD = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** `() -> v128 { i32.const 0; i8x16.splat; i8x16.popcnt }` */
const SIMD = [
	...HEAD,
	...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b], // type: () -> v128
	...[0x03, 0x02, 0x01, 0x00], // one function of this type
	...[0x0a, 0x0a, 0x01, 0x08, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x62, 0x0b],
];

/** `() -> () { try catch_all end }` */
const EXCEPTIONS = [
	...HEAD,
	...[0x01, 0x04, 0x01, 0x60, 0x00, 0x00], // type: () -> ()
	...[0x03, 0x02, 0x01, 0x00],
	...[0x0a, 0x08, 0x01, 0x06, 0x00, 0x06, 0x40, 0x19, 0x0b, 0x0b],
];

/** The globals that are checked; `globalThis` has them all in supported browsers. */
export type Platform = Partial<
	Pick<
		typeof globalThis,
		| "WebAssembly"
		| "BigInt64Array"
		| "AbortSignal"
		| "structuredClone"
		| "Object"
		| "Array"
	>
>;

/** Returns the names of required features that `platform` lacks. */
export function lacking(platform: Platform = globalThis): string[] {
	const { WebAssembly: wasm, AbortSignal: signal } = platform;
	const runs = (bytes: readonly number[]): boolean =>
		wasm?.validate(Uint8Array.from(bytes)) === true;
	const needs: [string, boolean][] = [
		["WebAssembly", wasm !== undefined],
		["WebAssembly SIMD", runs(SIMD)],
		["WebAssembly exceptions", runs(EXCEPTIONS)],
		["BigInt64Array", platform.BigInt64Array !== undefined],
		["AbortSignal.throwIfAborted", signal?.prototype.throwIfAborted !== undefined],
		["AbortSignal.reason", signal !== undefined && "reason" in signal.prototype],
		["structuredClone", platform.structuredClone !== undefined],
		["Object.hasOwn", platform.Object?.hasOwn !== undefined],
		["Array.at", platform.Array?.prototype.at !== undefined],
	];
	return needs.filter(([, there]) => !there).map(([name]) => name);
}

/**
 * Why the core cannot start: the browser is too old, the page's policy blocks
 * WebAssembly, or the page has no URL to load the module from.
 */
export type Obstacle = "old browser" | "policy" | "no url";

/** The obstacles of `unsupported` errors; the other ones concern data. */
const obstacles = new WeakMap<object, Obstacle>();

/** Returns an `unsupported` error with its obstacle. */
export function obstructed(
	obstacle: Obstacle,
	message: string,
	options?: BevErrorOptions,
): BevError {
	const error = new BevError("unsupported", message, options);
	obstacles.set(error, obstacle);
	return error;
}

/** Returns the obstacle that `thrown` reports, if any. */
export function obstacleOf(thrown: unknown): Obstacle | undefined {
	return thrown instanceof BevError ? obstacles.get(thrown) : undefined;
}

/** Throws `unsupported` if a required feature is missing. */
export function assertSupported(found: readonly string[] = lacking()): void {
	if (found.length === 0) return;
	throw obstructed(
		"old browser",
		`browser: missing ${found.join(", ")} (expected ${OLDEST_BROWSERS} or newer)`,
	);
}
