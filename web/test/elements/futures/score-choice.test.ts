import { describe, expect, it } from "vitest";
import {
	ScoreChoice,
	submissionKey,
} from "../../../src/elements/futures/score-choice.js";
import type { ScoreSource } from "../../../src/elements/futures/score-source.js";
import type { RemoteSubmission } from "../../../src/reviewing/remote-futures.js";

const file = (name: string): ScoreSource => ({
	...{ key: `file ${name}`, name, words: name, scenarios: new Map() },
	...{ columns: ["ade"], ofFutures: [] },
	scenario: async () => undefined,
	futures: async () => [],
});
/** An open submission; only its identity and scenarios are used. */
const open = (key: string) => ({
	key,
	submission: { scenarios: new Set() } as unknown as RemoteSubmission,
});
const names = (list: readonly ScoreSource[]) => list.map(({ words }) => words);

describe("elements/futures/score-choice", () => {
	it("ranks the first two of submissions and files", () => {
		const choice = new ScoreChoice();
		expect(choice.ranked([], undefined)).toEqual({ sources: [], scored: [] });
		choice.add(file("m"), "m");
		const held = [open("a"), { key: "b", submission: undefined }];
		expect(names(choice.ranked(held, undefined).scored)).toEqual(["a", "m"]);
		choice.add(file("n"), "n");
		const { sources, scored } = choice.ranked(held, undefined);
		expect(names(sources)).toEqual(["a", "m", "n"]);
		expect(names(scored)).toEqual(["a", "m"]);
	});

	it("names the horizon of submissions, of which files do not tell", () => {
		const choice = new ScoreChoice();
		choice.add(file("m"), "m");
		const { scored } = choice.ranked([open("a")], 3);
		expect(names(scored)).toEqual(["a until 3 s", "m"]);
	});

	it("ranks any two of several files, in any order", () => {
		const choice = new ScoreChoice();
		for (const name of ["m", "n", "o"]) choice.add(file(name), name);
		const scored = () => names(choice.ranked([], undefined).scored);
		expect(scored()).toEqual(["m", "n"]);
		choice.choose("b", "file o");
		expect(scored()).toEqual(["m", "o"]);
		choice.choose("a", "file n");
		expect(scored()).toEqual(["n", "o"]);
		// What was B becomes A: they change places.
		choice.choose("a", "file o");
		expect(scored()).toEqual(["o", "n"]);
		choice.choose("b", null);
		expect(scored()).toEqual(["o"]);
		choice.choose("a", "file m");
		expect(scored()).toEqual(["m"]);
		choice.remove("file m");
		expect(scored()).toEqual(["n"]);
	});

	it("has A and B in links, by their names, which may belong to files to come", () => {
		const choice = new ScoreChoice();
		expect(choice.text).toBeUndefined();
		for (const name of ["m", "n;1", "o"]) choice.add(file(name), name);
		choice.ranked([], undefined);
		choice.choose("b", "file n;1");
		choice.ranked([], undefined);
		choice.choose("a", "file o");
		expect(choice.text).toBe("a:o;b:n%3B1");
		const other = new ScoreChoice();
		other.show(`3;second;${choice.text}`);
		const scored = () => names(other.ranked([], undefined).scored);
		other.add(file("n;1"), "n;1");
		expect(scored()).toEqual(["n;1"]);
		expect(other.text).toBe("a:o;b:n%3B1");
		other.add(file("m"), "m");
		other.add(file("o"), "o");
		expect(scored()).toEqual(["o", "n;1"]);
		other.show("a:m;b:");
		expect(scored()).toEqual(["m"]);
		expect(other.text).toBe("a:m;b:");
		other.show("3;second");
		expect(scored()).toEqual(["n;1", "m"]);
		expect(other.text).toBeUndefined();
	});

	it("takes the place of a file among the others, and keeps how links name it", () => {
		const choice = new ScoreChoice();
		choice.add(file("m"), "/m.csv");
		choice.add(file("n"), "local:n", (others) => {
			expect(others).toEqual(["/m.csv"]);
			return 0;
		});
		expect(choice.entries).toEqual(["local:n", "/m.csv"]);
		choice.remove("file n");
		expect(choice.entries).toEqual(["/m.csv"]);
	});

	it("returns the same lists while nothing changes, so that nothing is ranked anew", () => {
		const choice = new ScoreChoice();
		choice.add(file("m"), "m");
		const held = [open("a")];
		const before = choice.ranked(held, 1);
		expect(choice.ranked(held, 1)).toBe(before);
		expect(choice.ranked(held, 3)).not.toBe(before);
		expect(choice.ranked([open(submissionKey("a"))], 1)).not.toBe(before);
	});

	it("replaces a file of the same name, and keeps at most eight", () => {
		const choice = new ScoreChoice();
		const again = file("0");
		for (let i = 0; i < 8; i += 1) choice.add(file(String(i)), String(i));
		choice.add(again, "0");
		expect(choice.files).toHaveLength(8);
		expect(choice.files.at(-1)).toBe(again);
		choice.add(file("8"), "8");
		expect(names(choice.files)).toEqual(["2", "3", "4", "5", "6", "7", "0", "8"]);
	});
});
