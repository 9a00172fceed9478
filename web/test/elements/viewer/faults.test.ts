import { describe, expect, it } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import { awaitedNotice } from "../../../src/elements/review/awaited-files.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import {
	type DataFault,
	type FaultCode,
	withFault,
	without,
} from "../../../src/elements/session/outcomes.js";
import { problemOf } from "../../../src/elements/session/problem.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { faultsOf } from "../../../src/elements/viewer/faults.js";

const WHY = "agents/1: checksum does not match";
const error = new BevError("corrupt_chunk", WHY);
const frameProblem = { ...problemOf(error), scene: 0, frame: 100, unread: [] };

const of = (changes: Partial<ViewerState>) => faultsOf({ ...EMPTY_STATE, ...changes });

const PLOTS: DataFault = {
	code: "plots",
	what: "Plots and light states",
	why: `read failed: ${WHY}`,
	cause: WHY,
};

/** A state with faults. */
function told(...faults: readonly DataFault[]): ViewerState {
	const store = new Store(EMPTY_STATE);
	for (const fault of faults) store.patch(withFault(store.state, fault));
	return store.state;
}

describe("faults", () => {
	it("are none of intact data", () => {
		expect(of({})).toEqual([]);
	});

	it("name the frame with its cause, and further frames with it", () => {
		const [fault, ...more] = of({ frameProblem });
		expect(more).toEqual([]);
		expect(fault).toMatchObject({
			what: "Frame 100: read failed",
			why: WHY,
			retry: "read",
			notice: undefined,
		});
		const unreadable = [
			{ begin: 90, end: 101 },
			{ begin: 120, end: 121 },
		];
		expect(of({ frameProblem, unreadable })[0]?.what).toBe(
			"Frames 90 to 100, 120: read failed",
		);
		expect(of({ unreadable: unreadable.slice(1) })[0]?.what).toBe(
			"Frame 120: read failed",
		);
	});

	it("are not the files that a link asks for", () => {
		const awaited = { link: {}, missing: ["a.csv"] };
		const review = { ...EMPTY_STATE.review, awaited };
		const asked = awaitedNotice(review) ?? "";
		expect(asked).toContain("local predictions: a.csv.");
		const { faults, notices } = told({ code: "map", what: "Map", why: "read failed" });
		const found = of({ review, faults, notices: [asked, ...notices] });
		expect(found.map(({ what }) => what)).toEqual(["Map"]);
	});

	it("do not repeat the cause of an unreadable frame", () => {
		const state = told(PLOTS, PLOTS);
		expect(of({ ...state, frameProblem })).toHaveLength(1);
		expect(of(state)).toEqual([
			{
				...{ what: "Plots and light states", why: `read failed: ${WHY}`, advice: [] },
				...{ retry: "read", notice: `Plots and light states: read failed: ${WHY}` },
			},
		]);
	});

	it("are read again only if a retry reads what they concern", () => {
		const retry = (code: FaultCode, what: string) =>
			of(told({ code, what, why: "read failed: no" }))[0]?.retry;
		expect(retry("map", "Map beside the data")).toBe("read");
		expect(retry("tracks", "Track lengths")).toBe("read");
		expect(retry("plots", "Light states")).toBe("read");
		// Whatever their words are.
		expect(retry("aerial", "Map beside the data")).toBeUndefined();
		expect(retry("notes", "Light states")).toBeUndefined();
	});

	it("are dismissed one by one", () => {
		const state = told(PLOTS, { code: "chunk", what: "agents/4 is missing" });
		const left = { ...state, ...without(state, (one) => one.startsWith("agents/4")) };
		expect(of(left).map(({ what }) => what)).toEqual(["Plots and light states"]);
	});

	it("are not outcomes of actions", () => {
		const controller = new ViewerController({
			opener: async () => Promise.reject(error),
			ticker: { request: () => 1, cancel: () => {} },
		});
		controller.store.patch(told({ code: "chunk", what: "agents/4 is missing" }));
		controller.notify("Not copied");
		expect(faultsOf(controller.state).map(({ what }) => what)).toEqual([
			"agents/4 is missing",
		]);
		for (let k = 0; k < 9; k += 1) controller.notify(`Told ${k}`, "Not copied");
		const { notices, outcomes } = controller.state;
		expect(notices[0]).toBe("agents/4 is missing");
		expect(notices).toHaveLength(6);
		expect(outcomes.get("Not copied")).toBe(10);
		controller.dismiss("Not copied");
		controller.notify("Not copied");
		expect(controller.state.outcomes.get("Not copied")).toBe(1);
	});
});
