import { BevError } from "./errors.js";

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === "string";
const isFlag: Test = (value) => typeof value === "boolean";
const isObject: Test = (value) => typeof value === "object" && value !== null;
const isIndex = (value: unknown) =>
	Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 2 ** 53;
/** Whether it is an object of no special kind, of this realm or another. */
export const hasMembers: Test = (value) =>
	Object.prototype.toString.call(value) === "[object Object]";

/** What an argument may be: words for errors, and the test. */
const KINDS = {
	index: ["an integer from 0 to 2^53", isIndex],
	integer: ["an integer", Number.isSafeInteger],
	number: ["a number", (v) => typeof v === "number" && !Number.isNaN(v)],
	track: [
		"a bigint of 64 bits",
		(v) => typeof v === "bigint" && v === BigInt.asUintN(64, v),
	],
	text: ["a string", isText],
	texts: ["strings", (v) => Array.isArray(v) && v.every(isText)],
	flag: ["true or false", isFlag],
	list: ["a list", (v) => isObject(v) && Symbol.iterator in Object(v)],
	object: ["an object", isObject],
	options: ["an object", hasMembers],
	any: ["", () => true],
} as const satisfies Readonly<Record<string, readonly [words: string, test: Test]>>;

/** A kind of arguments. */
export type Kind = keyof typeof KINDS;

/** Kinds of the members of an options object. */
export type Kinds = Readonly<Record<string, Kind>>;

function shown(value: unknown): string {
	if (isObject(value)) return Array.isArray(value) ? "a list" : "an object";
	return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** Throws the error of an invalid argument: thing, found, expected. */
export function refuse(of: string, value: unknown, expected: string): never {
	const said = `${of}: invalid argument (found ${shown(value)}, expected ${expected})`;
	throw new BevError("invalid_argument", said);
}

/**
 * Checks an argument; undefined stands for its default.
 *
 * @throws BevError `invalid_argument`: thing, found, expected
 */
export function check(of: string, value: unknown, kind: Kind): void {
	const [words, holds] = KINDS[kind];
	if (value !== undefined && !holds(value)) refuse(of, value, words);
}

/** Returns the list's numbers; NaN, which the core rejects, for elements of other types. */
export function asNumbers(list: Iterable<unknown> | ArrayLike<unknown>): Float64Array {
	return Float64Array.from(list as Iterable<unknown>, (one) =>
		typeof one === "number" ? one : Number.NaN,
	);
}

/** Checks an options object: its members by `kinds`, and that there is no other. */
export function checkOptions(of: string, options: unknown, kinds: Kinds): void {
	check(of, options, "options");
	const known = Object.keys(kinds);
	for (const [name, value] of Object.entries(options ?? {})) {
		if (!known.includes(name)) {
			const said = `${of}: unknown option "${name}" (expected ${known.join(", ")})`;
			throw new BevError("invalid_argument", said);
		}
		check(`${of}: ${name}`, value, kinds[name] ?? "any");
	}
}
