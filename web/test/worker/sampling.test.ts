import { describe, expect, it, vi } from "vitest";
import { Buffers } from "../../src/arrays/buffers.js";
import { toBevError } from "../../src/base/errors.js";
import { Core } from "../../src/core/core.js";
import { MemorySource } from "../../src/source/source.js";
import { owned } from "../../src/worker/owned.js";
import { OwnedObjects } from "../../src/worker/owned-objects.js";
import type { Progress, SamplingQuery } from "../../src/worker/protocol.js";
import { Run, type RunHost, type RunOptions } from "../../src/worker/run.js";
import { Sampling } from "../../src/worker/sampling.js";
import { fakeCore, type Handlers } from "../support/fake-core.js";
import { array } from "../support/packed.js";

const SAMPLER = {
	kind: "sampler",
	id: 1,
	options: { config: "row" },
	objects: {},
} as const;

const REPORT = { total_reject: 3 };

const ROWS = [array("agents_indices", BigInt64Array.of(2n, 4n))];

function index(fromStore: boolean): Handlers {
	return {
		agent_index: (_, made) => made({}),
		agent_index_progress: () => Float64Array.of(5, 5),
		agent_index_report: () => (fromStore ? "" : JSON.stringify(REPORT)),
		agent_items: (_, made) => made({}),
		item_rows: () => ROWS,
	};
}

/** A selection of two scenes; counts how often it is freed. */
function selection(deleted: () => void): Handlers {
	let scene = -1;
	return {
		selection: (_, made) =>
			made({
				build: () => [array("mask", Uint32Array.of(scene, 1))],
				delete: deleted,
			}),
		next_selected: () => ++scene < 2,
		selection_info: () =>
			JSON.stringify({ scene, scenes: 2, agents: 2, report: REPORT }),
	};
}

function started(more: Handlers = {}) {
	const core = new Core(fakeCore(more).module);
	const engine = core.run("engine", { byte_budget: 1000 });
	const progress: Progress[] = [];
	const objects = new OwnedObjects();
	const sampling = new Sampling(objects);
	const host: RunHost = {
		reads: {
			read: async (requests) => {
				for (const { key } of requests) {
					const bytes = Uint8Array.of(Number(key.slice(3)));
					core.run("supply", { engine, key, begin: -1, end: -1, bytes });
				}
			},
		},
		source: new MemorySource({}),
		buffers: new Buffers(),
		byteBudget: 1000,
		explained: (_, thrown) => toBevError(thrown),
	};
	const instance = { core, engine, opened: true, ended: undefined };
	const onProgress = (one: Progress) => progress.push(one);
	const ask = (query: SamplingQuery, options: RunOptions = {}) =>
		sampling.answer(query, new Run(host, instance, { onProgress, ...options }));
	return { core, engine, objects, ask, progress };
}

describe("worker/sampling", () => {
	it("returns a sample, or a stacked batch", async () => {
		const { ask } = started();
		await ask(SAMPLER);
		const samples = {
			kind: "samples",
			sampler: 1,
			stacked: false,
			sequential: false,
		} as const;
		const one = await ask({ ...samples, at: [{ frame: 7 }] });
		expect(one.result?.arrays[0]).toMatchObject({ name: "bytes", shape: [1] });
		expect(new Uint8Array(one.result?.buffer ?? new ArrayBuffer())[0]).toBe(7);
		const at = [{ frame: 7 }, { agent: 9 }];
		const two = await ask({ ...samples, at, stacked: true });
		expect(two.result?.arrays[0]).toMatchObject({ name: "bytes", shape: [2, 1] });
		const read = await ask({ ...samples, at }, { prefetch: true });
		expect(read.result).toBeUndefined();
	});

	it("rejects an unknown sampler", async () => {
		const { ask } = started();
		const samples = {
			kind: "samples",
			at: [{ frame: 1 }],
			stacked: false,
			sequential: false,
		} as const;
		await expect(ask({ ...samples, sampler: 9 })).rejects.toThrow("samples: closed");
	});

	it("keeps items, with a report if selected", async () => {
		const query = {
			kind: "agent-index",
			id: 1,
			config: "",
			options: {},
		} as const;
		const selected = started(index(false));
		const answer = await selected.ask(query);
		expect(answer.result?.arrays[0]?.name).toBe("agents_indices");
		expect(JSON.parse(answer.text ?? "")).toEqual(REPORT);
		expect(selected.progress.at(-1)).toMatchObject({ done: 5, of: 5 });
		const stored = started(index(true));
		expect((await stored.ask(query)).text).toBeUndefined();
		expect(() => stored.objects.handlesOf({ items: 7 })).toThrow("call index() again");
		expect(stored.objects.handlesOf({ items: 1 }).items).toBeGreaterThan(0);
		const objects = { validAgents: 7 };
		await expect(stored.ask({ ...SAMPLER, objects })).rejects.toThrow(
			"call index() again",
		);
	});

	it("selects scene by scene", async () => {
		const deleted = vi.fn();
		const { core, engine, objects, ask } = started(selection(deleted));
		const next = { kind: "next-selected", selection: 4 } as const;
		await expect(ask(next)).rejects.toThrow("selection: lost in a failure");
		objects.add(4, owned(core, core.run("selection", { engine })));
		const first = await ask(next);
		expect(JSON.parse(first.text ?? "")).toEqual({
			scene: 0,
			scenes: 2,
			agents: 2,
			report: REPORT,
		});
		expect(first.result?.arrays[0]?.name).toBe("mask");
		await ask(next);
		expect(await ask(next)).toEqual({});
		objects.free(4);
		expect(deleted).toHaveBeenCalledOnce();
	});
});
