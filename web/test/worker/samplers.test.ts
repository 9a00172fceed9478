import { describe, expect, it, vi } from "vitest";
import type { CoreSamples } from "../../src/core.js";
import type { SamplerQuery } from "../../src/worker/protocol.js";
import { aim, Samplers } from "../../src/worker/samplers.js";
import { fakeCore } from "../support/fake-core.js";

const QUERY = {
	kind: "sampler",
	id: 3,
	options: { config: "frame" },
	objects: {},
} as const satisfies SamplerQuery;

function started(query: SamplerQuery = QUERY) {
	const { core } = fakeCore();
	const engine = new core.Engine(1000, "");
	const deleted = vi.fn();
	const unpinned = vi.fn();
	const make = vi.fn(() => {
		const samples = core.samples(engine, QUERY.options, null, null, null);
		samples.delete = deleted;
		samples.releasePins = unpinned;
		return samples;
	});
	const samplers = new Samplers(make);
	samplers.add(core, engine, query);
	const borrow = (): Promise<CoreSamples> => samplers.borrow(core, engine, 3);
	return { samplers, make, deleted, unpinned, borrow };
}

describe("worker/samplers", () => {
	it("creates one per concurrent query", async () => {
		const { samplers, make, borrow } = started();
		const [first, second] = [await borrow(), await borrow()];
		expect(first).not.toBe(second);
		samplers.giveBack(3, second, true);
		expect(await borrow()).toBe(second);
		expect(make).toHaveBeenCalledTimes(2);
	});

	it("frees one that made no sample, to release its chunks", async () => {
		const { samplers, make, deleted, borrow } = started();
		samplers.giveBack(3, await borrow(), false);
		expect(deleted).toHaveBeenCalledOnce();
		samplers.giveBack(3, await borrow(), true);
		expect(make).toHaveBeenCalledTimes(2);
		expect(deleted).toHaveBeenCalledOnce();
		const options = { config: "frame", perturbation: { seed: 4 } };
		const perturbed = started({ ...QUERY, options });
		perturbed.samplers.giveBack(3, await perturbed.borrow(), false);
		expect(perturbed.unpinned).toHaveBeenCalledOnce();
		perturbed.samplers.giveBack(3, await perturbed.borrow(), true);
		expect(perturbed.unpinned).toHaveBeenCalledOnce();
		await perturbed.borrow();
		expect(perturbed.deleted).not.toHaveBeenCalled();
		expect(perturbed.make).toHaveBeenCalledOnce();
	});

	it("lends the only perturbed sampler in request order", async () => {
		const options = { config: "frame", perturbation: { seed: 4 } };
		const { samplers, make, borrow } = started({ ...QUERY, options });
		const first = await borrow();
		const order: string[] = [];
		const second = borrow().then((samples) => {
			order.push("second");
			samplers.giveBack(3, samples, true);
		});
		const third = borrow().then(() => order.push("third"));
		await Promise.resolve();
		expect(order).toEqual([]);
		samplers.giveBack(3, first, true);
		await Promise.all([second, third]);
		expect(order).toEqual(["second", "third"]);
		expect(make).toHaveBeenCalledTimes(1);
		const fourth = borrow();
		samplers.free(3);
		await expect(fourth).rejects.toThrow("samples: closed");
	});

	it("unpins a cancelled perturbed sample before the next caller", async () => {
		const options = { config: "frame", perturbation: { seed: 4 } };
		const { samplers, unpinned, borrow } = started({ ...QUERY, options });
		const first = await borrow();
		const second = borrow();
		samplers.giveBack(3, first, false);
		expect(unpinned).toHaveBeenCalledOnce();
		samplers.giveBack(3, await second, false);
		expect(unpinned).toHaveBeenCalledTimes(2);
	});

	it("frees busy ones when they return", async () => {
		const { samplers, deleted, borrow } = started();
		const atWork = await borrow();
		samplers.giveBack(3, await borrow(), true);
		samplers.free(3);
		expect(deleted).toHaveBeenCalledTimes(1);
		samplers.giveBack(3, atWork, true);
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

	it("selects by frame, agent row and track", async () => {
		const asked: unknown[] = [];
		const note =
			(name: string) =>
			(...at: unknown[]): void => {
				asked.push([name, ...at]);
			};
		const samples = {
			...(await started().borrow()),
			atFrame: note("frame"),
			atAgent: note("agent"),
			atEgo: note("ego"),
			atTrack: note("track"),
		};
		aim(samples, { frame: -1 });
		aim(samples, { agent: 8 });
		aim(samples, { scene: 1, state: 2, track: undefined });
		aim(samples, { scene: 1, state: 2, track: 2n ** 40n });
		expect(asked).toEqual([
			["frame", -1],
			["agent", 8],
			["ego", 1, 2],
			["track", 1, 2, 2n ** 40n],
		]);
	});
});
