import { describe, expect, it, vi } from "vitest";
import { MemorySource, type ReadOptions, slice } from "../../src/source/source.js";
import {
	FailedReads,
	type ReadRequest,
	SharedReads,
} from "../../src/worker/shared-reads.js";
import { ok, type Reply, sourceOf, status } from "../support/replies.js";
import { HeldSource, settled } from "../support/sources.js";

function setUp() {
	const source = new HeldSource();
	const delivered: [string, number | undefined][] = [];
	const reads = new SharedReads(source, ({ key }, bytes) => {
		delivered.push([key, bytes?.length]);
	});
	return { source, reads, delivered };
}

function whole(key: string): ReadRequest {
	return { key, range: undefined, required: true };
}

describe("worker/shared-reads", () => {
	it("reads once for all callers of the same bytes, and delivers once", async () => {
		const { source, reads, delivered } = setUp();
		const both = Promise.all([reads.read([whole("k")]), reads.read([whole("k")])]);
		await settled();
		expect(source.keys).toEqual(["k"]);
		source.of("k").answer(Uint8Array.of(1, 2));
		await both;
		expect(delivered).toEqual([["k", 2]]);
	});

	it("recycles memory after delivery", async () => {
		const steps: string[] = [];
		const bytes = Uint8Array.of(1, 2, 3);
		const source = {
			read: async (key: string) => (key === "k" ? bytes : undefined),
			recycle: (given: Uint8Array) => steps.push(`back ${given === bytes}`),
		};
		const reads = new SharedReads(source, ({ key }) => steps.push(`to ${key}`));
		await reads.read([whole("k")]);
		await reads.read([whole("absent")]);
		expect(steps).toEqual(["to k", "back true", "to absent"]);
	});

	it("does not mix ranges of one object", async () => {
		const { source, reads } = setUp();
		const ranges = [
			{ begin: 0, end: 5 },
			{ begin: 5, end: 9 },
		];
		for (const range of ranges) void reads.read([{ key: "k", range, required: false }]);
		await settled();
		expect(source.reads.map(({ options }) => options.range)).toEqual(ranges);
		expect(source.reads[0]?.options.required).toBe(false);
	});

	it("reads the end of an object by a range beyond it", async () => {
		const delivered: unknown[] = [];
		const source = new MemorySource({ k: Uint8Array.of(1, 2, 3, 4, 5) });
		const reads = new SharedReads(source, ({ range }, bytes) => {
			delivered.push(range && [range.begin, range.end, ...(bytes ?? [])]);
		});
		const end = (key: string, tail: number): ReadRequest => ({ ...whole(key), tail });
		await reads.read([end("k", 2)]);
		await reads.read([end("k", 9)]);
		await reads.read([end("gone", 2)]);
		expect(delivered).toEqual([[3, 6, 4, 5], [0, 6, 1, 2, 3, 4, 5], undefined]);
	});

	it("reads the whole object if its size is unknown or wrong", async () => {
		const read = vi.fn(async (_key: string, { range }: ReadOptions = {}) =>
			slice(Uint8Array.of(1, 2, 3, 4, 5), range),
		);
		const failing = async () => {
			throw new Error("no HEAD");
		};
		for (const size of [undefined, async () => 3, async () => undefined, failing]) {
			const lengths: number[] = [];
			const reads = new SharedReads(
				{ read, ...(size && { size }) },
				(request, bytes) => {
					expect(request.range).toBeUndefined();
					lengths.push(bytes?.length ?? -1);
				},
			);
			await reads.read([{ ...whole("k"), tail: 2 }]);
			expect(lengths).toEqual([5]);
		}
	});

	it("delivers absence", async () => {
		const { source, reads, delivered } = setUp();
		const reading = reads.read([whole("k")]);
		await settled();
		source.of("k").answer(undefined);
		await reading;
		expect(delivered).toEqual([["k", undefined]]);
	});

	it("continues while a caller waits, and aborts with the last", async () => {
		const { source, reads } = setUp();
		const [first, second] = [new AbortController(), new AbortController()];
		const waits = [first, second].map(({ signal }) =>
			reads.read([whole("k")], { signal }),
		);
		const ended = Promise.allSettled(waits);
		await settled();
		first.abort(new Error("first left"));
		await settled();
		expect(source.of("k").options.signal?.aborted).toBe(false);
		second.abort(new Error("second left"));
		await settled();
		expect(source.of("k").options.signal?.aborted).toBe(true);
		const reasons = (await ended).map((one) => one.status === "rejected" && one.reason);
		expect(reasons.map(String)).toEqual(["Error: first left", "Error: second left"]);
	});

	it("aborts the last reads first, which a browser may have queued", async () => {
		const { source, reads } = setUp();
		const control = new AbortController();
		const keys = ["a", "b", "c"];
		const aborted: string[] = [];
		const left = reads.read(keys.map(whole), { signal: control.signal });
		await settled();
		for (const { key, options } of source.reads) {
			options.signal?.addEventListener("abort", () => aborted.push(key));
		}
		control.abort(new Error("enough"));
		await expect(left).rejects.toThrow("enough");
		void reads.read(keys.map(whole)).catch(() => {});
		await settled();
		for (const { key, options } of source.reads.slice(3)) {
			options.signal?.addEventListener("abort", () => aborted.push(key));
		}
		reads.abort(new Error("closed"));
		expect(aborted).toEqual(["c", "b", "a", "c", "b", "a"]);
	});

	it("fails immediately after a failed read, until forgotten", async () => {
		const { source, reads } = setUp();
		const failing = reads.read([whole("k")]);
		await settled();
		const error = new Error("HTTP 500");
		source.of("k").fail(error);
		await expect(failing).rejects.toBe(error);
		const range = { begin: 0, end: 5 };
		for (let frame = 0; frame < 60; frame += 1) {
			const wanted = frame % 2 ? whole("k") : { ...whole("k"), range };
			await expect(reads.read([whole("other"), wanted])).rejects.toBe(error);
		}
		expect(source.keys).toEqual(["k"]);
		reads.forgetFailures("other");
		await expect(reads.read([whole("k")])).rejects.toBe(error);
		reads.forgetFailures("k");
		const again = reads.read([whole("k")]);
		await settled();
		expect(source.keys).toEqual(["k", "k"]);
		source.of("k").answer(Uint8Array.of(1));
		await again;
	});

	it("remembers a failed prefetch", async () => {
		const { source, reads } = setUp();
		const ahead = reads.read([whole("k")], { background: true });
		await settled();
		source.of("k").fail(new Error("HTTP 500"));
		await expect(ahead).rejects.toThrow("HTTP 500");
		await expect(reads.read([whole("k")])).rejects.toThrow("HTTP 500");
		expect(source.keys).toEqual(["k"]);
	});

	it("reads again after an aborted read, even if another reader waits", async () => {
		const { source, reads } = setUp();
		const gone = new AbortController();
		const first = reads.read([whole("k")], { signal: gone.signal });
		await settled();
		gone.abort(new Error("scrubbed away"));
		await expect(first).rejects.toThrow("scrubbed away");
		const again = reads.read([whole("k")]);
		await settled();
		expect(source.keys).toEqual(["k", "k"]);
		reads.abort(new Error("the core failed"));
		await expect(again).rejects.toThrow("the core failed");
		void reads.read([whole("k")]);
		await settled();
		expect(source.keys).toEqual(["k", "k", "k"]);
	});

	it("does not remember rejected bytes or a trap", async () => {
		for (const trap of [false, true]) {
			const failed = new FailedReads();
			const source = {
				read: async () => {
					if (trap) throw new WebAssembly.RuntimeError("unreachable");
					return Uint8Array.of(1);
				},
			};
			const refuse = (): never => {
				throw new Error("damaged");
			};
			const reads = new SharedReads(source, refuse, failed);
			await expect(reads.read([whole("k")])).rejects.toThrow();
			expect(() => failed.check("k")).not.toThrow();
		}
	});

	it("fails all callers if the bytes are rejected", async () => {
		const source = new HeldSource();
		const reads = new SharedReads(source, () => {
			throw new Error("damaged");
		});
		const waits = Promise.allSettled([
			reads.read([whole("k")]),
			reads.read([whole("k")]),
		]);
		await settled();
		source.of("k").answer(Uint8Array.of(1));
		expect((await waits).map((one) => one.status)).toEqual(["rejected", "rejected"]);
	});

	it("reads requested keys before prefetched ones", async () => {
		const { source, reads } = setUp();
		for (let i = 0; i < 16; i += 1)
			void reads.read([whole(`g${i}`)], { background: true });
		void reads.read([whole("asked")]);
		void reads.read([whole("g14")]); // prefetched before, requested now
		await settled();
		const guessed = Array.from({ length: 12 }, (_, i) => `g${i}`);
		expect(source.keys).toEqual([...guessed, "asked", "g14"]);
	});

	it("keeps at most sixteen requests in flight, also after failures and aborts", async () => {
		let inFlight = 0;
		let most = 0;
		const slow = (reply: Reply) => async () => {
			inFlight += 1;
			most = Math.max(most, inFlight);
			await new Promise((resolve) => setTimeout(resolve, 2));
			inFlight -= 1;
			return reply();
		};
		const keys = Array.from({ length: 40 }, (_, i) => `k${i}`);
		const replies = keys.map((key, i) => [key, [slow(i % 2 ? ok : status(400))]]);
		const { source, asked } = sourceOf(Object.fromEntries(replies));
		const reads = new SharedReads(source, () => {});
		const control = new AbortController();
		const waits = keys.map((key, i) =>
			reads.read([whole(key)], i % 20 === 19 ? control : {}),
		);
		control.abort();
		const ends = (await Promise.allSettled(waits)).map(({ status }) => status);
		expect(ends.filter((end) => end === "rejected")).toHaveLength(22);
		expect(asked).toHaveLength(38);
		expect(most).toBe(16);
	});

	it("demotes reads whose foreground callers left", async () => {
		const { source, reads } = setUp();
		for (let i = 0; i < 16; i += 1) void reads.read([whole(`busy${i}`)]);
		void reads.read([whole("passed"), whole("now")], { background: true });
		const gone = new AbortController();
		const passing = reads.read([whole("passed")], { signal: gone.signal });
		gone.abort();
		await expect(passing).rejects.toThrow();
		void reads.read([whole("now")]);
		source.of("busy0").answer(undefined);
		await settled();
		expect(source.keys.slice(16)).toEqual(["now"]);
	});

	it("aborts everything at the end", async () => {
		const { source, reads } = setUp();
		const waits = Promise.allSettled([
			reads.read([whole("a")]),
			reads.read([whole("b")]),
		]);
		await settled();
		reads.abort(new Error("closed"));
		expect((await waits).map((one) => one.status)).toEqual(["rejected", "rejected"]);
		expect(source.reads.every(({ options }) => options.signal?.aborted)).toBe(true);
	});
});

describe("worker/shared-reads: failed reads", () => {
	it("throws the error of a key until it is forgotten", () => {
		const failed = new FailedReads();
		const [first, second] = [new Error("first"), new Error("second")];
		failed.note("a", first);
		failed.note("b", second);
		expect(() => failed.check("a")).toThrow(first);
		failed.check("c");
		failed.forget("a");
		failed.check("a");
		expect(() => failed.check("b")).toThrow(second);
		failed.forget();
		failed.check("b");
	});

	it("forgets after 30 seconds", () => {
		let now = 1000;
		const failed = new FailedReads(() => now);
		failed.note("a", new Error("offline"));
		now += 29_999;
		expect(() => failed.check("a")).toThrow("offline");
		now += 1;
		failed.check("a");
		now -= 10_000;
		failed.check("a"); // removed, not only hidden
	});

	it("keeps a bounded number, evicting the oldest", () => {
		const failed = new FailedReads();
		for (let i = 0; i <= 4096; i += 1) failed.note(String(i), new Error(String(i)));
		failed.check("0");
		expect(() => failed.check("1")).toThrow("1");
		failed.note("1", new Error("anew"));
		failed.note("new", new Error("new"));
		failed.check("2");
		expect(() => failed.check("1")).toThrow("anew");
	});
});
