import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ViewerController } from "../../../src/elements/session/controller.js";
import { EMPTY_STATE } from "../../../src/elements/session/state.js";
import {
	keepTheme,
	keepTitle,
	titleOf,
} from "../../../src/elements/viewer/page-state.js";

const controller = () => new ViewerController({ opener: () => new Promise(() => {}) });

describe("page-keeping", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	it("names data set, scene and frame in the title, without a signature", () => {
		const place = { kind: "address", address: "https://h/a/b.zarr?sig=abc" } as const;
		const open = {
			...EMPTY_STATE,
			phase: "ready",
			place,
			scene: 3,
			frame: 84,
		} as const;
		expect(titleOf(open)).toBe("b.zarr · scene 3 · frame 84 – bevscope");
		expect(titleOf(EMPTY_STATE)).toBe("bevscope");
	});

	it("updates the title", () => {
		const viewer = controller();
		const page = { title: "bevscope" };
		const stop = keepTitle(viewer, page);
		const place = { kind: "address", address: "/b.zarr" } as const;
		viewer.store.patch({ phase: "ready", place, frame: 1 });
		viewer.store.patch({ frame: 2 });
		vi.runAllTimers();
		expect(page.title).toBe("b.zarr · scene 0 · frame 2 – bevscope");
		stop();
	});

	it("restores the last chosen theme", () => {
		const kept = new Map<string, string>();
		const storage = () => ({
			getItem: (key: string) => kept.get(key) ?? null,
			setItem: (key: string, value: string) => void kept.set(key, value),
		});
		const first = controller();
		keepTheme(first, storage);
		first.setTheme("light");
		const next = controller();
		keepTheme(next, storage);
		expect(next.state.theme).toBe("light");
	});
});
