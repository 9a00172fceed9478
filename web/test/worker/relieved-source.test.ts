import { afterEach, describe, expect, it, vi } from "vitest";
import { FetchSource } from "../../src/source/fetch-source.js";
import type { FromWorker, ToWorker } from "../../src/worker/protocol.js";
import { type OtherWorker, RelievedSource } from "../../src/worker/relieved-source.js";
import { Service } from "../../src/worker/service.js";
import { settled } from "../support/sources.js";

const MIB = 2 ** 20;

/** A worker on this thread: messages are cloned. `mute` ones take them and say nothing. */
class WorkerDouble implements OtherWorker {
	onmessage: ((event: MessageEvent<FromWorker>) => void) | null = null;
	onerror: ((event: ErrorEvent) => void) | null = null;
	readonly sent: ToWorker[] = [];
	readonly #mute: boolean;
	readonly #service = new Service({
		post: (message, transfer = []) => {
			const data = structuredClone(message, { transfer });
			setTimeout(() => this.onmessage?.({ data } as MessageEvent<FromWorker>));
		},
		instantiate: () => Promise.reject(new Error("nothing is decoded here")),
		another: () => Promise.reject(new Error("no further one")),
	});

	constructor(mute = false) {
		this.#mute = mute;
	}

	postMessage(message: ToWorker, transfer: Transferable[]): void {
		const data = structuredClone(message, { transfer });
		this.sent.push(data);
		if (!this.#mute) setTimeout(() => this.#service.receive(data));
	}

	get asked(): string[] {
		return this.sent.flatMap((message) => (message.type === "read" ? message.key : []));
	}
}

/** A server whose object `k` is one MiB of byte k; `absent` is not there. */
async function serve(url: URL | string): Promise<Response> {
	const key = new URL(url).pathname.split("/").at(-1) ?? "";
	if (key === "absent") return new Response("", { status: 404 });
	const bytes = new Uint8Array(MIB).fill(Number(key));
	return new Response(bytes, { headers: { "Content-Length": String(MIB) } });
}

function setUp(worker = new WorkerDouble()) {
	vi.stubGlobal("fetch", vi.fn(serve));
	const near = new FetchSource("https://host.test/set.zarr", { retry: { retries: 0 } });
	const start = vi.fn(async (): Promise<OtherWorker> => worker);
	return { source: new RelievedSource(near, start), start, worker };
}

/** As much as makes it worth while. */
async function readMuch(source: RelievedSource): Promise<void> {
	for (const key of ["1", "2", "3", "4"]) await source.read(key);
	await settled();
}

afterEach(() => vi.unstubAllGlobals());

describe("worker/relieved-source", () => {
	it("has another worker fetch once much was read, and starts it once", async () => {
		const { source, start, worker } = setUp();
		for (const key of ["1", "2", "3"]) await source.read(key);
		expect(start).not.toHaveBeenCalled();
		await source.read("4");
		await settled();
		for (const key of ["5", "6", "7", "8", "9"]) {
			const bytes = await source.read(key);
			expect([bytes?.length, bytes?.[0], bytes?.at(-1)]).toEqual([MIB, +key, +key]);
		}
		await expect(source.read("absent")).resolves.toBeUndefined();
		expect(worker.asked).toEqual(["5", "6", "7", "8", "9", "absent"]);
		expect(start).toHaveBeenCalledOnce();
	});

	it("fetches parts, and what may not be there, itself", async () => {
		const { source, worker } = setUp();
		await readMuch(source);
		const part = await source.read("5", { range: { begin: 3, end: 5 } });
		expect(part).toEqual(Uint8Array.of(5, 5));
		await source.read("6", { required: false });
		await expect(source.size("7")).resolves.toBe(MIB);
		expect(worker.asked).toEqual([]);
	});

	it("gives memory back to the worker that it came from", async () => {
		const { source, worker } = setUp();
		const near = await source.read("1");
		await readMuch(source);
		const far = await source.read("5");
		source.recycle(near as Uint8Array<ArrayBuffer>);
		expect(worker.sent.filter(({ type }) => type === "spare")).toHaveLength(0);
		source.recycle(far as Uint8Array<ArrayBuffer>);
		expect(worker.sent.filter(({ type }) => type === "spare")).toHaveLength(1);
		expect(far?.length).toBe(0);
	});

	it("passes on failures and aborts", async () => {
		const { source, worker } = setUp();
		await readMuch(source);
		const control = new AbortController();
		const read = source.read("5", { signal: control.signal });
		control.abort(new Error("left"));
		await expect(read).rejects.toThrow("left");
		expect(worker.sent.at(-1)?.type).toBe("unwanted");
		vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no route")));
		await expect(source.read("6")).rejects.toMatchObject({
			code: "network",
			key: "6",
			message: "6: no route",
		});
	});

	it("goes on alone where there can be no other worker", async () => {
		const { source, start } = setUp();
		start.mockRejectedValue(new Error("refused by the policy"));
		await readMuch(source);
		await expect(source.read("5")).resolves.toHaveLength(MIB);
		expect(start).toHaveBeenCalledOnce();
	});

	it("reads what a worker that fails has left, and all that follows", async () => {
		const { source, worker } = setUp(new WorkerDouble(true));
		await readMuch(source);
		const left = source.read("5");
		await settled();
		worker.onerror?.({ message: "gone", preventDefault: () => {} } as ErrorEvent);
		await expect(left).resolves.toHaveLength(MIB);
		await expect(source.read("6")).resolves.toHaveLength(MIB);
		expect(worker.asked).toEqual(["5"]);
	});
});
