import { describe, expect, it } from "vitest";
import { complete } from "../../../src/elements/find/completion.js";
import type { Vocabulary } from "../../../src/elements/find/find-loader.js";

const column = (name: string, names?: readonly string[]) => ({
	name,
	dtype: "<f4",
	shape: [],
	level: "row" as const,
	stored: true,
	...(names && { names }),
});

const VOCABULARY: Vocabulary = {
	columns: [
		column("speed"),
		column("distance_to_ego"),
		column("track_id"),
		column("class", ["vehicle", "cyclist"]),
	],
	labels: ["LABEL_CAR", "LABEL_VAN"],
};

function texts(text: string, caret = text.length): readonly string[] {
	return complete(text, caret, VOCABULARY).suggestions.map((one) => one.text);
}

describe("completion", () => {
	it("names that begin with the word come before those that contain it", () => {
		expect(texts("t").slice(0, 3)).toEqual(["track_id", "true", "distance_to_ego"]);
		expect(texts("dis")).toEqual(["distance_to_ego"]);
		expect(texts("speed > 1 and ab")).toEqual(["abs(", "label_prob("]);
	});

	it("facts are suggested with unit, names or type", () => {
		const facts = {
			labels: [],
			columns: [
				{ name: "min_ttc", dtype: "<f8", unit: "s" },
				{ name: "turn", dtype: "|u1", unit: "", names: ["a", "b", "c", "d"] },
				{ name: "cut_in", dtype: "|b1", unit: "" },
				{ name: "tracks", dtype: "<u4", unit: "" },
			],
		};
		const meaning = (text: string): unknown =>
			complete(text, text.length, facts).suggestions[0];
		expect(meaning("min_t")).toEqual({ text: "min_ttc", what: "fact in s" });
		expect(meaning("tur")).toEqual({ text: "turn", what: "fact: a, b, c, \u2026" });
		expect(meaning("cut")).toEqual({ text: "cut_in", what: "fact: true or false" });
		expect(meaning("track")).toEqual({ text: "tracks", what: "fact: number" });
	});

	it("the word at the caret is completed, not the last one", () => {
		const { begin, suggestions } = complete("spe > 3 and yaw", 3, VOCABULARY);
		expect(begin).toBe(0);
		expect(suggestions.map(({ text }) => text)).toEqual(["speed"]);
	});

	it("in has_tag, tags are suggested, and nowhere else", () => {
		const tagged = { ...VOCABULARY, tags: ["stopping", "turning"] };
		const at = (text: string) =>
			complete(text, text.length, tagged).suggestions.map((one) => one.text);
		expect(at("has_t")).toEqual(["has_tag("]);
		expect(at('has_tag("')).toEqual(['stopping"', 'turning"']);
		expect(at("has_tag( 'turn")).toEqual(["turning'"]);
		expect(at('label == "turn')).toEqual([]);
	});

	it("in a string, labels and names of categories are suggested with its end", () => {
		expect(texts('label == "car')).toEqual(['LABEL_CAR"']);
		expect(texts("class in ('veh")).toEqual(["vehicle'"]);
		expect(texts('label == "LABEL_CAR" and spe')).toEqual(["speed"]);
	});

	it("numbers and complete words have no suggestions", () => {
		expect(texts("speed > 1e")).toEqual([]);
		expect(texts("speed")).toEqual([]);
	});
});
