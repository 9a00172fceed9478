import { describe, expect, it, vi } from "vitest";
import type { Layer } from "../../../src/elements/layers/layer-set.js";
import { formatLink } from "../../../src/elements/link/link.js";
import { linkOf } from "../../../src/elements/link/link-of.js";
import { DEFAULT_CAMERA } from "../../../src/elements/scene-view/camera.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import { Undo } from "../../../src/elements/session/undo.js";
import { type FakeOptions, fakeDataset } from "../../support/fake-dataset.js";
import { FakeTicker } from "../../support/fake-ticker.js";

async function open(options: FakeOptions = {}) {
	const opened = fakeDataset({ frames: 30, agents: 12, ...options });
	const controller = new ViewerController({
		opener: async (place) => (place.kind === "given" ? place.opened : opened),
		ticker: new FakeTicker(),
	});
	await controller.open({ kind: "address", address: "https://host/town.zarr" });
	await controller.settled;
	const clock = { now: 0 };
	const changed = vi.fn();
	const undo = new Undo(controller, changed, () => clock.now);
	/** Ends the task and the gesture. */
	const rest = async (): Promise<void> => {
		await new Promise((resolve) => setTimeout(resolve, 0));
		clock.now += 10_000;
	};
	return { controller, opened, undo, clock, changed, rest };
}

/** Everything of the state that links carry, but the frame. */
function viewOf({ state }: ViewerController): string {
	return formatLink({ ...linkOf(state), frame: undefined });
}

describe("Undo", () => {
	it("undoes and redoes a selection", async () => {
		const { controller, undo } = await open();
		controller.select(3n);
		expect(undo.undoes).toBe("selection");
		expect(undo.undo()).toBe("selection");
		expect(controller.state.selection).toBeUndefined();
		expect(undo.undoes).toBeUndefined();
		expect(undo.redo()).toBe("selection");
		expect(controller.state.selection).toBe(3n);
		expect(undo.redo()).toBeUndefined();
	});

	it("names what a step concerns", async () => {
		const { controller, undo, rest } = await open();
		const acts = {
			filters: () => controller.setThreshold(0.2),
			distributions: () => controller.adjust({ distributions: "tracks" }),
			layers: () => controller.toggleLayer("lanes"),
			rows: () => controller.adjust({ rows: ["speed", "jerk@3"] }),
			paths: () => controller.setPaths(10, 20),
			section: () => controller.setSection({ begin: 2, end: 9 }),
			plots: () => controller.setCharts(["speed"]),
			view: () => controller.setCoords("ego"),
			scene: () => controller.setScene(1),
		};
		for (const [part, act] of Object.entries(acts)) {
			act();
			expect(undo.undoes, part).toBe(part);
			await rest();
		}
	});

	it("restores brushes of the distributions and rows of the timeline", async () => {
		const { controller, undo, rest } = await open();
		const { rows } = controller.state;
		controller.adjust({ distributions: "predictions;b.ade=2~" });
		await rest();
		controller.adjust({ rows: ["jerk@3"] });
		await rest();
		undo.undo();
		expect(controller.state).toMatchObject({ rows, distributions: expect.anything() });
		undo.undo();
		expect(controller.state.distributions).toBe("");
		undo.redo();
		undo.redo();
		expect(controller.state).toMatchObject({
			rows: ["jerk@3"],
			distributions: "predictions;b.ade=2~",
		});
	});

	it("makes one step of what one task changes", async () => {
		const { controller, undo } = await open();
		controller.goTo({ selection: 3n, follow: "selected", threshold: 0.1 });
		expect(undo.undo()).toBe("selection");
		expect(controller.state).toMatchObject({ threshold: 0.5, follow: "position" });
		expect(undo.undoes).toBeUndefined();
	});

	it("makes one step of a gesture, and two of two", async () => {
		const { controller, undo, clock, rest } = await open();
		for (const x of [1, 2, 3]) {
			controller.setCamera({ ...DEFAULT_CAMERA, x });
			await new Promise((resolve) => setTimeout(resolve, 0));
			clock.now += 100;
		}
		await rest();
		controller.setCamera({ ...DEFAULT_CAMERA, x: 9 });
		undo.undo();
		expect(controller.state.camera.x).toBe(3);
		undo.undo();
		expect(controller.state.camera.x).toBe(0);
		expect(undo.undoes).toBeUndefined();
	});

	it("makes one step while the pointer is pressed, however long", async () => {
		const { controller, undo, rest } = await open();
		undo.press(true);
		for (const threshold of [0.4, 0.3, 0.2]) {
			controller.setThreshold(threshold);
			await rest();
		}
		undo.press(false);
		undo.press(true);
		controller.setThreshold(0.1);
		undo.press(false);
		undo.undo();
		expect(controller.state.threshold).toBe(0.2);
		undo.undo();
		expect(controller.state.threshold).toBe(0.5);
	});

	it("leaves the frame, and what is open and read", async () => {
		const { controller, undo, rest } = await open();
		controller.select(3n);
		await rest();
		controller.seek(12);
		await rest();
		const { dataset, place, map, review, rollout, notes } = controller.state;
		undo.undo();
		expect(controller.state.frame).toBe(12);
		expect(controller.state).toMatchObject({ dataset, place, map });
		expect(controller.state).toMatchObject({ review, rollout, notes });
	});

	it("returns to the frame of another scene", async () => {
		const { controller, undo, rest } = await open();
		controller.select(3n);
		controller.seek(12);
		await rest();
		controller.setScene(1, 4);
		await controller.settled;
		await rest();
		expect(undo.undo()).toBe("scene");
		await controller.settled;
		await rest();
		expect(controller.state).toMatchObject({ scene: 0, frame: 12, selection: 3n });
		expect(undo.redo()).toBe("scene");
		await controller.settled;
		expect(controller.state).toMatchObject({ scene: 1, frame: 4 });
		expect(controller.state.selection).toBeUndefined();
	});

	it("forgets everything when another data set is opened", async () => {
		const { controller, undo, rest } = await open();
		controller.select(3n);
		await rest();
		const opened = fakeDataset({ frames: 30, agents: 12 });
		await controller.open({ kind: "given", name: "other", opened });
		await rest();
		expect(undo.undoes).toBeUndefined();
	});

	it("drops what was undone after another change", async () => {
		const { controller, undo, rest } = await open();
		controller.select(3n);
		await rest();
		undo.undo();
		controller.select(5n);
		expect(undo.redoes).toBeUndefined();
		expect(undo.undoes).toBe("selection");
	});

	it("tells when steps appear, and not after it is disposed", async () => {
		const { controller, undo, changed, rest } = await open();
		controller.seek(3);
		await rest();
		expect(changed).not.toHaveBeenCalled();
		controller.select(3n);
		await rest();
		expect(changed).toHaveBeenCalledOnce();
		undo.dispose();
		controller.select(5n);
		await rest();
		expect(changed).toHaveBeenCalledOnce();
	});
});

describe("a random walk", () => {
	const LAYERS: readonly Layer[] = ["lanes", "past", "vehicle", "ego"];

	/** Commands that change the view; `k` chooses their argument. */
	const COMMANDS: readonly ((it: ViewerController, k: number) => void)[] = [
		(it, k) => it.select([undefined, "ego", 1n, 5n][k % 4] as 1n | undefined),
		(it, k) => it.toggleLayer(LAYERS[k % 4] ?? "lanes"),
		(it, k) => it.setThreshold(0.1 + (k % 5) / 10),
		(it, k) => it.setDistance(10 + k),
		(it, k) => it.setPaths(k % 7, k % 11),
		(it, k) => it.setCamera({ ...DEFAULT_CAMERA, x: k, span: 40 + k }),
		(it, k) => it.setFollow(k % 2 ? "free" : "position", { ...DEFAULT_CAMERA, y: k }),
		(it, k) => it.setCoords(k % 2 ? "ego" : "world"),
		(it, k) => it.setSection(k % 3 ? { begin: k % 8, end: 20 } : undefined),
		(it, k) => it.setCharts(k % 2 ? ["speed"] : ["speed", "jerk"]),
		(it, k) => it.setPlotted(k % 2 ? ["ego"] : ["ego", 3n]),
		(it, k) => it.setScene(k % 3),
		(it, k) => it.seek(k % 30),
	];

	it.each([1, 2, 3, 4])(
		"is undone to its start and redone to its end (%i)",
		async (seed) => {
			const { controller, undo, rest } = await open();
			let at = seed;
			const views = [viewOf(controller)];
			for (let step = 0; step < 60; step += 1) {
				at = (at * 1_103_515_245 + 12_345) % 2 ** 31;
				const [which, k] = [at % COMMANDS.length, (at >> 8) % 97];
				COMMANDS[which]?.(controller, k);
				await controller.settled;
				await rest();
				const now = viewOf(controller);
				if (now !== views.at(-1)) views.push(now);
			}
			for (const view of views.slice(0, -1).reverse()) {
				expect(undo.undo()).toBeDefined();
				await controller.settled;
				await rest();
				expect(viewOf(controller)).toBe(view);
			}
			expect(undo.undoes).toBeUndefined();
			for (const view of views.slice(1)) {
				expect(undo.redo()).toBeDefined();
				await controller.settled;
				await rest();
				expect(viewOf(controller)).toBe(view);
			}
			expect(undo.redoes).toBeUndefined();
		},
	);
});
