import { describe, expect, it } from "vitest";
import { ReviewController } from "../../../src/elements/review/review-controller.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";

const sceneInfo = { index: 0, host: "", startTime: 0n, seconds: new Float64Array(3) };

function made() {
	const store = new Store<ViewerState>(EMPTY_STATE);
	const controller = new ReviewController(store, () =>
		Promise.reject(new Error("none")),
	);
	return { store, controller };
}

describe("ReviewController.listAfter", () => {
	it("selects the list when a scene is open", async () => {
		const { store, controller } = made();
		const listed = controller.listAfter([], "tracks");
		store.patch({ sceneInfo });
		await listed;
		expect(store.state.review.list).toBe("tracks");
	});

	it("ends when a list is chosen, another is to follow, or the models are removed", async () => {
		for (const end of [
			(it: ReviewController) => it.list("agents"),
			(it: ReviewController) => it.clear(),
			(it: ReviewController) => void it.listAfter([], "agents"),
		]) {
			const { store, controller } = made();
			const listed = controller.listAfter([], "tracks");
			end(controller);
			await listed;
			store.patch({ sceneInfo });
			await new Promise((resolve) => setTimeout(resolve));
			expect(store.state.review.list).toBe("agents");
		}
	});
});
