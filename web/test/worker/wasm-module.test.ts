import { describe, expect, it, vi } from "vitest";
import { MemorySource, type Source } from "../../src/source/source.js";
import { Host } from "../../src/worker/host.js";
import { arraysBy, type Query } from "../../src/worker/protocol.js";
import { isTrap } from "../../src/worker/wasm-module.js";
import { fakeCore, type Handlers } from "../support/fake-core.js";
import { HeldSource, settled } from "../support/sources.js";

const META = Uint8Array.of(7);
const SUPPLY_TRAPS = Uint8Array.of(254);
const BUILD_TRAPS = Uint8Array.of(253);
const FAILED = { code: "internal", message: "core: failed: unreachable" };

function rows(array: string): Query {
	return arraysBy("rows", { array });
}

function hostOn(source: Source, more: Handlers = {}) {
	const { module, engines } = fakeCore(more);
	const createCore = vi.fn(async () => module);
	return { host: new Host({ createCore, source, byteBudget: 1000 }), engines };
}

/** A host that has read the metadata, and a source whose reads are pending. */
async function opened(more: Handlers = {}) {
	const source = new HeldSource();
	const made = hostOn(source, more);
	const open = made.host.run({ kind: "open" });
	await settled();
	source.of("meta").answer(META);
	await open;
	return { ...made, source };
}

/** Returns a mock that is called when the query fails. */
function outcome(asked: Promise<unknown>) {
	const failed = vi.fn();
	asked.catch(failed);
	return failed;
}

async function reopened(source: HeldSource, host: Host): Promise<void> {
	const again = host.run(rows("c"));
	await settled();
	source.of("meta").answer(META);
	await settled();
	source.of("c").answer(Uint8Array.of(3));
	await expect(again).resolves.toBeDefined();
}

describe("worker/wasm-module: traps", () => {
	it("distinguishes traps, aborts and stack overflows from other errors", () => {
		expect(isTrap(new WebAssembly.RuntimeError("unreachable"))).toBe(true);
		expect(isTrap(new RangeError("Maximum call stack size exceeded"))).toBe(true);
		const firefox = Object.assign(new Error("too much recursion"), {
			name: "InternalError",
		});
		expect(isTrap(firefox)).toBe(true);
		expect(isTrap(new RangeError("Invalid typed array length: 5"))).toBe(false);
		expect(isTrap(new Error("call stack"))).toBe(false);
		expect(isTrap("unreachable")).toBe(false);
	});

	for (const [when, bytes] of [
		["bytes are supplied", SUPPLY_TRAPS],
		["a result is built", BUILD_TRAPS],
	] as const) {
		for (const trapFirst of [true, false]) {
			const order = trapFirst ? "before" : "after";
			it(`fails a waiting query, asked ${order} the trap, when ${when}`, async () => {
				const { host, source, engines } = await opened();
				const asked = trapFirst ? ["bad", "a,b"] : ["a,b", "bad"];
				const ended = asked.map((array) => outcome(host.run(rows(array))));
				await settled();
				source.of("bad").answer(bytes);
				await settled();
				for (const failed of ended) {
					expect(failed).toHaveBeenCalledOnce();
					expect(failed.mock.lastCall?.[0]).toMatchObject(FAILED);
				}
				expect(source.of("a").options.signal?.aborted).toBe(true);
				const before = source.reads.length;
				source.of("a").answer(Uint8Array.of(1)); // too late
				await settled();
				expect(source.reads.length).toBe(before);
				await reopened(source, host);
				expect(engines).toHaveLength(2);
				expect(engines[1]?.supplied).toEqual(["meta", "c"]);
				for (const failed of ended) expect(failed).toHaveBeenCalledOnce();
			});
		}
	}

	it("fails a query whose bytes arrive with those that trap", async () => {
		const { host, source } = await opened();
		const ended = ["a;b", "bad", "d;e"].map((array) => outcome(host.run(rows(array))));
		await settled();
		for (const key of ["a", "bad", "d"]) {
			source.of(key).answer(key === "bad" ? SUPPLY_TRAPS : Uint8Array.of(1));
		}
		await settled();
		for (const failed of ended) expect(failed).toHaveBeenCalledOnce();
		expect(source.keys).not.toContain("e");
		await reopened(source, host);
	});

	it("restarts after a trap in a prefetch", async () => {
		const { host, source, engines } = await opened();
		const asked = host.run(rows("a>bad"));
		await settled();
		source.of("a").answer(Uint8Array.of(1));
		await expect(asked).resolves.toBeDefined();
		const waiting = outcome(host.run(rows("b")));
		await settled();
		source.of("bad").answer(SUPPLY_TRAPS);
		await settled();
		expect(waiting).toHaveBeenCalledOnce();
		await reopened(source, host);
		expect(engines).toHaveLength(2);
	});

	it("restarts even if the trapped query was aborted", async () => {
		const { host, source, engines } = await opened();
		const control = new AbortController();
		const asked = outcome(host.run(rows("bad"), { signal: control.signal }));
		await settled();
		source.of("bad").answer(BUILD_TRAPS);
		control.abort(new Error("scrubbed away"));
		await settled();
		expect(asked.mock.lastCall?.[0]).toMatchObject({ message: "scrubbed away" });
		const trapped = engines.length;
		await expect(
			(async () => {
				const next = host.run(rows("a"));
				await settled();
				source.reads.at(-1)?.answer(META);
				await settled();
				source.reads.at(-1)?.answer(Uint8Array.of(1));
				return next;
			})(),
		).resolves.toBeDefined();
		expect(trapped).toBe(1);
	});

	it("a late trap of the old module does not affect the new one", async () => {
		const objects = { meta: META, a: Uint8Array.of(1), bad: BUILD_TRAPS };
		const { host, engines } = hostOn(new MemorySource(objects));
		const results = await Promise.allSettled([
			host.run(rows("bad")),
			host.run(rows("bad")),
			host.run(rows("a")),
		]);
		expect(results.map(({ status }) => status)).toContain("rejected");
		await expect(host.run(rows("a"))).resolves.toBeDefined();
		const restarted = engines.length;
		await expect(host.run(rows("a"))).resolves.toBeDefined();
		expect(engines).toHaveLength(restarted);
	});

	it("ends agent selection, which has no limit of rounds", async () => {
		const never = { key: "never", begin: -1, end: -1, required: true, tail: 0 };
		const { host, source } = await opened({
			agent_index: (_, made) => made({ missing: () => [never] }),
			agent_index_progress: () => Float64Array.of(0, 1),
		});
		const query = { kind: "agent-index", id: 1, config: "", options: {} } as const;
		const index = outcome(host.run(query));
		const trapping = outcome(host.run(rows("bad")));
		await settled();
		source.of("bad").answer(SUPPLY_TRAPS);
		await settled();
		expect(trapping).toHaveBeenCalledOnce();
		expect(index).toHaveBeenCalledOnce();
		expect(index.mock.lastCall?.[0]).toMatchObject(FAILED);
		const before = source.reads.length;
		source.of("never").answer(Uint8Array.of(1));
		await settled();
		expect(source.reads.length).toBe(before);
	});

	for (const trapFirst of [true, false]) {
		it(`a sampler ${trapFirst ? "asked after" : "that waits for"} the trap is made anew`, async () => {
			const { host, source, engines } = await opened();
			const options = { config: "row" };
			await host.run({ kind: "sampler", id: 1, options, objects: {} });
			const samples = {
				kind: "samples",
				sampler: 1,
				at: [{ frame: 7 }],
				stacked: false,
				sequential: false,
			} as const;
			const asks = [() => host.run(rows("bad")), () => host.run(samples)];
			if (!trapFirst) asks.reverse();
			const ended = asks.map((ask) => outcome(ask()));
			await settled();
			source.of("bad").answer(SUPPLY_TRAPS);
			await settled();
			for (const failed of ended) {
				expect(failed).toHaveBeenCalledOnce();
				expect(failed.mock.lastCall?.[0]).toMatchObject(FAILED);
			}
			const again = host.run(samples);
			await settled();
			source.of("meta").answer(META);
			await settled();
			source.of("row7").answer(Uint8Array.of(5));
			const { result } = await again;
			expect(result?.arrays[0]).toMatchObject({ name: "bytes", shape: [1] });
			expect(engines).toHaveLength(2);
		});
	}

	it("waiting perturbed samples also fail once", async () => {
		const { host, source } = await opened();
		const perturbation = { kind: "ackerman" };
		const options = { config: "row", perturbation } as never;
		await host.run({ kind: "sampler", id: 1, options, objects: {} });
		const at = (frame: number): Query => ({
			kind: "samples",
			sampler: 1,
			at: [{ frame }],
			stacked: false,
			sequential: false,
		});
		const ended = [at(1), at(2), rows("bad")].map((query) => outcome(host.run(query)));
		await settled();
		source.of("bad").answer(SUPPLY_TRAPS);
		await settled();
		for (const failed of ended) expect(failed).toHaveBeenCalledOnce();
	});

	it("stays closed if closed while queries wait", async () => {
		const { host, source, engines } = await opened();
		const waiting = outcome(host.run(rows("a;b")));
		await settled();
		host.close();
		await settled();
		expect(waiting).toHaveBeenCalledOnce();
		expect(waiting.mock.lastCall?.[0]).toMatchObject({
			code: "closed",
			message: "data set: closed",
		});
		await expect(host.run(rows("a"))).rejects.toThrow("data set: closed");
		expect(source.keys).not.toContain("b");
		expect(engines).toHaveLength(1);
		expect(engines[0]?.deleted).toBe(1);
	});
});
