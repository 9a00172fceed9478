import { describe, expect, it } from "vitest";
import {
	delayBefore,
	isTransient,
	parseRetryAfter,
	pause,
} from "../../src/source/retry.js";

const policy = { retries: 3, delayMs: 100 };

describe("source/retry", () => {
	it("retries only transient failures", () => {
		expect([408, 425, 429, 500, 502, 503, 504].every(isTransient)).toBe(true);
		expect([400, 401, 403, 404, 410, 416].some(isTransient)).toBe(false);
	});

	it("doubles the delay, with up to half of it random", () => {
		const pauses = (random: number) =>
			[0, 1, 2].map((attempt) => delayBefore(attempt, policy, null, random));
		expect(pauses(1)).toEqual([100, 200, 400]);
		expect(pauses(0)).toEqual([50, 100, 200]);
	});

	it("gives up after the last retry", () => {
		expect(delayBefore(3, policy)).toBeUndefined();
		expect(delayBefore(0, { retries: 0, delayMs: 1 })).toBeUndefined();
	});

	it("honours Retry-After up to a limit", () => {
		expect(delayBefore(0, policy, "2", 0)).toBe(2000);
		expect(delayBefore(0, policy, "0", 0)).toBe(50);
		expect(delayBefore(0, policy, "31")).toBeUndefined();
	});

	it("parses both forms of Retry-After", () => {
		const now = Date.parse("Wed, 21 Oct 2015 07:28:00 GMT");
		expect(parseRetryAfter("Wed, 21 Oct 2015 07:28:05 GMT", now)).toBe(5000);
		expect(parseRetryAfter("Wed, 21 Oct 2015 07:27:00 GMT", now)).toBe(0);
		expect(parseRetryAfter(" 3 ", now)).toBe(3000);
		expect(parseRetryAfter("soon", now)).toBe(0);
		expect(parseRetryAfter(null, now)).toBe(0);
	});

	it("stops waiting when aborted", async () => {
		const signal = AbortSignal.abort(new Error("enough"));
		await expect(pause(60_000, signal)).rejects.toThrow("enough");
		await expect(pause(1)).resolves.toBeUndefined();
	});
});
