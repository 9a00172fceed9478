/** Evaluates code in a page. */
export interface Runner {
	run<T>(code: string, arg?: unknown, keep?: boolean): Promise<T>;
}

/** A value in the page, by its number. */
export class Handle {
	constructor(
		readonly runner: Runner,
		readonly id: number,
	) {}

	evaluate<T>(work: (value: never, arg: never) => T, arg?: unknown): Promise<T> {
		return this.runner.run(`([value, arg]) => (${work})(value, arg)`, [this, arg]);
	}
}

/**
 * Converts `value` to JSON. Values without a JSON form become `{ $: kind, v }`.
 */
export function encode(value: unknown): unknown {
	if (value === undefined) return { $: "undefined" };
	if (value instanceof Handle) return { $: "handle", v: value.id };
	if (typeof value === "bigint") return { $: "bigint", v: String(value) };
	if (typeof value === "number" && !Number.isFinite(value))
		return { $: "number", v: String(value) };
	if (Array.isArray(value)) return value.map(encode);
	if (value === null || typeof value !== "object") return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [name, encode(one)]),
	);
}

/** The inverse of `encode`, for results of the page. */
export function decode(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(decode);
	if (value === null || typeof value !== "object") return value;
	const { $: kind, v } = value as { $?: string; v?: string };
	if (kind === "undefined") return undefined;
	if (kind === "bigint") return BigInt(v ?? 0);
	if (kind === "number") return Number(v);
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [name, decode(one)]),
	);
}

/**
 * Code that defines `bridge` in a script: the page's side of `encode` and `decode`, and
 * of scripts that are running.
 */
export const BRIDGE = `const bridge = (window.__bridge ??= (() => {
	const calls = new Map(), handles = new Map();
	const encode = (value, seen = []) => {
		if (value === undefined || typeof value === "function") return { $: "undefined" };
		if (typeof value === "bigint") return { $: "bigint", v: String(value) };
		if (typeof value === "number" && !Number.isFinite(value)) return { $: "number", v: String(value) };
		if (value === null || typeof value !== "object") return value;
		if (seen.includes(value)) return { $: "undefined" };
		const inner = [...seen, value];
		if (Array.isArray(value)) return value.map((one) => encode(one, inner));
		if (value instanceof Node || value === window) return { $: "undefined" };
		if (value instanceof Error) return { message: value.message, name: value.name };
		return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, encode(one, inner)]));
	};
	const decode = (value) => {
		if (Array.isArray(value)) return value.map(decode);
		if (value === null || typeof value !== "object") return value;
		if (value.$ === "undefined") return undefined;
		if (value.$ === "bigint") return BigInt(value.v);
		if (value.$ === "number") return Number(value.v);
		if (value.$ === "handle") return handles.get(value.v);
		return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, decode(one)]));
	};
	return {
		start([id, arg, keep], work) {
			const call = { done: false };
			calls.set(id, call);
			(async () => work(decode(arg)))().then(
				(value) => {
					if (keep) handles.set(id, value);
					Object.assign(call, { done: true, value: keep ? id : encode(value) });
				},
				(error) => Object.assign(call, { error: error instanceof Error ? error.name + ": " + error.message : String(error) }),
			);
		},
		poll(id) {
			const call = calls.get(id) ?? { error: "the page was left while a script ran" };
			if (call.done || call.error) calls.delete(id);
			return JSON.stringify(call);
		},
	};
})())`;
