import { describe, expect, it } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import { awaitedNotice } from "../../../src/elements/review/awaited-files.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import { problemOf } from "../../../src/elements/session/problem.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { faultsOf } from "../../../src/elements/viewer/faults.js";

const WHY = "agents/1: checksum does not match";
const error = new BevError("corrupt_chunk", WHY);
const frameProblem = { ...problemOf(error), scene: 0, frame: 100, unread: [] };

const of = (changes: Partial<ViewerState>) => faultsOf({ ...EMPTY_STATE, ...changes });

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
		const found = of({ review, notices: [asked, "Map: read failed"] });
		expect(found.map(({ what }) => what)).toEqual(["Map"]);
	});

	it("do not repeat the cause of an unreadable frame", () => {
		const notices = [`Plots and light states: read failed: ${WHY}`];
		expect(of({ frameProblem, notices })).toHaveLength(1);
		expect(of({ notices })).toEqual([
			{
				...{ what: "Plots and light states", why: `read failed: ${WHY}`, advice: [] },
				...{ retry: "read", notice: notices[0] },
			},
		]);
	});

	it("are read again only if a retry reads them", () => {
		const retries = (notice: string) => of({ notices: [notice] })[0]?.retry;
		expect(retries("Map beside the data: read failed: no")).toBe("read");
		expect(retries("Track lengths: read failed, not applied: no")).toBe("read");
		expect(retries("Light states: read failed: no")).toBe("read");
		expect(retries("Aerial image: read failed: no")).toBeUndefined();
		expect(retries("https://host/light.pb: read failed: no")).toBeUndefined();
		expect(retries("Notes: notes.json is not shown: no")).toBeUndefined();
	});

	it("are not outcomes of actions", () => {
		const controller = new ViewerController({
			opener: async () => Promise.reject(error),
			ticker: { request: () => 1, cancel: () => {} },
		});
		controller.store.patch({ notices: ["agents/4 is missing"] });
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
