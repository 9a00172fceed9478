import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MemorySource } from "../../src/source/source.js";
import { arraysBy, type ToWorker } from "../../src/worker/protocol.js";
import { Watchdog } from "../../src/worker/watchdog.js";
import { WorkerClient } from "../../src/worker/worker-client.js";

const STEP_MS = 20_000;
const module = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watched() {
	const ping = vi.fn();
	const onDead = vi.fn();
	return { ping, onDead, watchdog: new Watchdog({ ping, onDead }) };
}

/** A worker that receives messages and sends only what the test tells it to. */
function silentWorker() {
	const sent: ToWorker[] = [];
	const worker = {
		onmessage: (_event: { data: unknown }): void => {},
		onmessageerror: (): void => {},
		postMessage: (message: ToWorker) => sent.push(message),
		terminate: vi.fn(),
	};
	const settings = {
		module,
		byteBudget: 1000,
		missing: undefined,
		cacheLimit: undefined,
		archive: undefined,
	};
	const client = new WorkerClient(
		worker as unknown as Worker,
		new MemorySource({}),
		settings,
	);
	return { client, worker, sent };
}

describe("worker/watchdog", () => {
	it("reports once after three unanswered pings", () => {
		const { ping, onDead, watchdog } = watched();
		watchdog.start();
		watchdog.start();
		vi.advanceTimersByTime(3 * STEP_MS);
		expect(ping).toHaveBeenCalledTimes(3);
		expect(onDead).not.toHaveBeenCalled();
		vi.advanceTimersByTime(10 * STEP_MS);
		expect(onDead).toHaveBeenCalledOnce();
		expect(ping).toHaveBeenCalledTimes(3);
	});

	it("accepts any message as a sign of life, and rests while idle", () => {
		const { ping, onDead, watchdog } = watched();
		watchdog.start();
		for (let i = 0; i < 20; i += 1) {
			vi.advanceTimersByTime(STEP_MS);
			watchdog.alive();
		}
		expect(onDead).not.toHaveBeenCalled();
		const pings = ping.mock.calls.length;
		watchdog.stop();
		vi.advanceTimersByTime(100 * STEP_MS);
		expect(ping).toHaveBeenCalledTimes(pings);
		expect(onDead).not.toHaveBeenCalled();
	});
});

describe("worker/worker-client with a worker that died", () => {
	it("rejects every query once, also later ones", async () => {
		const { client, worker, sent } = silentWorker();
		const rejected = vi.fn();
		const asked = [client.ask({ kind: "open" }), client.ask(arraysBy("summary", {}))];
		for (const one of asked) one.catch(rejected);
		await vi.advanceTimersByTimeAsync(4 * STEP_MS);
		expect(sent.filter(({ type }) => type === "ping")).toHaveLength(3);
		expect(rejected).toHaveBeenCalledTimes(2);
		expect(rejected.mock.lastCall?.[0]).toMatchObject({
			code: "internal",
			message: "worker: failed: no response; open the data set again",
		});
		expect(worker.terminate).toHaveBeenCalledOnce();
		await expect(client.ask({ kind: "open" })).rejects.toThrow("no response");
	});

	it("waits for a slow worker that answers pings", async () => {
		const { client, worker } = silentWorker();
		const asked = client.ask({ kind: "open" });
		const rejected = vi.fn();
		asked.catch(rejected);
		for (let i = 0; i < 30; i += 1) {
			await vi.advanceTimersByTimeAsync(STEP_MS);
			worker.onmessage({ data: { type: "pong" } });
		}
		expect(rejected).not.toHaveBeenCalled();
		client.close();
		await expect(asked).rejects.toThrow("data set: closed");
	});

	it("does not ping while no query waits", async () => {
		const { client, sent } = silentWorker();
		const control = new AbortController();
		const asked = client.ask({ kind: "open" }, { signal: control.signal });
		control.abort(new Error("left"));
		await expect(asked).rejects.toThrow("left");
		await vi.advanceTimersByTimeAsync(100 * STEP_MS);
		expect(sent.map(({ type }) => type)).toEqual(["init", "ask", "abort"]);
	});

	it("rejects if a worker's message is unreadable", async () => {
		const { client, worker } = silentWorker();
		const asked = client.ask({ kind: "open" });
		worker.onmessageerror();
		await expect(asked).rejects.toMatchObject({
			message: expect.stringContaining("unreadable message"),
		});
	});
});
