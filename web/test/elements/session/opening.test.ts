import { describe, expect, it } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import type {
	Opened,
	OpenerOptions,
	Place,
} from "../../../src/elements/session/dataset.js";
import { fakeDataset } from "../../support/fake-dataset.js";

const place = (name: string): Place => ({
	kind: "address",
	address: `https://h/${name}`,
});

interface Asked {
	readonly place: Place;
	readonly options: OpenerOptions;
	readonly opened: Opened & { closed: number };
	give(): void;
	fail(error: Error): void;
}

/** A controller whose opener is answered by the test. */
function manual() {
	const asked: Asked[] = [];
	const opener = (place: Place, options: OpenerOptions): Promise<Opened> =>
		new Promise((resolve, reject) => {
			const opened = Object.assign(fakeDataset({ frames: 20, agents: 4 }), {
				closed: 0,
			});
			opened.dataset.close = () => {
				opened.closed += 1;
			};
			const give = () => resolve(opened);
			asked.push({ place, options, opened, give, fail: reject });
		});
	const controller = new ViewerController({
		opener,
		ticker: { request: () => 1, cancel: () => {} },
	});
	const nth = (k: number): Asked => {
		const one = asked[k];
		if (!one) throw new Error(`the opener was not called ${k + 1} times`);
		return one;
	};
	return { controller, nth };
}

/** The same with one data set open at scene 1, frame 7. */
async function withOne() {
	const all = manual();
	const opening = all.controller.open(place("one"), { scene: 1, frame: 7 });
	all.nth(0).give();
	await opening;
	await all.controller.settled;
	return all;
}

describe("opening another data set", () => {
	it("keeps the open data until the next is open", async () => {
		const { controller, nth } = await withOne();
		const opening = controller.open(place("two"), { frame: 3, threshold: 0.1 });
		nth(1).options.onProgress?.({ what: "Reading", bytes: 7, requests: 2 });
		expect(controller.state).toMatchObject({
			phase: "ready",
			place: place("one"),
			scene: 1,
			frame: 7,
			threshold: 0.5,
			opening: { place: place("two"), progress: { bytes: 7 }, problem: undefined },
		});
		expect(nth(0).opened.closed).toBe(0);
		nth(1).give();
		await opening;
		await controller.settled;
		expect(controller.state).toMatchObject({
			phase: "ready",
			place: place("two"),
			dataset: nth(1).opened.dataset,
			scene: 0,
			frame: 3,
			threshold: 0.1,
			opening: undefined,
		});
		expect(nth(0).opened.closed).toBe(1);
	});

	it("keeps the open data, its position and link, if the next fails", async () => {
		const { controller, nth } = await withOne();
		const link = controller.linkState();
		const opening = controller.open(place("typo"), { frame: 3, layers: new Set() });
		const settled = controller.settled;
		const refused = expect(settled).rejects.toMatchObject({ code: "not_found" });
		nth(1).fail(new BevError("not_found", "https://h/typo: HTTP 404", { status: 404 }));
		await opening;
		await refused;
		expect(controller.linkState()).toEqual(link);
		expect(controller.state).toMatchObject({
			phase: "ready",
			place: place("one"),
			opening: { place: place("typo"), problem: { why: "https://h/typo: HTTP 404" } },
		});
		expect(controller.state.shown).toMatchObject({ scene: 1, frame: 7 });
		expect(nth(0).opened.closed).toBe(0);
		// The displayed data set is intact; only the other one failed.
		await controller.settled;
		controller.seek(8);
		await controller.settled;
		expect(controller.state.shown?.frame).toBe(8);
		controller.dismissOpening();
		expect(controller.state.opening).toBeUndefined();
	});

	it("retries the failed one at its start position", async () => {
		const { controller, nth } = await withOne();
		const opening = controller.open(place("two"), { scene: 2, frame: 5 });
		nth(1).fail(new BevError("network", "no answer"));
		await opening;
		const again = controller.retryOpening();
		expect(controller.state.opening).toMatchObject({ problem: undefined });
		nth(2).give();
		await again;
		expect(nth(2).place).toEqual(place("two"));
		expect(controller.state).toMatchObject({ place: place("two"), scene: 2, frame: 5 });
	});

	it("cancels only the new one", async () => {
		const { controller, nth } = await withOne();
		const opening = controller.open(place("two"));
		controller.dismissOpening();
		expect(nth(1).options.signal?.aborted).toBe(true);
		expect(controller.state).toMatchObject({ place: place("one"), opening: undefined });
		nth(1).give();
		await opening;
		expect(nth(1).opened.closed).toBe(1);
		expect(controller.state).toMatchObject({ phase: "ready", place: place("one") });
		expect(nth(0).opened.closed).toBe(0);
	});

	it.each([
		["the newer answers first", [2, 1]],
		["the older answers first", [1, 2]],
	] as const)("opens the last of two requested: %s", async (_, order) => {
		const { controller, nth } = await withOne();
		const both = [controller.open(place("two")), controller.open(place("three"))];
		for (const k of order) nth(k).give();
		await Promise.all(both);
		expect(controller.state.place).toEqual(place("three"));
		expect([0, 1, 2].map((k) => nth(k).opened.closed)).toEqual([1, 1, 0]);
	});

	it("closes both the open and the opening data set", async () => {
		const { controller, nth } = await withOne();
		const opening = controller.open(place("two"));
		controller.close();
		nth(1).give();
		await opening;
		expect([0, 1].map((k) => nth(k).opened.closed)).toEqual([1, 1]);
		expect(controller.state).toMatchObject({
			phase: "empty",
			place: undefined,
			opening: undefined,
		});
	});

	it("without open data shows the error on the whole page", async () => {
		const { controller, nth } = manual();
		const opening = controller.open(place("typo"));
		expect(controller.state).toMatchObject({ phase: "opening", opening: undefined });
		nth(0).fail(new BevError("network", "no answer"));
		await opening;
		expect(controller.state).toMatchObject({
			phase: "failed",
			place: place("typo"),
			opening: undefined,
		});
		// Opening another address clears the failure.
		const again = controller.open(place("one"));
		expect(controller.state).toMatchObject({ phase: "opening", problem: undefined });
		nth(1).give();
		await again;
		expect(controller.state).toMatchObject({ phase: "ready", place: place("one") });
	});
});
