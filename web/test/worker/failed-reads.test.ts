import { describe, expect, it } from "vitest";
import { FailedReads } from "../../src/worker/failed-reads.js";

describe("worker/failed-reads", () => {
	it("throws the error of a key until it is forgotten", () => {
		const failed = new FailedReads();
		const [first, second] = [new Error("first"), new Error("second")];
		failed.note("a", first);
		failed.note("b", second);
		expect(() => failed.check("a")).toThrow(first);
		failed.check("c");
		failed.forget("a");
		failed.check("a");
		expect(() => failed.check("b")).toThrow(second);
		failed.forget();
		failed.check("b");
	});

	it("forgets after 30 seconds", () => {
		let now = 1000;
		const failed = new FailedReads(() => now);
		failed.note("a", new Error("offline"));
		now += 29_999;
		expect(() => failed.check("a")).toThrow("offline");
		now += 1;
		failed.check("a");
		now -= 10_000;
		failed.check("a"); // removed, not only hidden
	});

	it("keeps a bounded number, evicting the oldest", () => {
		const failed = new FailedReads();
		for (let i = 0; i <= 4096; i += 1) failed.note(String(i), new Error(String(i)));
		failed.check("0");
		expect(() => failed.check("1")).toThrow("1");
		failed.note("1", new Error("anew"));
		failed.note("new", new Error("new"));
		failed.check("2");
		expect(() => failed.check("1")).toThrow("anew");
	});
});
