import type { ReactiveController } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ViewerController } from "../../../src/elements/session/controller.js";
import { durationOf, Toasts } from "../../../src/elements/viewer/toasts.js";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

function made() {
	const controller = new ViewerController({
		opener: async () => Promise.reject(new Error("not opened")),
		ticker: { request: () => 1, cancel: () => {} },
	});
	const host = {
		controller,
		get state() {
			return controller.state;
		},
		addController: (_: ReactiveController) => {},
	};
	const toasts = new Toasts(host as unknown as ConstructorParameters<typeof Toasts>[0]);
	controller.store.subscribe(() => toasts.hostUpdated());
	return { controller, toasts, notices: () => controller.state.notices };
}

describe("Toasts", () => {
	it("go after the time that reading takes; faults stay", () => {
		const { controller, notices } = made();
		controller.store.patch({ notices: ["fault"] });
		controller.notify("done");
		vi.advanceTimersByTime(durationOf("done") - 1);
		expect(notices()).toEqual(["fault", "done"]);
		vi.advanceTimersByTime(1);
		expect(notices()).toEqual(["fault"]);
		vi.advanceTimersByTime(1e6);
		expect(notices()).toEqual(["fault"]);
	});

	it("last longer when told again, and for longer texts", () => {
		const { controller, notices } = made();
		controller.notify("done");
		vi.advanceTimersByTime(5000);
		controller.notify("done");
		vi.advanceTimersByTime(5000);
		expect(notices()).toEqual(["done"]);
		expect(durationOf("a longer text")).toBeGreaterThan(durationOf("done"));
	});

	it("stay while the pointer or the focus is on them", () => {
		const { controller, toasts, notices } = made();
		controller.notify("done");
		toasts.hold(true);
		controller.notify("more");
		vi.advanceTimersByTime(1e6);
		expect(notices()).toEqual(["done", "more"]);
		toasts.hold(false);
		vi.advanceTimersByTime(durationOf("more"));
		expect(notices()).toEqual([]);
	});

	it("stop with the viewer", () => {
		const { controller, toasts, notices } = made();
		controller.notify("done");
		toasts.hostDisconnected();
		vi.advanceTimersByTime(1e6);
		expect(notices()).toEqual(["done"]);
	});
});
