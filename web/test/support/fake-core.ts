import type {
	CoreArray,
	CoreEngine,
	CoreMap,
	CoreModule,
	CoreQuery,
	CoreRequest,
	CoreRows,
	CoreSamples,
	CoreStoreQuery,
} from "../../src/core.js";

/**
 * A core without data: an array's name determines which keys its query requests. Rounds
 * are separated by `;`, keys by `,`. `k?` may be absent, `k@2-5` is a range, `k~3` the
 * last three bytes; keys after `>` are prefetched. The result is the bytes of all keys.
 * A first byte of 255 is damaged, 254 makes `supply` trap, 253 makes `build` trap.
 */
export class FakeEngine implements CoreEngine {
	readonly held = new Map<string, Uint8Array | undefined>();
	readonly supplied: string[] = [];
	readonly forgotten: string[] = [];
	deleted = 0;
	queries = 0;

	open(): CoreStoreQuery {
		return this.#query("meta");
	}

	rows({ array }: CoreRows): CoreStoreQuery {
		return this.#query(array);
	}

	frame(scene: number, frame: number): CoreStoreQuery {
		return this.#query(`scene${scene};frame${frame}`);
	}

	frameAt(index: number): CoreStoreQuery {
		return this.#query(`frame${index}`);
	}

	scene(scene: number): CoreStoreQuery {
		return this.#query(`scene${scene}`);
	}

	timeline(scene: number): CoreStoreQuery {
		return this.#query(`timeline${scene}`);
	}

	summary(): CoreStoreQuery {
		return this.#query("meta");
	}

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

	/** Keys whose bytes did not decode. */
	damaged: readonly string[] = [];

	forgetFailures(key: string): readonly string[] {
		this.forgotten.push(key);
		return this.damaged;
	}

	supplyAbsent(key: string): void {
		this.supplied.push(`no ${key}`);
		this.held.set(key, undefined);
	}

	describe(): string {
		return JSON.stringify({ held: [...this.held.keys()] });
	}

	cache() {
		const sizes = [...this.held.values()].map((bytes) => bytes?.length ?? 0);
		const bytesHeld = sizes.reduce((sum, size) => sum + size, 0);
		return { bytesHeld, byteBudget: 1000, hits: 0, misses: 0, evictions: 0 };
	}

	absentCount(): number {
		return this.absentChunks().length;
	}

	absentChunks(): string[] {
		return [...this.held].filter(([, bytes]) => !bytes).map(([key]) => key);
	}

	delete(): void {
		this.deleted += 1;
	}

	#query(plan: string): CoreStoreQuery {
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

/**
 * Sample i is the rows of array `<config>i`; several samplers can work concurrently.
 */
function fakeSamples(engine: CoreEngine, config: string): CoreSamples {
	let asked: CoreQuery | undefined;
	const at = (name: string): void => {
		asked?.delete();
		asked = engine.rows({ array: name });
	};
	return {
		atFrame: (frame) => at(`${config}${frame}`),
		atAgent: (row) => at(`${config}${row}`),
		atEgo: (scene, frame) => at(`${config}${scene}-${frame}`),
		atTrack: (scene, frame, track) => at(`${config}${scene}-${frame}-${track}`),
		expectMore: () => {},
		channels: () => ["only"],
		releasePins: () => {},
		showChannel: () => {},
		showAll: () => {},
		missing: () => asked?.missing() ?? [],
		build: () => asked?.build() ?? [],
		buildInParts: () => asked?.build() ?? [],
		nextPart: () => 0,
		delete: () => asked?.delete(),
	};
}

const none = (): never => {
	throw new Error("the fake has no such thing");
};

/**
 * Returns a module with fake engines, listed in order of creation; `maps` counts live
 * maps.
 */
export function fakeCore() {
	const engines: FakeEngine[] = [];
	const maps = { alive: 0 };
	class Engine extends FakeEngine {
		constructor() {
			super();
			engines.push(this);
		}
	}
	const parseMap = (pb: Uint8Array, meta: Uint8Array): CoreMap => {
		maps.alive += 1;
		return {
			build: () => [bytesArray([pb, meta])],
			near: () => Uint32Array.of(0),
			crosswalksNear: (x, y, radius) => Uint32Array.of(x, y, radius),
			laneByCount: (lane, count) => [bytesArray([Uint8Array.of(lane, count)])],
			laneByMetres: (lane, step) => [bytesArray([Uint8Array.of(lane, 10 * step)])],
			lightFeature: (lane) => lane,
			geodetic: (x, y, z) => Float64Array.of(x, y, z),
			laneColours: (faces) => Uint8Array.from(faces, Number),
			delete: () => {
				maps.alive -= 1;
			},
		};
	};
	const core: CoreModule = {
		Engine,
		parseMap,
		makeAerial: none,
		makeZip: none,
		samples: (engine, options) => fakeSamples(engine, options.config),
		dataKeys: (config) => ({ meta: config }),
		select: none,
		agentIndex: none,
		itemsOfMask: none,
		itemsOfCounts: none,
		itemsOfScene: none,
		itemsOfFrame: none,
		version: () => "fake",
	};
	return { core, engines, maps };
}
