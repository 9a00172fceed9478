import { describe, expect, it } from "vitest";
import { futuresCsv, futuresNpz } from "../../../../tests/support/own-futures.js";
import { smoothScenes, submission } from "../../../../tests/support/submission.js";
import { zipOf } from "../../../../tests/support/zip.js";
import { HEAD_BYTES, isSubmission } from "../../../src/elements/futures/ranged-file.js";

const scenes = smoothScenes(2);
const text = (value: string) => new TextEncoder().encode(value);

describe("elements/futures/ranged-file", () => {
	it("tells submissions and futures of our own form by their first bytes", () => {
		for (const file of [
			submission([{ id: "a", scenes }]),
			futuresNpz("a", scenes),
			futuresCsv("a", scenes),
			text('\ufeff# name: x\r\n\r\nx,y,step,track_id,"scenario_id"\r\n1,2,3,4,a'),
		]) {
			expect(isSubmission(file.subarray(0, HEAD_BYTES))).toBe(true);
		}
	});

	it("leaves predictions, scores, archives and documents to others", () => {
		for (const file of [
			text("timestamp,track_id,conf_0,coord_x00\n1,2,3,4\n"),
			text("scenario_id,agents,ade\na,2,0.5\n"),
			text('{"format": "bevscope-notes"}'),
			zipOf([["a.zarr/.zgroup", text("{}")]]),
			text("PK\u0003\u0004"),
			new Uint8Array(),
		]) {
			expect(isSubmission(file)).toBe(false);
		}
	});
});
