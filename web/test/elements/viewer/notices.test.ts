import { describe, expect, it } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import {
	type DataFault,
	withFault,
	withOutcomes,
} from "../../../src/elements/session/outcomes.js";
import { problemOf } from "../../../src/elements/session/problem.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { noticesOf } from "../../../src/elements/viewer/notices.js";

const WHY = "agents/1: checksum does not match";

function failed(error: BevError) {
	return { ...problemOf(error), scene: 1, frame: 100, unread: [] };
}

/** A state with faults and outcomes. */
function told(...all: readonly (DataFault | string)[]): ViewerState {
	const store = new Store(EMPTY_STATE);
	for (const one of all) {
		const { state } = store;
		store.patch(
			typeof one === "string" ? withOutcomes(state, one) : withFault(state, one),
		);
	}
	return store.state;
}

describe("viewer/notices", () => {
	it("do not repeat the cause of the failure over the picture", () => {
		const why = `read failed: ${WHY}`;
		const state = told({ code: "plots", what: "Plots", why, cause: WHY }, "other");
		const { notices } = state;
		expect(noticesOf(state)).toEqual(notices);
		const error = new BevError("corrupt_chunk", WHY);
		expect(noticesOf({ ...state, frameProblem: failed(error) })).toEqual(["other"]);
		const another = failed(new BevError("corrupt_chunk", "agents/2: truncated"));
		expect(noticesOf({ ...state, frameProblem: another })).toEqual(notices);
	});

	it("do not repeat which chunk is missing", () => {
		const error = Object.assign(new BevError("not_found", "agents/1: not found"), {
			key: "agents/1",
		});
		const [one, other] = ["agents/1", "agents/11"].map((key) => ({
			...({ code: "chunk", what: `${key} is missing`, key } as const),
		}));
		const state = told(one ?? "", other ?? "");
		expect(noticesOf({ ...state, frameProblem: failed(error) })).toEqual([
			"agents/11 is missing",
		]);
	});

	it("are shown once, the newest last", () => {
		const controller = new ViewerController({
			opener: async () => Promise.reject(new Error("not opened")),
			ticker: { request: () => 1, cancel: () => {} },
		});
		for (const notice of ["a", "b", "a", "a"]) controller.notify(notice);
		expect(controller.state.notices).toEqual(["b", "a"]);
		controller.notify("c", "c");
		expect(controller.state.notices).toEqual(["b", "a", "c"]);
	});
});
