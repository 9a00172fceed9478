import { afterEach, describe, expect, it } from "vitest";
import type { Stats } from "../../src/api.js";
import { BevError } from "../../src/base/errors.js";
import { MemorySource, type Source } from "../../src/source/source.js";
import { arraysBy, type Query } from "../../src/worker/protocol.js";
import { WorkerClient } from "../../src/worker/worker-client.js";
import { fakeCore } from "../support/fake-core.js";
import { ServiceWorkerDouble } from "../support/service-worker.js";
import { HeldSource, settled } from "../support/sources.js";

const objects = {
	meta: Uint8Array.of(7),
	a: Uint8Array.of(1, 2),
	damaged: Uint8Array.of(255),
};
const module = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
const clients: WorkerClient[] = [];
afterEach(() => {
	for (const client of clients.splice(0)) client.close();
});

function connect(source: Source) {
	const { module: core, engines } = fakeCore();
	const worker = new ServiceWorkerDouble(async () => core);
	const settings = {
		module,
		byteBudget: 1000,
		missing: undefined,
		cacheLimit: undefined,
		archive: undefined,
	};
	const client = new WorkerClient(worker as unknown as Worker, source, settings);
	clients.push(client);
	return { client, worker, engines };
}

function rows(array: string): Query {
	return arraysBy("rows", { array });
}

async function until(condition: () => boolean): Promise<void> {
	for (let i = 0; i < 100 && !condition(); i += 1) await settled();
	expect(condition()).toBe(true);
}

describe("worker/worker-client and worker/service", () => {
	it("reads the page's source and answers by transfer", async () => {
		const { client } = connect(new MemorySource(objects));
		const { result, stats } = await client.ask(rows("a,gone?"));
		expect(result?.arrays[0]).toMatchObject({ name: "bytes", shape: [2] });
		expect(
			[...new Uint8Array(result?.buffer ?? new ArrayBuffer(0))].slice(0, 2),
		).toEqual([1, 2]);
		expect(stats).toMatchObject({ bytes: 3, requests: 3, absentChunks: 1 });
	});

	it("rejects a query that cannot be sent, and waits for no answer", async () => {
		const { client, worker } = connect(new MemorySource(objects));
		const references: string[] = [];
		Object.assign(worker, {
			ref: () => references.push("ref"),
			unref: () => references.push("unref"),
		});
		const query = Object.assign({ more: () => {} }, rows("a"));
		await expect(client.ask(query)).rejects.toMatchObject({
			name: "BevError",
			code: "invalid_argument",
		});
		expect(references).toEqual([]);
		await client.ask(rows("a"));
		expect(references).toEqual(["ref", "unref"]);
	});

	it("reports corrupt objects to the page's source", async () => {
		const forgotten: string[] = [];
		const forget = (key: string) => void forgotten.push(key);
		const { client, engines } = connect(
			Object.assign(new MemorySource(objects), { forget }),
		);
		await client.ask(rows("a"));
		const [engine] = engines;
		if (engine) engine.damaged = ["a", "a", "b"];
		client.forgetFailures();
		await until(() => forgotten.length > 0);
		expect(forgotten).toEqual(["a", "b"]);
	});

	it("reads the last bytes of an object of the page's source", async () => {
		const { client, engines } = connect(new MemorySource(objects));
		const { result, stats } = await client.ask(rows("a~1"));
		expect(result?.arrays[0]).toMatchObject({ shape: [1] });
		expect(stats).toMatchObject({ bytes: 2, requests: 2 });
		expect(engines[0]?.supplied).toEqual(["meta", "a@1-3"]);
	});

	it("does not transfer the source's own bytes", async () => {
		const kept = Uint8Array.of(9, 1, 2, 9).subarray(1, 3);
		const read = async (key: string) => (key === "a" ? kept : objects.meta);
		const { client } = connect({ read });
		await client.ask(rows("a"));
		expect([...kept]).toEqual([1, 2]);
	});

	it("transfers errors of core and source", async () => {
		const failing: Source = {
			read: async (key) => {
				if (key !== "a") return objects[key as "meta"];
				throw new BevError("network", "a: HTTP 500", { key: "a", status: 500 });
			},
		};
		const { client } = connect(failing);
		await expect(client.ask(rows("damaged"))).rejects.toMatchObject({
			code: "corrupt_chunk",
			message: "damaged: damaged",
		});
		await expect(client.ask(rows("a"))).rejects.toMatchObject({
			code: "network",
			key: "a",
			status: 500,
		});
	});

	it("aborts through to the page's source", async () => {
		const source = new HeldSource();
		const { client } = connect(source);
		const control = new AbortController();
		const asked = client.ask(rows("a"), { signal: control.signal });
		await until(() => source.keys.includes("meta"));
		control.abort(new Error("scrubbed away"));
		await expect(asked).rejects.toThrow("scrubbed away");
		await until(() => source.of("meta").options.signal?.aborted === true);
	});

	it("sends no query for an aborted signal", async () => {
		const { client, worker } = connect(new MemorySource(objects));
		const signal = AbortSignal.abort(new Error("late"));
		await expect(client.ask(rows("a"), { signal })).rejects.toThrow("late");
		expect(worker.sent.map(({ type }) => type)).toEqual(["init"]);
	});

	it("returns buffers to the worker with the next query", async () => {
		const { client, worker } = connect(new MemorySource(objects));
		const { result } = await client.ask(rows("a"));
		const buffer = result?.buffer ?? new ArrayBuffer(0);
		client.recycle(buffer);
		expect(buffer.byteLength).toBe(0);
		const { length } = worker.sent;
		await client.ask(rows("a"));
		expect(worker.sent[length]).toHaveProperty("spare.length", 1);
	});

	it("keeps a bounded number of buffers between queries", async () => {
		const { client, worker } = connect(new MemorySource(objects));
		for (let i = 0; i < 20; i += 1) client.recycle(new ArrayBuffer(8));
		await client.ask(rows("a"));
		const asked = worker.sent.find(({ type }) => type === "ask");
		expect(asked).toHaveProperty("spare.length", 8);
	});

	it("reports statistics, including keys presumed absent by the page", async () => {
		const source: Source = {
			read: async (key) => objects[key as "meta"],
			presumedAbsent: [".zmetadata"],
		};
		const { client } = connect(source);
		const seen: Stats[] = [];
		client.onStats = (stats) => seen.push(stats);
		await client.ask(rows("a"));
		expect(seen.at(-1)).toMatchObject({ requests: 2, presumedAbsent: [".zmetadata"] });
	});

	it("rejects pending and later queries when closed", async () => {
		const { client, worker } = connect(new HeldSource());
		const asked = client.ask(rows("a"));
		client.close();
		client.close();
		await expect(asked).rejects.toThrow("data set: closed");
		await expect(client.ask(rows("a"))).rejects.toThrow("data set: closed");
		expect(worker.terminated).toBe(true);
	});

	it("rejects pending queries when the worker dies", async () => {
		const { client, worker } = connect(new HeldSource());
		const asked = client.ask(rows("a"));
		worker.onerror?.({ message: "out of memory", preventDefault: () => {} });
		await expect(asked).rejects.toMatchObject({
			code: "internal",
			message: "worker: failed: out of memory; open the data set again",
		});
	});
});
