import { BevError, toBevError } from "../base/errors.js";
import type { Operations } from "./operations.js";
import type { Arrays, CoreArray, CoreRequest, Handle, TypedArray } from "./types.js";

export type { Arrays, CoreArray, CoreRequest, Handle, TypedArray } from "./types.js";

/** The functions of a WebAssembly module: `wasm/dispatcher.cpp`. Errors have a `code`. */
export interface CoreModule {
	/** Returns the number of an operation; -1 if the module does not have it. */
	find(name: string): number;
	/** Runs an operation with the arguments in `call`; sets the result, if there is one. */
	run(operation: number): void;
	readonly call: { given: object | undefined; result: unknown };
	missing(query: number): readonly CoreRequest[];
	ahead(query: number): readonly CoreRequest[];
	build(query: number): readonly CoreArray[];
	/** As `build`; the same views if only the values have changed. */
	rebuild(query: number): readonly CoreArray[];
	/** Converts the next part of an array: its bytes, negative if zeros; 0 at the end. */
	nextPart(query: number): number;
	release(id: number): void;
	version(): string;
}

export type OperationName = keyof Operations;
export type Given<Name extends OperationName> = Operations[Name][0];
export type Result<Name extends OperationName> = Operations[Name][1];

/** Runs operations of a module. Throws BevErrors only. */
export class Core {
	readonly #module: CoreModule;
	readonly #call: CoreModule["call"];
	readonly #numbers = new Map<string, number>();

	constructor(module: CoreModule) {
		this.#module = module;
		this.#call = module.call;
	}

	/** Returns copies of arrays. */
	run<Name extends OperationName>(name: Name, given: Given<Name>): Result<Name> {
		return owned(this.#run(name, given)) as Result<Name>;
	}

	/**
	 * Runs an operation that returns arrays by name; their `data` are views of the module's
	 * memory, valid until the next call.
	 */
	views<Name extends OperationName>(
		name: Name,
		given: Given<Name>,
	): readonly CoreArray[] {
		return this.#run(name, given) as readonly CoreArray[];
	}

	/** As `views`, whatever the operation returns. */
	any(name: OperationName, given: object): unknown {
		return this.#run(name, given);
	}

	/** Returns what a query needs next; nothing when it can be built. */
	missing(query: number): readonly CoreRequest[] {
		return called(() => this.#module.missing(query));
	}

	/** Returns prefetch requests: what a sequential reader needs next. */
	ahead(query: number): readonly CoreRequest[] {
		return called(() => this.#module.ahead(query));
	}

	/** Returns a query's arrays, as `views`. */
	build(query: number): readonly CoreArray[] {
		return called(() => this.#module.build(query));
	}

	/** As `build`, for queries whose results are in the same memory every time. */
	rebuild(query: number): readonly CoreArray[] {
		return called(() => this.#module.rebuild(query));
	}

	/** See `CoreModule`: `data` of a large array has space for a part only. */
	nextPart(query: number): number {
		return this.#module.nextPart(query);
	}

	/** Frees an object; unknown numbers are ignored. */
	release(id: number): void {
		this.#module.release(id);
	}

	/** Whether the module has an operation. */
	has(name: OperationName): boolean {
		return this.#find(name) >= 0;
	}

	#run(name: OperationName, given: object): unknown {
		const call = this.#call;
		call.given = given;
		call.result = undefined;
		try {
			this.#module.run(this.#numbers.get(name) ?? this.#numberOf(name));
			return call.result;
		} catch (error) {
			throw toBevError(error);
		} finally {
			call.given = undefined; // arrays may be large
			call.result = undefined;
		}
	}

	#numberOf(name: string): number {
		const number = this.#find(name);
		if (number >= 0) return number;
		throw new BevError("unsupported", `${name}: not in this module of the core`);
	}

	#find(name: string): number {
		const number = this.#numbers.get(name) ?? this.#module.find(name);
		if (number >= 0) this.#numbers.set(name, number);
		return number;
	}
}

function called<T>(call: () => T): T {
	try {
		return call();
	} catch (error) {
		throw toBevError(error);
	}
}

/** Copies what is a view of the module's memory. */
function owned(result: unknown): unknown {
	if (ArrayBuffer.isView(result)) return (result as TypedArray).slice();
	if (!isArrays(result)) return result;
	const values = result.map(({ name, shape, data }) => [
		name,
		shape.length === 0 ? Number(data[0]) : data.slice(),
	]);
	return Object.fromEntries(values);
}

/** Whether an operation has returned arrays by name. */
export function isArrays(made: unknown): made is readonly CoreArray[] {
	if (!Array.isArray(made)) return false;
	const [first] = made as unknown[];
	return typeof first === "object" && first !== null && "data" in first;
}

/** Returns the number of an object in the core, which refuses it once it is released. */
export let idOf: <Name extends string>(object: CoreObject<Name>) => Handle<Name>;

/** An object in the core that its owner releases, once. */
export abstract class CoreObject<Name extends string> implements Disposable {
	static {
		idOf = (object) => object.#id;
	}
	readonly #core: Core;
	readonly #id: Handle<Name>;
	#released = false;

	/** @internal For subclasses. */
	constructor(core: Core, id: Handle<Name>) {
		this.#core = core;
		this.#id = id;
	}

	/** @internal */
	protected get core(): Core {
		return this.#core;
	}

	/** @internal */
	protected get id(): Handle<Name> {
		return this.#id;
	}

	/** Frees the memory; idempotent. */
	release(): void {
		if (this.#released) return;
		this.#released = true;
		this.#core.release(this.#id);
	}

	/** Calls `release`, for `using`. */
	[Symbol.dispose](): void {
		this.release();
	}
}

/** Returns array `name` of an outcome. Throws `internal` if it is not of class `View`. */
export function pick<T extends TypedArray>(
	arrays: Arrays,
	name: string,
	View: new () => T,
): T {
	const data = arrays[name];
	if (data instanceof View) return data;
	throw new BevError("internal", `core: array ${name} not found`);
}

/** Returns the numbers `group.name` of an outcome, by name. */
export function numbersOf<T>(
	arrays: Arrays,
	group: string,
	names: readonly (keyof T & string)[],
): T {
	return Object.fromEntries(
		names.map((name) => [name, arrays[`${group}.${name}`]]),
	) as T;
}

/** Returns the columns `group.name` of an outcome as one object per row. */
export function rowsOf<T>(
	arrays: Arrays,
	group: string,
	names: readonly (keyof T & string)[],
): T[] {
	const columns = names.map((name) => arrays[`${group}.${name}`] as TypedArray);
	return Array.from({ length: columns[0]?.length ?? 0 }, (_, row) =>
		Object.fromEntries(names.map((name, i) => [name, columns[i]?.[row]])),
	) as T[];
}
