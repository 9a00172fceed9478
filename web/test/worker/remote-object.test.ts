import { afterEach, describe, expect, it, vi } from "vitest";
import { askMap, keepMap } from "../../src/dataset/maps.js";
import { loadSampleMaps } from "../../src/samples/sample-maps.js";
import { MemorySource } from "../../src/source/source.js";
import type { Client } from "../../src/worker/client.js";
import { Host } from "../../src/worker/host.js";
import {
	type Answer,
	arraysBy,
	keeping,
	type Query,
} from "../../src/worker/protocol.js";
import { askObject, free, makesObject, newId } from "../../src/worker/remote-object.js";
import { WorkerClient } from "../../src/worker/worker-client.js";
import { fakeCore, type Handlers } from "../support/fake-core.js";
import { ServiceWorkerDouble } from "../support/service-worker.js";
import { settled } from "../support/sources.js";

const BYTES = Uint8Array.of(1);
const AERIAL = { kind: "aerial", id: 1, image: BYTES, meta: BYTES } as const;
const source = new MemorySource({ meta: BYTES });
const module = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));

/** Images whose decoding waits for `decoded()`; counts live images. */
function aerials() {
	let decoded = (): void => {};
	const decoding = new Promise<object>((resolve) => {
		decoded = () => resolve({ width: 1, height: 0, close: () => {} });
	});
	vi.stubGlobal("createImageBitmap", () => decoding);
	const context = { getImageData: () => ({ data: BYTES }) };
	vi.stubGlobal(
		"OffscreenCanvas",
		class {
			getContext = () => context;
		},
	);
	const images = { made: 0, alive: 0 };
	const handlers: Handlers = {
		aerial: (_, made) => {
			images.made += 1;
			images.alive += 1;
			const free = (): void => {
				images.alive -= 1;
			};
			return made({ delete: free });
		},
		put_aerial_rows: () => undefined,
	};
	return { images, handlers, decoded };
}

function workerOf(more: Handlers = {}) {
	const { module: core, alive } = fakeCore(more);
	const worker = new ServiceWorkerDouble(async () => core);
	const settings = {
		module,
		byteBudget: 1000,
		missing: undefined,
		cacheLimit: undefined,
		archive: undefined,
	};
	const client = new WorkerClient(worker as unknown as Worker, source, settings);
	return { client, worker, alive };
}

async function until(condition: () => boolean): Promise<void> {
	for (let i = 0; i < 100 && !condition(); i += 1) await settled();
	expect(condition()).toBe(true);
}

afterEach(() => vi.unstubAllGlobals());

describe("worker/kept", () => {
	it("knows which queries keep an object", () => {
		const query = keeping(3, "items_of_mask", { mask: BYTES });
		expect(makesObject(query)).toBe(true);
		expect(makesObject({ kind: "free", id: 3 })).toBe(false);
		expect(makesObject(arraysBy("summary", {}))).toBe(false);
	});

	it("gives ids only once, and frees by id alone", async () => {
		const [first, second] = [newId(), newId()];
		expect(second).not.toBe(first);
		const ask = vi.fn(async () => ({}) as Answer);
		free({ ask } as unknown as Client, second);
		expect(ask).toHaveBeenCalledWith({ kind: "free", id: second });
	});

	it("the host frees the object of an aborted query", async () => {
		const { images, handlers, decoded } = aerials();
		const { module: core } = fakeCore(handlers);
		const host = new Host({ createCore: async () => core, source, byteBudget: 1000 });
		const control = new AbortController();
		const asked = host.run(AERIAL, { signal: control.signal });
		await settled();
		control.abort(new Error("left"));
		await host.run({ kind: "free", id: 1 }); // arrives too early
		decoded();
		await expect(asked).rejects.toThrow("left");
		expect(images).toEqual({ made: 1, alive: 0 });
	});

	it("an image decoded after an abort is freed", async () => {
		const { images, handlers, decoded } = aerials();
		const { client } = workerOf(handlers);
		await client.ask({ kind: "open" });
		const control = new AbortController();
		const asked = askObject(client, AERIAL, { signal: control.signal });
		await settled();
		control.abort(new Error("left"));
		await expect(asked).rejects.toThrow("left");
		await client.ask(arraysBy("summary", {}));
		decoded();
		await until(() => images.made === 1 && images.alive === 0);
		client.close();
	});

	it("a map is freed if its query was aborted", async () => {
		for (const keep of [keepMap, askMap]) {
			const { client, alive } = workerOf();
			await client.ask({ kind: "open" });
			const control = new AbortController();
			const asked = keep(client, BYTES, BYTES, { signal: control.signal });
			await until(() => alive.maps === 1); // kept; the answer has been sent
			control.abort(new Error("left"));
			await expect(asked).rejects.toThrow("left");
			await until(() => alive.maps === 0);
			client.close();
		}
	});

	it("a map is freed if the aerial image beside it fails", async () => {
		const queries: Query[] = [];
		const keys = ["meta", "meta", "meta"];
		const client = {
			ask: async (query: Query) => {
				queries.push(query);
				if (query.kind === "aerial") throw new Error("no image decoder");
				return { text: JSON.stringify(keys) } as Answer;
			},
		} as unknown as Client;
		const loading = loadSampleMaps(client, "{}", source, { root: source });
		await expect(loading).rejects.toThrow("no image decoder");
		const map = queries.find((query) => query.kind === "keep");
		expect(map).toMatchObject({ name: "map" });
		expect(queries).toContainEqual({ kind: "free", id: map?.id });
	});
});
