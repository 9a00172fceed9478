import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LinkHost, LinkSync } from "../../../src/elements/link/link-sync.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import { fakeDataset } from "../../support/fake-dataset.js";

class FakePage implements LinkHost {
	location = { href: "https://app.example/", hash: "" };
	readonly written: [string, string][] = [];
	readonly #listeners = new Set<() => void>();
	readonly history = {
		replaceState: (_: unknown, __: string, url?: string | URL | null) =>
			this.#go("replace", url),
		pushState: (_: unknown, __: string, url?: string | URL | null) =>
			this.#go("push", url),
	};

	addEventListener(_: string, listener: () => void): void {
		this.#listeners.add(listener);
	}

	removeEventListener(_: string, listener: () => void): void {
		this.#listeners.delete(listener);
	}

	navigate(hash: string): void {
		this.location.hash = hash;
		for (const listener of this.#listeners) listener();
	}

	#go(how: string, url: string | URL | null | undefined): void {
		this.location.hash = String(url);
		this.written.push([how, String(url)]);
	}
}

function made(hash: string) {
	const page = new FakePage();
	page.location.hash = hash;
	const controller = new ViewerController({
		opener: async () => fakeDataset({ frames: 20, agents: 2 }),
		ticker: { request: () => 1, cancel: () => {} },
	});
	const ask = vi.fn();
	const sync = new LinkSync({ controller, host: page, ask });
	sync.read();
	return { page, controller, ask, sync };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("LinkSync", () => {
	it("opens the link's data set at its position", async () => {
		const { controller } = made("#v=1&src=/data/town.zarr&s=1&f=7&t=2");
		await vi.advanceTimersByTimeAsync(10);
		expect(controller.state).toMatchObject({ phase: "ready", scene: 1, frame: 7 });
		expect(controller.state.selection).toBe(2n);
	});

	it("goes to another position in the open data set without reopening", async () => {
		const { page, controller } = made("#v=1&src=/data/town.zarr&s=1&f=7&t=2&th=0.2");
		await vi.advanceTimersByTimeAsync(1000);
		const { dataset } = controller.state;
		const opened = vi.spyOn(controller, "open");
		page.navigate("#v=1&src=/data/town.zarr&f=3");
		await vi.advanceTimersByTimeAsync(1000);
		expect(controller.state).toMatchObject({
			scene: 0,
			frame: 3,
			selection: undefined,
			threshold: 0.5,
		});
		page.navigate("#v=1&src=/data/town.zarr&s=1&f=7&t=2&th=0.2");
		await vi.advanceTimersByTimeAsync(1000);
		expect(controller.state).toMatchObject({ scene: 1, frame: 7, threshold: 0.2 });
		expect(controller.state.selection).toBe(2n);
		expect(controller.state.shown).toMatchObject({ scene: 1, frame: 7 });
		expect(opened).not.toHaveBeenCalled();
		expect(controller.state.dataset).toBe(dataset);
	});

	it("asks before reading from another site", async () => {
		const { controller, ask } = made("#src=https://elsewhere.example/a.zarr&f=3");
		await vi.advanceTimersByTimeAsync(10);
		expect(ask).toHaveBeenCalledWith(
			"https://elsewhere.example/a.zarr",
			expect.objectContaining({ frame: 3 }),
		);
		expect(controller.state.phase).toBe("empty");
	});

	it("updates the link at a limited rate and keeps unknown keys", async () => {
		const { page, controller } = made("#v=1&src=/t.zarr&later=x");
		await vi.advanceTimersByTimeAsync(300);
		for (let frame = 1; frame < 15; frame += 1) {
			controller.seek(frame);
			await vi.advanceTimersByTimeAsync(20);
		}
		await vi.advanceTimersByTimeAsync(300);
		expect(page.written.length).toBeLessThanOrEqual(3);
		expect(page.written.at(-1)).toEqual(["replace", "#v=1&src=/t.zarr&f=14&later=x"]);
	});

	it("adds a history entry only for a new scene", async () => {
		const { page, controller } = made("#v=1&src=/t.zarr");
		await vi.advanceTimersByTimeAsync(300);
		controller.setScene(1);
		await vi.advanceTimersByTimeAsync(300);
		controller.seek(3);
		await vi.advanceTimersByTimeAsync(300);
		const entries = page.written.filter(([how]) => how === "push");
		expect(entries).toEqual([["push", "#v=1&src=/t.zarr&s=1"]]);
	});

	it("removes the URL when a folder is opened", async () => {
		const { page, controller } = made("#v=1&src=/t.zarr&f=2&later=x");
		await vi.advanceTimersByTimeAsync(300);
		void controller.open({ kind: "files", name: "town", files: [] });
		await vi.advanceTimersByTimeAsync(600);
		expect(page.written.at(-1)?.[1]).toBe("#v=1&later=x");
	});

	it("follows Back and Forward", async () => {
		const { page, controller } = made("#v=1&src=/t.zarr");
		await vi.advanceTimersByTimeAsync(300);
		page.navigate("#v=1&src=/t.zarr&s=2&f=4");
		await vi.advanceTimersByTimeAsync(300);
		expect(controller.state).toMatchObject({ scene: 2, frame: 4 });
	});

	it("reports invalid values", () => {
		const { controller } = made("#f=x&src=ftp://host/a");
		expect(controller.state.notices).toEqual([
			"Link: ignored src=ftp://host/a (expected a URL)",
			"Link: ignored f=x (expected a whole number from 0)",
		]);
	});
});
