import type {
	CoreArray,
	CoreModule,
	CoreRequest,
	Given,
	OperationName,
} from "../../src/core/core.js";

/** Gives an object a number. */
type Make = (object: FakeObject) => number;

/** What operations of the fake do. */
export type Handlers = {
	readonly [Name in OperationName]?: (given: Given<Name>, made: Make) => unknown;
};

/** An object of the core. */
export interface FakeObject {
	/** Kind of objects, for `alive`. */
	readonly kind?: string;
	missing?(): readonly CoreRequest[];
	ahead?(): readonly CoreRequest[];
	build?(): readonly CoreArray[];
	delete?(): void;
}

/**
 * The engine of a core without data: an array's name determines which keys its query
 * requests. Rounds are separated by `;`, keys by `,`. `k?` may be absent, `k@2-5` is a
 * range, `k~3` the last three bytes; keys after `>` are prefetched. The result is the
 * bytes of all keys. A first byte of 255 is damaged, 254 makes `supply` trap, 253 makes
 * `build` trap.
 */
export class FakeEngine {
	readonly held = new Map<string, Uint8Array | undefined>();
	readonly supplied: string[] = [];
	readonly forgotten: string[] = [];
	deleted = 0;
	queries = 0;
	/** Keys whose bytes did not decode. */
	damaged: readonly string[] = [];

	supply(key: string, begin: number, end: number, bytes: Uint8Array): void {
		const id = begin < 0 ? key : `${key}@${begin}-${end}`;
		this.supplied.push(id);
		if (bytes[0] === 254) throw new WebAssembly.RuntimeError("unreachable");
		if (bytes[0] === 255) {
			throw Object.assign(new Error(`${key}: damaged`), { code: "corrupt_chunk" });
		}
		this.held.set(id, bytes.slice());
		// A range that is shorter than requested shows the object's end.
		if (begin >= 0 && bytes.length < end - begin)
			this.held.set(`${key}~`, bytes.slice());
	}

	supplyAbsent(key: string): void {
		this.supplied.push(`no ${key}`);
		this.held.set(key, undefined);
	}

	get describe(): string {
		return JSON.stringify({ held: [...this.held.keys()] });
	}

	get cache(): Float64Array {
		const sizes = [...this.held.values()].map((bytes) => bytes?.length ?? 0);
		const held = sizes.reduce((sum, size) => sum + size, 0);
		return Float64Array.of(held, 1000, 0, 0, 0);
	}

	get absentChunks(): string[] {
		return [...this.held].filter(([, bytes]) => !bytes).map(([key]) => key);
	}

	query(plan: string): FakeObject {
		const [now = "", next] = plan.split(">");
		const rounds = now.split(";").map((round) => round.split(",").map(request));
		const lacking = (one: CoreRequest): boolean => !this.held.has(idOf(one));
		this.queries += 1;
		return {
			missing: () => rounds.find((round) => round.some(lacking))?.filter(lacking) ?? [],
			ahead: () => next?.split(",").map(request).filter(lacking) ?? [],
			build: () => {
				const parts = rounds.flat().map((one) => this.held.get(idOf(one)));
				if (parts.some((part) => part?.[0] === 253)) {
					throw new WebAssembly.RuntimeError("unreachable");
				}
				return [bytesArray(parts)];
			},
			delete: () => {
				this.queries -= 1;
			},
		};
	}
}

function request(text: string): CoreRequest {
	const [place = "", tail = "0"] = text.replace("?", "").split("~");
	const [key = "", range] = place.split("@");
	const [begin = -1, end = -1] = range?.split("-").map(Number) ?? [];
	return { key, begin, end, required: !text.includes("?"), tail: Number(tail) };
}

function idOf({ key, begin, end, tail }: CoreRequest): string {
	if (tail > 0) return `${key}~`;
	return begin < 0 ? key : `${key}@${begin}-${end}`;
}

function bytesArray(parts: (Uint8Array | undefined)[]): CoreArray {
	const data = Uint8Array.from(parts.flatMap((part) => [...(part ?? [])]));
	return { name: "bytes", dtype: "|u1", shape: [data.length], data };
}

const values = (data: CoreArray["data"]): CoreArray[] => [
	{ name: "values", dtype: "", shape: [data.length], data },
];

/** Sample i is the rows of array `<config>i`; several samplers can work concurrently. */
class FakeSamples implements FakeObject {
	readonly kind = "samplers";
	#asked: FakeObject | undefined;

	constructor(
		readonly engine: FakeEngine,
		readonly config: string,
	) {}

	select(at: Readonly<Record<string, unknown>>): void {
		this.#asked?.delete?.();
		const { frame, agent, scene, state, track } = at;
		const places = [scene, state, track].filter((one) => one !== undefined);
		const name = frame ?? agent ?? places.join("-");
		this.#asked = this.engine.query(`${this.config}${name}`);
	}

	missing(): readonly CoreRequest[] {
		return this.#asked?.missing?.() ?? [];
	}

	build(): readonly CoreArray[] {
		return this.#asked?.build?.() ?? [];
	}

	delete(): void {
		this.#asked?.delete?.();
	}
}

/** The operations of a fake module; `engines` receives its engines. */
function handlers(
	objects: ReadonlyMap<number, FakeObject>,
	engines: FakeEngine[],
): Handlers {
	const engineOf = ({ engine }: { readonly engine: number }) =>
		(objects.get(engine) as unknown as { engine: FakeEngine }).engine;
	return {
		engine: (_, made) => {
			const engine = new FakeEngine();
			engines.push(engine);
			const free = (): void => {
				engine.deleted += 1;
			};
			return made({ engine, delete: free } as FakeObject);
		},
		open: (given, made) => made(engineOf(given).query("meta")),
		summary: (given, made) => made(engineOf(given).query("meta")),
		rows: (given, made) => made(engineOf(given).query(given.array)),
		frame: (given, made) =>
			made(engineOf(given).query(`scene${given.scene};frame${given.frame}`)),
		timeline: (given, made) => made(engineOf(given).query(`timeline${given.scene}`)),
		supply: (given) => {
			const { key, begin, end, bytes } = given;
			engineOf(given).supply(key, begin, end, bytes);
		},
		supply_absent: (given) => engineOf(given).supplyAbsent(given.key),
		forget_failures: (given) => {
			const engine = engineOf(given);
			engine.forgotten.push(given.key);
			return engine.damaged;
		},
		describe: (given) => engineOf(given).describe,
		cache: (given) => engineOf(given).cache,
		absent_count: (given) => engineOf(given).absentChunks.length,
		absent_chunks: (given) => engineOf(given).absentChunks,
		samples: (given, made) =>
			made(new FakeSamples(engineOf(given), given.config ?? "")),
		sample_channels: () => ["only"],
		set_sampling: () => undefined,
		select_sample: ({ samples, ...at }) =>
			(objects.get(samples) as FakeSamples).select(at),
		release_pins: () => undefined,
		data_keys: ({ config }) => [config, "", ""],
		map: ({ pb, meta }, made) =>
			made({ kind: "maps", build: () => [bytesArray([pb, meta])] }),
		map_arrays: ({ map }) => objects.get(map)?.build?.(),
		lanes_near: () => values(Uint32Array.of(0)),
		crosswalks_near: ({ x, y, radius }) => values(Uint32Array.of(x, y, radius)),
		lane_by_count: ({ lane, count }) => [bytesArray([Uint8Array.of(lane, count)])],
		lane_by_metres: ({ lane, step }) => [bytesArray([Uint8Array.of(lane, 10 * step)])],
		light_feature: ({ lane }) => values(Uint8Array.of(lane)),
		geodetic: ({ x, y, z }) => values(Float64Array.of(x, y, z)),
		lane_colours: ({ faces }) => values(Uint8Array.from(faces, Number)),
	};
}

/**
 * Returns a module without data, its engines in order of creation, and the numbers of its
 * live objects by kind. `more` replaces or adds operations.
 */
export function fakeCore(more: Handlers = {}) {
	const engines: FakeEngine[] = [];
	const objects = new Map<number, FakeObject>();
	const alive: Record<string, number> = {};
	const count = ({ kind }: FakeObject, by: number): void => {
		if (kind) alive[kind] = (alive[kind] ?? 0) + by;
	};
	const all = Object.entries({ ...handlers(objects, engines), ...more });
	let last = 0;
	const made = (object: FakeObject): number => {
		last += 1;
		objects.set(last, object);
		count(object, 1);
		return last;
	};
	const call: CoreModule["call"] = { given: undefined, result: undefined };
	const module: CoreModule = {
		call,
		find: (name) => all.findIndex(([known]) => known === name),
		run: (operation) => {
			const answer = all[operation]?.[1] as (given: object, made: Make) => unknown;
			call.result = answer(call.given ?? {}, made);
		},
		missing: (id) => objects.get(id)?.missing?.() ?? [],
		ahead: (id) => objects.get(id)?.ahead?.() ?? [],
		build: (id) => objects.get(id)?.build?.() ?? [],
		rebuild: (id) => objects.get(id)?.build?.() ?? [],
		nextPart: () => 0,
		release: (id) => {
			const object = objects.get(id);
			if (!object) return;
			objects.delete(id);
			count(object, -1);
			object.delete?.();
		},
		version: () => "fake",
	};
	return { module, engines, alive };
}
