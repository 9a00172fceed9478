import { describe, expect, it, vi } from "vitest";
import type { Stats } from "../../src/api.js";
import { Waits } from "../../src/source/retry.js";
import { MemorySource, type Source } from "../../src/source/source.js";
import { Host } from "../../src/worker/host.js";
import { arraysBy, keeping, type Query, valueBy } from "../../src/worker/protocol.js";
import { fakeCore } from "../support/fake-core.js";
import { HeldSource, settled } from "../support/sources.js";

const objects = {
	meta: Uint8Array.of(7),
	a: Uint8Array.of(1, 2),
	b: Uint8Array.of(3),
	long: Uint8Array.of(10, 11, 12, 13, 14, 15),
	damaged: Uint8Array.of(255),
	trap: Uint8Array.of(254),
};

function hostOn(source: Source, onRead?: (stats: () => Stats) => void) {
	const { module, engines, alive } = fakeCore();
	const createCore = vi.fn(async () => module);
	const host = new Host({ createCore, source, byteBudget: 1000, onRead });
	return { host, engines, alive, createCore };
}

function rows(array: string): Query {
	return arraysBy("rows", { array });
}

async function bytesOf(host: Host, array: string): Promise<number[]> {
	const { result } = await host.run(rows(array));
	const [one] = result?.arrays ?? [];
	return [...new Uint8Array(result?.buffer ?? new ArrayBuffer(0), 0, one?.length)];
}

describe("worker/host", () => {
	it("opens once for any first query", async () => {
		const { host, engines, createCore } = hostOn(new MemorySource(objects));
		await expect(bytesOf(host, "a,b")).resolves.toEqual([1, 2, 3]);
		await expect(bytesOf(host, "a")).resolves.toEqual([1, 2]);
		expect(engines[0]?.supplied).toEqual(["meta", "a", "b"]);
		expect(createCore).toHaveBeenCalledOnce();
		expect(engines[0]?.queries).toBe(0);
	});

	it("reports a requested wait while it lasts", async () => {
		const waits = new Waits();
		const end = { now: (): void => {} };
		const source: Source = {
			read: async (key) => {
				const pause = new Promise<void>((resolve) => {
					end.now = resolve;
				});
				if (key === "a") await waits.during(key, 20_000, () => pause);
				return new MemorySource(objects).read(key);
			},
			get waiting() {
				return waits.longest;
			},
			onWaiting: (listener) => waits.onChange(listener),
		};
		const told: Stats[] = [];
		const { module } = fakeCore();
		const host = new Host({
			createCore: async () => module,
			source,
			byteBudget: 1000,
			onWaiting: (stats) => told.push(stats),
		});
		const asked = host.run(rows("a"));
		await vi.waitFor(() => expect(told).toHaveLength(1));
		expect(told[0]?.waiting).toMatchObject({ key: "a", seconds: 20 });
		end.now();
		const { stats } = await asked;
		expect(told).toHaveLength(2);
		expect([told[1]?.waiting, stats.waiting]).toEqual([undefined, undefined]);
	});

	it("returns the description for open and array", async () => {
		const { host } = hostOn(new MemorySource(objects));
		const opened = await host.run({ kind: "open" });
		expect(JSON.parse(opened.text ?? "")).toEqual({ held: ["meta"] });
		expect(opened.result).toBeUndefined();
		const further = await host.run({ kind: "array", path: "a" });
		expect(JSON.parse(further.text ?? "")).toEqual({ held: ["meta", "a"] });
	});

	it("reads in rounds until complete", async () => {
		const source = new HeldSource();
		const { host } = hostOn(source);
		const asked = bytesOf(host, "a,b;long@2-4");
		await settled();
		source.of("meta").answer(objects.meta);
		await settled();
		expect(source.keys).toEqual(["meta", "a", "b"]);
		source.of("a").answer(objects.a);
		await settled();
		expect(source.keys).toHaveLength(3);
		source.of("b").answer(objects.b);
		await settled();
		expect(source.of("long").options.range).toEqual({ begin: 2, end: 4 });
		source.of("long").answer(Uint8Array.of(12, 13));
		await expect(asked).resolves.toEqual([1, 2, 3, 12, 13]);
	});

	it("supplies absence and counts what was read", async () => {
		const seen: Stats[] = [];
		const { host } = hostOn(new MemorySource(objects), (stats) => seen.push(stats()));
		const { stats } = await host.run(rows("a,gone?"));
		expect(stats).toMatchObject({ bytes: 3, requests: 3, absentChunks: 1 });
		const { text } = await host.run(valueBy("absent_chunks", {}));
		expect(JSON.parse(text ?? "")).toEqual(["gone"]);
		expect(seen.map(({ requests }) => requests)).toEqual([1, 2, 3]);
	});

	it("only reads for a prefetch", async () => {
		const { host, engines } = hostOn(new MemorySource(objects));
		const answer = await host.run(rows("a"), { prefetch: true });
		expect(answer.result).toBeUndefined();
		expect(engines[0]?.held.has("a")).toBe(true);
	});

	it("opening keeps no buffer, and a prefetch opens in the background", async () => {
		const source = new MemorySource(objects);
		const { host, engines } = hostOn(source);
		const buffer = new ArrayBuffer(8);
		host.recycle(buffer);
		await host.run(rows("a"), { prefetch: true });
		expect(engines[0]?.queries).toBe(0);
		expect((await host.run(rows("a"))).result?.buffer).toBe(buffer);
	});

	it("prefetches after foreground reads, without waiting", async () => {
		const source = new HeldSource();
		const { host, engines } = hostOn(source);
		const asked = bytesOf(host, "a>b,long");
		await settled();
		source.of("meta").answer(objects.meta);
		await settled();
		expect(source.keys).toEqual(["meta", "a", "b", "long"]);
		source.of("a").answer(objects.a);
		await expect(asked).resolves.toEqual([1, 2]);
		source.of("b").answer(objects.b);
		await settled();
		expect(engines[0]?.held.has("b")).toBe(true);
		source.of("long").fail(new Error("cable cut"));
		await expect(bytesOf(host, "a,b")).resolves.toEqual([1, 2, 3]);
	});

	it("joins a prefetch and reports its failure", async () => {
		const source = new HeldSource();
		const { host } = hostOn(source);
		const first = bytesOf(host, "a>b");
		await settled();
		source.of("meta").answer(objects.meta);
		await settled();
		const second = bytesOf(host, "b");
		await settled();
		expect(source.keys).toEqual(["meta", "a", "b"]);
		source.of("a").answer(objects.a);
		source.of("b").fail(new Error("cable cut"));
		await expect(first).resolves.toEqual([1, 2]);
		await expect(second).rejects.toMatchObject({ message: "cable cut" });
	});

	it("does not read ahead of a prefetch", async () => {
		const source = new MemorySource(objects);
		const { host, engines } = hostOn(source);
		await host.run(rows("a>b"), { prefetch: true });
		await settled();
		expect(engines[0]?.supplied).toEqual(["meta", "a"]);
	});

	it("rejects with the signal's reason and aborts the reads", async () => {
		const source = new HeldSource();
		const { host } = hostOn(source);
		const control = new AbortController();
		const asked = host.run(rows("a"), { signal: control.signal });
		await settled();
		source.of("meta").answer(objects.meta);
		await settled();
		control.abort(new Error("scrubbed away"));
		await expect(asked).rejects.toThrow("scrubbed away");
		expect(source.of("a").options.signal?.aborted).toBe(true);
	});

	it("aborts a round's other reads when one fails", async () => {
		const source = new HeldSource();
		const { host } = hostOn(source);
		const asked = host.run(rows("a,b"));
		await settled();
		source.of("meta").answer(objects.meta);
		await settled();
		source.of("a").fail(new Error("cable cut"));
		await expect(asked).rejects.toMatchObject({
			message: "cable cut",
			code: "internal",
		});
		await settled();
		expect(source.of("b").options.signal?.aborted).toBe(true);
	});

	it("continues after corrupt bytes", async () => {
		const { host } = hostOn(new MemorySource(objects));
		await expect(host.run(rows("damaged"))).rejects.toMatchObject({
			code: "corrupt_chunk",
			message: "damaged: damaged",
		});
		await expect(bytesOf(host, "a")).resolves.toEqual([1, 2]);
	});

	it("retries opening if the metadata could not be read", async () => {
		const source = new HeldSource();
		const { host } = hostOn(source);
		const failing = host.run({ kind: "open" });
		await settled();
		source.of("meta").fail(new Error("HTTP 500"));
		await expect(failing).rejects.toThrow("HTTP 500");
		await expect(host.run(rows("a"))).rejects.toThrow("HTTP 500");
		expect(source.keys).toEqual(["meta"]);
		host.forgetFailures();
		const again = host.run(rows("a"));
		await settled();
		source.of("meta").answer(objects.meta);
		await settled();
		source.of("a").answer(objects.a);
		await expect(again).resolves.toMatchObject({ stats: { bytes: 3 } });
	});

	it("starts a new module after a trap", async () => {
		const { host, engines, createCore } = hostOn(new MemorySource(objects));
		await expect(host.run(rows("trap"))).rejects.toMatchObject({
			code: "internal",
			message: "core: failed: unreachable",
		});
		await expect(bytesOf(host, "a")).resolves.toEqual([1, 2]);
		expect(createCore).toHaveBeenCalledTimes(2);
		expect(engines[1]?.supplied).toEqual(["meta", "a"]);
		expect(engines[0]?.deleted).toBe(0); // its memory must not be used
	});

	it("uses a recycled buffer for the next result of its size", async () => {
		const { host } = hostOn(new MemorySource(objects));
		const first = (await host.run(rows("a"))).result?.buffer ?? new ArrayBuffer(0);
		host.recycle(first);
		expect((await host.run(rows("b"))).result?.buffer).toBe(first);
		expect((await host.run(rows("b"))).result?.buffer).not.toBe(first);
	});

	it("rejects a query that never completes", async () => {
		const { module, engines } = fakeCore();
		const host = new Host({
			createCore: async () => module,
			source: new MemorySource(objects),
			byteBudget: 5,
		});
		await host.run({ kind: "open" });
		const [engine] = engines;
		if (engine) engine.held.set = () => engine.held; // evicts immediately
		await expect(host.run(rows("a"))).rejects.toMatchObject({
			code: "out_of_memory",
			message: expect.stringContaining("increase the byte budget (found 5)"),
		});
	});

	it("keeps a map until it is freed", async () => {
		const { host, alive } = hostOn(new MemorySource(objects));
		const bytes = async (query: Query): Promise<number[]> => {
			const { result } = await host.run(query);
			const length = result?.arrays[0]?.length;
			return [...new Uint8Array(result?.buffer ?? new ArrayBuffer(0), 0, length)];
		};
		const parsed = keeping(4, "map", { pb: objects.a, meta: objects.b });
		await host.run(parsed);
		const arrays = valueBy("map_arrays", {}, { map: 4 });
		await expect(bytes(arrays)).resolves.toEqual([1, 2, 3]);
		const lit = valueBy("lane_colours", { faces: ["2", "0"] }, { map: 4 });
		await expect(bytes(lit)).resolves.toEqual([2, 0]);
		await host.run({ kind: "free", id: 4 });
		expect(alive.maps).toBe(0);
		await expect(bytes(lit)).rejects.toThrow("map: released");
		await host.run(parsed);
		host.close();
		expect(alive.maps).toBe(0);
	});

	it("frees the engine and ends the reads when closed", async () => {
		const source = new HeldSource();
		const { host, engines } = hostOn(source);
		const asked = host.run({ kind: "open" });
		await settled();
		host.close();
		await expect(asked).rejects.toThrow("data set: closed");
		expect(engines[0]?.deleted).toBe(1);
	});
});
