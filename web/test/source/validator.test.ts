import { describe, expect, it } from "vitest";
import {
	compare,
	difference,
	KnownValidators,
	validatorOf,
} from "../../src/source/validator.js";

const answer = (status: number, headers: Record<string, string>) => ({
	status,
	headers: new Headers(headers),
});

describe("source/validator", () => {
	it("reads a response's validators", () => {
		const headers = { ETag: '"a"', "Last-Modified": "Sat, 21 Nov 2026 08:00:00 GMT" };
		expect(validatorOf(answer(200, headers), 7)).toEqual({
			etag: '"a"',
			modified: headers["Last-Modified"],
			length: 7,
		});
		expect(validatorOf(answer(200, {}), undefined)).toEqual({});
	});

	it("reads a range's object length only from Content-Range", () => {
		const partial = answer(206, { "Content-Range": "bytes 5-7/100" });
		expect(validatorOf(partial, 3)).toEqual({ length: 100 });
		expect(validatorOf(answer(206, { "Content-Range": "bytes 5-7/*" }), 3)).toEqual({});
		expect(validatorOf(answer(206, {}), 3)).toEqual({});
	});

	it.each(['W/"a"', '"a-gzip"', '"a--br"', 'W/"a;gzip"'])(
		"knows %s for a coding of the same state",
		(etag) => {
			expect(validatorOf(answer(200, { ETag: etag }), undefined)).toEqual({
				etag: '"a"',
			});
		},
	);

	it("compares ETags, then dates; equal lengths prove nothing", () => {
		const date = { modified: "now", length: 1 };
		expect(compare({ etag: "a", ...date }, { etag: "a", modified: "then" })).toBe(
			"same",
		);
		expect(compare({ etag: "a", ...date }, { etag: "b", ...date })).toBe("changed");
		expect(compare({ etag: "a", ...date }, date)).toBe("same");
		expect(compare(date, { modified: "then" })).toBe("changed");
		expect(compare({ etag: "a", length: 1 }, { etag: "a", length: 2 })).toBe("changed");
		expect(compare({ length: 1 }, { length: 1 })).toBe("unknown");
		expect(compare({ etag: "a" }, { modified: "now" })).toBe("unknown");
	});

	it("describes the difference", () => {
		expect(difference({ etag: '"a"', length: 3 }, { etag: '"b"', length: 3 })).toBe(
			'ETag "b", was ETag "a"',
		);
		expect(difference({ etag: '"a"', length: 3 }, { etag: '"a"', length: 4 })).toBe(
			"4 bytes, was 3 bytes",
		);
		expect(difference({ modified: "then" }, { modified: "now" })).toBe(
			"Last-Modified now, was then",
		);
	});
});

describe("source/validator: object states", () => {
	it("reports a changed object until it is read in its first state again", () => {
		const states = new KnownValidators();
		expect(states.note("a", { etag: "1", length: 5 })).toBeUndefined();
		expect(states.note("b", { etag: "2" })).toBeUndefined();
		const change = { isChange: true, how: "ETag 2, was ETag 1" };
		expect(states.note("a", { etag: "2" })).toEqual(change);
		expect(states.note("a", { etag: "2" })).toEqual(change);
		expect(states.note("a", { etag: "1" })).toBeUndefined();
		expect(states.length("a")).toBe(5);
	});

	it("does not record the length of an object read whole", () => {
		const states = new KnownValidators();
		expect(states.noteWhole("a", { etag: "1", length: 3 })).toBeUndefined();
		expect(states.length("a")).toBeUndefined();
		expect(states.noteWhole("a", { etag: "1", length: 5 })).toBeUndefined();
		expect(states.note("a", { length: 7 })).toBeUndefined();
		expect(states.noteWhole("a", { length: 6 })).toEqual({
			isChange: true,
			how: "6 bytes, was 7 bytes",
		});
		expect(states.length("a")).toBe(7);
	});

	it("reports once that HEAD and GET disagree about a length", () => {
		const states = new KnownValidators();
		states.noteLength("a", 9);
		expect(states.length("a")).toBe(9);
		expect(states.note("a", { length: 8 })).toEqual({
			isChange: false,
			how: "HEAD 9, GET 8 bytes",
		});
		expect(states.note("a", { length: 8 })).toBeUndefined();
		expect(states.length("a")).toBe(8);
	});
});
