import { BevError } from "./errors.js";

/** A name in snake case: `maxGapS` becomes `max_gap_s`. */
export type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
	? First extends Lowercase<First>
		? `${First}${SnakeCase<Rest>}`
		: `_${Lowercase<First>}${SnakeCase<Rest>}`
	: S;

type Renamed<T> = {
	[K in keyof T]: SnakeCase<K & string> extends K ? never : K;
}[keyof T];

/** @deprecated Former names of members, in snake case; removed in 0.4. */
export type FormerNames<T> = {
	readonly [K in Renamed<T> as SnakeCase<K & string>]: T[K];
};

/** Options, also by their former names. */
export type WithFormer<T> = T & Partial<FormerNames<T>>;

const snake = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const camel = (name: string): string =>
	name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Members by their new names; those that are undefined are left out. */
function renamed(
	of: string,
	options: object,
	rename: (name: string) => string,
): Record<string, unknown> {
	const found: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(options)) {
		if (value === undefined) continue;
		const known = rename(name);
		if (Object.hasOwn(found, known)) {
			const [now, former] = [camel(name), snake(name)];
			const said = `${of}: ${now} and ${former} (found both, expected ${now})`;
			throw new BevError("invalid_argument", said);
		}
		found[known] = value;
	}
	return found;
}

/**
 * Returns options by their names, in camel case. The core's names are accepted, too: until
 * 0.3 they were those of the options.
 *
 * @throws invalid_argument if an option is given by both names
 */
export function optionNames(of: string, options: object): Record<string, unknown> {
	return renamed(of, options, camel);
}

/** As `optionNames`, with the core's names, which are in snake case. */
export function coreNames(of: string, options: object): Record<string, unknown> {
	return renamed(of, options, snake);
}

/**
 * Returns a result of the core with names in camel case. The core's names, which results
 * had until 0.3, can be read, too, but are not enumerable.
 */
export function camelNames<T>(result: object): T {
	const made: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(result)) {
		made[camel(name)] = value;
		if (camel(name) !== name) Object.defineProperty(made, name, { value });
	}
	return made as T;
}
