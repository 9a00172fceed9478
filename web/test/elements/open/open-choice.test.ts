import { describe, expect, it } from "vitest";
import { choiceOf } from "../../../src/elements/open/open-choice.js";
import { explanationOf } from "../../../src/elements/session/explanation.js";

describe("open/open-choice", () => {
	it("asks which of several data sets, in words of the user", () => {
		const error = choiceOf("lyft", ["a.zarr", "b.zarr"], (name) => ({
			...{ kind: "address", address: `https://host/${name}` },
		}));
		const { title, advice, alternatives } = explanationOf({ error, operation: "open" });
		expect(title).toBe("Choose a data set");
		expect(advice).toEqual(["lyft contains 2 of them. Which one?"]);
		expect(alternatives?.map(({ label }) => label)).toEqual(["a.zarr", "b.zarr"]);
	});
});
