import { describe, expect, it } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import { problemOf } from "../../../src/elements/session/problem.js";
import { noticesOf } from "../../../src/elements/viewer/notices.js";

const WHY = "agents/1: checksum does not match";

function failed(error: BevError) {
	return { ...problemOf(error), scene: 1, frame: 100, unread: [] };
}

describe("viewer/notices", () => {
	it("do not repeat the cause of the failure over the picture", () => {
		const error = new BevError("corrupt_chunk", WHY);
		const notices = [`Plots and light states: read failed: ${WHY}`, "other"];
		expect(noticesOf({ notices, frameProblem: undefined })).toEqual(notices);
		expect(noticesOf({ notices, frameProblem: failed(error) })).toEqual(["other"]);
		const another = new BevError("corrupt_chunk", "agents/2: truncated");
		expect(noticesOf({ notices, frameProblem: failed(another) })).toEqual(notices);
	});

	it("do not repeat which chunk is missing", () => {
		const error = Object.assign(new BevError("not_found", "agents/1: not found"), {
			key: "agents/1",
		});
		const notices = [
			"agents/1 is missing from the data set; its rows are not displayed",
			"agents/11 is missing from the data set; its rows are not displayed",
		];
		expect(noticesOf({ notices, frameProblem: failed(error) })).toEqual([notices[1]]);
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
