import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ViewerController } from "../../../src/elements/session/controller.js";
import { IdleClose } from "../../../src/elements/viewer/idle-close.js";
import { fakeDataset } from "../../support/fake-dataset.js";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const PLACE = { kind: "address", address: "https://host/sample.zarr" } as const;

async function opened() {
	const opener = vi.fn(async () => fakeDataset({ frames: 10, agents: 2 }));
	const controller = new ViewerController({ opener });
	await controller.open(PLACE, { scene: 1, frame: 7 });
	await vi.advanceTimersByTimeAsync(10);
	return { controller, opener, idle: new IdleClose(controller) };
}

it("a moved viewer stays open", async () => {
	const { controller, opener, idle } = await opened();
	idle.left();
	vi.advanceTimersByTime(1_000);
	idle.back();
	await vi.advanceTimersByTimeAsync(60_000);
	expect(controller.state.phase).toBe("ready");
	expect(opener).toHaveBeenCalledTimes(1);
});

it("a removed viewer is closed, and reopened at its position", async () => {
	const { controller, opener, idle } = await opened();
	idle.left();
	vi.advanceTimersByTime(60_000);
	expect(controller.state.phase).toBe("empty");
	idle.back();
	await vi.advanceTimersByTimeAsync(10);
	expect(opener).toHaveBeenCalledTimes(2);
	expect(controller.state).toMatchObject({ phase: "ready", scene: 1, frame: 7 });
});

it("data in the page's memory is not closed", async () => {
	const { controller, idle } = await opened();
	const given = {
		kind: "given",
		name: "made",
		opened: fakeDataset({ frames: 10, agents: 2 }),
	} as const;
	await controller.open(given);
	await vi.advanceTimersByTimeAsync(10);
	idle.left();
	vi.advanceTimersByTime(60_000);
	expect(controller.state.phase).toBe("ready");
});
