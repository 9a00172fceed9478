import { describe, expect, it, vi } from "vitest";
import { Core } from "../../src/core/core.js";
import type { Owned } from "../../src/worker/owned.js";
import type { SamplerQuery } from "../../src/worker/protocol.js";
import { Samplers } from "../../src/worker/samplers.js";
import { fakeCore } from "../support/fake-core.js";

const QUERY = {
	kind: "sampler",
	id: 3,
	options: { config: "frame" },
	objects: {},
} as const satisfies SamplerQuery;

function started(query: SamplerQuery = QUERY) {
	const unpinned = vi.fn();
	const { module } = fakeCore({ release_pins: unpinned });
	const core = new Core(module);
	const engine = core.run("engine", { byte_budget: 1000 });
	const instance = { core, engine, opened: true, ended: undefined };
	const deleted = vi.fn();
	const make = vi.fn((): Owned<"Samples"> => {
		const handle = core.run("samples", { engine, config: "frame" });
		return { handle, delete: deleted };
	});
	const samplers = new Samplers(make);
	samplers.add(instance, query);
	const borrow = (): Promise<Owned<"Samples">> => samplers.borrow(instance, 3);
	const giveBack = (samples: Owned<"Samples">, keep: boolean): void =>
		samplers.giveBack(instance, 3, samples, keep);
	return { samplers, make, deleted, unpinned, borrow, giveBack };
}

describe("worker/samplers", () => {
	it("creates one per concurrent query", async () => {
		const { make, borrow, giveBack } = started();
		const [first, second] = [await borrow(), await borrow()];
		expect(first).not.toBe(second);
		giveBack(second, true);
		expect(await borrow()).toBe(second);
		expect(make).toHaveBeenCalledTimes(2);
	});

	it("frees one that made no sample, to release its chunks", async () => {
		const { make, deleted, borrow, giveBack } = started();
		giveBack(await borrow(), false);
		expect(deleted).toHaveBeenCalledOnce();
		giveBack(await borrow(), true);
		expect(make).toHaveBeenCalledTimes(2);
		expect(deleted).toHaveBeenCalledOnce();
		const options = { config: "frame", perturbation: { seed: 4 } };
		const perturbed = started({ ...QUERY, options });
		perturbed.giveBack(await perturbed.borrow(), false);
		expect(perturbed.unpinned).toHaveBeenCalledOnce();
		perturbed.giveBack(await perturbed.borrow(), true);
		expect(perturbed.unpinned).toHaveBeenCalledOnce();
		await perturbed.borrow();
		expect(perturbed.deleted).not.toHaveBeenCalled();
		expect(perturbed.make).toHaveBeenCalledOnce();
	});

	it("lends the only perturbed sampler in request order", async () => {
		const options = { config: "frame", perturbation: { seed: 4 } };
		const { samplers, make, borrow, giveBack } = started({ ...QUERY, options });
		const first = await borrow();
		const order: string[] = [];
		const second = borrow().then((samples) => {
			order.push("second");
			giveBack(samples, true);
		});
		const third = borrow().then(() => order.push("third"));
		await Promise.resolve();
		expect(order).toEqual([]);
		giveBack(first, true);
		await Promise.all([second, third]);
		expect(order).toEqual(["second", "third"]);
		expect(make).toHaveBeenCalledTimes(1);
		const fourth = borrow();
		samplers.free(3);
		await expect(fourth).rejects.toThrow("samples: closed");
	});

	it("unpins a cancelled perturbed sample before the next caller", async () => {
		const options = { config: "frame", perturbation: { seed: 4 } };
		const { unpinned, borrow, giveBack } = started({ ...QUERY, options });
		const first = await borrow();
		const second = borrow();
		giveBack(first, false);
		expect(unpinned).toHaveBeenCalledOnce();
		giveBack(await second, false);
		expect(unpinned).toHaveBeenCalledTimes(2);
	});

	it("frees busy ones when they return", async () => {
		const { samplers, deleted, borrow, giveBack } = started();
		const atWork = await borrow();
		giveBack(await borrow(), true);
		samplers.free(3);
		expect(deleted).toHaveBeenCalledTimes(1);
		giveBack(atWork, true);
		expect(deleted).toHaveBeenCalledTimes(2);
		await expect(borrow()).rejects.toThrow("samples: closed");
	});

	it("creates new ones after a failure, and never uses old ones", async () => {
		const { samplers, make, deleted, borrow } = started();
		samplers.forget();
		await borrow();
		expect(make).toHaveBeenCalledTimes(2);
		samplers.close();
		expect(deleted).not.toHaveBeenCalled();
	});
});
