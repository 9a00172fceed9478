import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import vectors from "../../../tests/vectors/http.json" with { type: "json" };
import { isWebPage, judge, parseContentRange } from "../../src/source/judge.js";
import { delayBefore } from "../../src/source/retry.js";
import { compare, type Validator, validatorOf } from "../../src/source/validator.js";

interface Reply {
	readonly status: number;
	readonly headers?: Record<string, string>;
	readonly length?: number;
	readonly body?: string;
}

interface AnswerVector extends Reply {
	readonly name: string;
	readonly host?: "native" | "browser";
	readonly range?: number[];
	readonly forbiddenIsAbsent?: boolean;
	readonly verdict: string;
	readonly problem?: string;
}

const answerOf = ({ status, headers = {}, length = 0, body }: Reply) => ({
	response: { status, headers: new Headers(headers) },
	bytes: body === undefined ? new Uint8Array(length) : new TextEncoder().encode(body),
});

/** The same vectors are run by tests/native/http/http_policy_test.cpp. */
describe("source/judge: the vectors of the HTTP policy", () => {
	const answers = vectors.answers as unknown as AnswerVector[];

	it("are not lost", () => {
		expect(answers.length).toBeGreaterThanOrEqual(90);
	});

	it.each(answers.filter(({ host }) => host !== "native"))("$name", (vector) => {
		const { range, forbiddenIsAbsent, verdict, problem } = vector;
		const [begin, end] = range ?? [];
		const judged = judge(answerOf(vector), {
			range: begin !== undefined && end !== undefined ? { begin, end } : undefined,
			forbiddenIsAbsent,
		});
		expect(judged.verdict).toBe(verdict);
		if (problem !== undefined) expect(judged.problem).toBe(problem);
	});

	it.each(
		vectors.states as unknown as {
			name: string;
			known: Reply;
			seen: Reply;
			is: string;
		}[],
	)("states: $name", ({ known, seen, is }) => {
		const state = (said: Reply): Validator =>
			validatorOf(answerOf(said).response, said.length);
		expect(compare(state(known), state(seen))).toBe(is);
	});
});

describe("source/judge: the waits of the HTTP policy", () => {
	beforeEach(() => {
		vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(vectors.now) });
	});

	afterEach(() => {
		vi.useRealTimers();
	});

	it.each(
		vectors.waits as {
			name: string;
			attempt: number;
			firstMs: number;
			random: number;
			retryAfter?: string;
			ms: number | null;
		}[],
	)("$name", ({ attempt, firstMs, random, retryAfter = null, ms }) => {
		const policy = { retries: 100, delayMs: firstMs };
		const wait = delayBefore(attempt, policy, retryAfter, random);
		if (ms === null) expect(wait).toBeUndefined();
		else expect(wait).toBeCloseTo(ms, 6);
	});
});

describe("source/judge", () => {
	it("parses Content-Range", () => {
		expect(parseContentRange("bytes 5-7/100")).toEqual({ begin: 5, end: 8, size: 100 });
		expect(parseContentRange("bytes 0-0/*")).toEqual({ begin: 0, end: 1 });
		expect(parseContentRange("bytes 5-7/9007199254740993")).toBeUndefined();
	});

	it("recognizes a web page by its type and its first tag", () => {
		const isPage = (body: string, type?: string): boolean =>
			isWebPage(
				answerOf({
					status: 200,
					body,
					...(type && { headers: { "Content-Type": type } }),
				}),
			);
		expect(isPage("\n<!DOCTYPE html><p>", "text/html; charset=x")).toBe(true);
		expect(isPage("<html lang=en>", "application/xhtml+xml")).toBe(true);
		expect(isPage("<!DOCTYPE html>", "application/octet-stream")).toBe(false);
		expect(isPage('{"zarr_format": 2}', "text/html")).toBe(false);
		expect(isPage("\u0002\u0001 blosc", "text/html")).toBe(false);
		expect(isPage("<!DOCTYPE html>")).toBe(false);
	});
});
