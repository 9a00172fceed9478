import { describe, expect, it } from "vitest";
import { velocityModel } from "../../../tests/support/onnx-model.js";
import { settingsIn } from "../../src/model/metadata.js";

describe("model/metadata", () => {
	it("finds the settings in a file's metadata", () => {
		const metadata = { author: "x", bevscope: '{"a": "ä"}', other: "" };
		expect(settingsIn(velocityModel(12, { metadata }))).toBe('{"a": "ä"}');
		expect(
			settingsIn(velocityModel(12, { metadata: { author: "x" } })),
		).toBeUndefined();
		expect(settingsIn(velocityModel(12))).toBeUndefined();
		expect(settingsIn(new Uint8Array(0))).toBeUndefined();
	});

	it("ends on damaged files, whatever the bytes", () => {
		const file = velocityModel(2, { metadata: { bevscope: "{}" } });
		for (let end = 0; end < file.length; end += 1)
			expect(settingsIn(file.subarray(0, end)) ?? "{}").toMatch(/^\{?\}?$/);
		for (let at = 0; at < file.length; at += 1) {
			const damaged = file.slice();
			damaged[at] = 0xff;
			settingsIn(damaged);
		}
		settingsIn(new Uint8Array(100_000).fill(0xff));
	});
});
