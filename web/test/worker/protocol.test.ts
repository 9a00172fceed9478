import { describe, expect, it } from "vitest";
import { BevError } from "../../src/base/errors.js";
import { fromWire, toWire } from "../../src/worker/protocol.js";

describe("worker/protocol", () => {
	it("transfers code, message, key and URL", () => {
		const options = { key: "a/0", url: "https://h/a/0", status: 503 };
		const sent = new BevError("network", "a/0: HTTP 503", options);
		const got = fromWire(structuredClone(toWire(sent)));
		expect(got).toBeInstanceOf(BevError);
		expect(got).toMatchObject({
			code: "network",
			message: "a/0: HTTP 503",
			...options,
		});
		expect(got.stack).toBe(sent.stack);
	});

	it("transfers any thrown value", () => {
		const error = new Error("odd", { cause: () => "not to be cloned" });
		expect(fromWire(structuredClone(toWire(error)))).toMatchObject({
			code: "internal",
			message: "odd",
		});
		expect("key" in fromWire(toWire("text"))).toBe(false);
	});
});
