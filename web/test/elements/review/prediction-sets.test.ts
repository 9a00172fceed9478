import { describe, expect, it } from "vitest";
import { formatLink, parseLink } from "../../../src/elements/link/link.js";
import {
	addressesIn,
	joinedAddresses,
} from "../../../src/elements/review/addresses.js";
import { localNames } from "../../../src/elements/review/awaited-files.js";
import { comingOf } from "../../../src/elements/review/coming-lines.js";
import type { FrameLines } from "../../../src/elements/review/model-lines.js";
import { modelsLink } from "../../../src/elements/review/models-link.js";
import {
	derived,
	type ModelState,
	NO_REVIEW,
} from "../../../src/elements/review/review-state.js";
import { pointsOf } from "../../../src/elements/review/scatter.js";

function model(id: number, change: Partial<ModelState> = {}): ModelState {
	return {
		...{ id, name: `${id}.csv`, address: `/data/${id}.csv`, slot: id - 1 },
		...{ visible: true, phase: "ready", reading: undefined, shape: undefined },
		...{ report: undefined, lines: undefined, linesDue: false, problem: undefined },
		...change,
	} as ModelState;
}

describe("addresses of predictions", () => {
	it("are separated by bars", () => {
		expect(addressesIn(" a b.csv |c.csv||a b.csv")).toEqual(["a b.csv", "c.csv"]);
		expect(addressesIn("")).toEqual([]);
		expect(joinedAddresses(["a.csv", "b.csv"])).toBe("a.csv|b.csv");
	});
});

describe("models in a link", () => {
	it("have addresses, names, switches and the compared pair", () => {
		const models = [model(1), model(2, { visible: false, name: "mine" }), model(3)];
		const review = derived({ ...NO_REVIEW, models, pair: { a: 3, b: 1 }, split: true });
		const text = formatLink(modelsLink(review));
		expect(text).toBe(
			"v=1&pr=/data/1.csv|/data/2.csv|/data/3.csv&pn=1.csv|mine|3.csv&ph=2&pc=3-1&ps=1",
		);
		const { state, bad } = parseLink(text);
		expect(bad).toEqual([]);
		expect(state).toEqual(modelsLink(review));
	});

	it("are named without an address, after those with one", () => {
		const models = [model(1, { address: undefined }), model(2, { visible: false })];
		const pair = { a: 1, b: 2 };
		const review = derived({ ...NO_REVIEW, models, pair, list: "worse" });
		const text = formatLink(modelsLink(review));
		expect(text).toBe("v=1&pr=/data/2.csv&pd=1.csv&ph=1&pc=2-1&pl=worse");
		expect(parseLink(text)).toEqual({
			state: modelsLink(review),
			unknown: [],
			bad: [],
		});
		const none = derived({ ...NO_REVIEW, models: models.slice(0, 1) });
		expect(formatLink(modelsLink(none))).toBe("v=1&pd=1.csv");
		expect(modelsLink(NO_REVIEW)).toEqual({});
	});

	it("have names with any character", () => {
		const names = ["a|b.csv", "50%|%7C.csv", "a & b+c #1.csv", "ü.csv"];
		const models = names.map((name, i) => model(i + 1, { name, address: undefined }));
		const text = formatLink(modelsLink(derived({ ...NO_REVIEW, models })));
		expect(localNames(parseLink(text).state)).toEqual(names);
	});

	it("keep local files that are not open yet", () => {
		const link = { localModels: "a.csv|b.csv", hiddenModels: [2], listed: "worse" };
		const awaited = { link, missing: ["a.csv", "b.csv"] } as const;
		const none = derived({
			...NO_REVIEW,
			awaited: { ...awaited, link: link as never },
		});
		expect(modelsLink(none)).toEqual(link);
		const models = [model(1, { name: "a.csv", address: undefined })];
		const one = derived({ ...none, models, awaited: { link: {}, missing: ["b.csv"] } });
		expect(formatLink(modelsLink(one))).toBe("v=1&pd=a.csv|b.csv");
	});

	it("are not named if they could not be read", () => {
		const failed = model(1, { address: undefined, phase: "failed" });
		expect(formatLink(modelsLink(derived({ ...NO_REVIEW, models: [failed] })))).toBe(
			"v=1",
		);
	});

	it("are ignored if invalid", () => {
		const { state, bad } = parseLink("ph=5&pc=1-1&ps=2&pd=");
		expect(state).toEqual({});
		expect(bad).toHaveLength(4);
		expect(bad[3]).toBe("Link: ignored pd= (expected names)");
	});
});

describe("derived", () => {
	it("chooses the first models, and keeps a pair that still exists", () => {
		const [a, b, c] = [model(1), model(2), model(3)];
		const first = derived({ ...NO_REVIEW, models: [a, b, c] });
		expect(first).toMatchObject({ active: 1, pair: { a: 1, b: 2 }, phase: "ready" });
		const chosen = derived({ ...first, pair: { a: 3, b: 2 }, active: 3 });
		expect(derived({ ...chosen, models: [b, c] }).pair).toBe(chosen.pair);
		const left = derived({ ...chosen, models: [b], list: "worse" });
		expect(left).toMatchObject({ active: 2, pair: undefined, list: "agents" });
		const failed = derived({ ...NO_REVIEW, models: [model(1, { phase: "failed" })] });
		expect(failed).toMatchObject({ phase: "failed", active: undefined });
	});
});

describe("coming lines", () => {
	const at = (frame: number) => ({ frame }) as FrameLines;
	const framesOf = (models: ModelState[]) =>
		comingOf(models).map(({ lines }) => lines.frame);

	it("are those of the next frame in which a visible model's change", () => {
		const a = model(1, { lines: at(0), ahead: at(10) });
		const b = model(2, { lines: at(5), ahead: at(15) });
		expect(framesOf([a, b])).toEqual([10, 5]);
		expect(framesOf([a, { ...b, ahead: at(10) }])).toEqual([10, 10]);
		expect(framesOf([{ ...a, visible: false }, b])).toEqual([15]);
	});

	it("are none if no next lines are loaded", () => {
		expect(framesOf([model(1, { lines: at(0) })])).toEqual([]);
		expect(framesOf([model(1, { ahead: at(10) })])).toEqual([]);
	});
});

describe("pointsOf", () => {
	it("has the elements whose values are known", () => {
		const columns = {
			scenes: new Uint32Array(3),
			frames: Uint32Array.of(1, 2, 3),
			a: Float64Array.of(1, 0, 0, Number.NaN, 0, 0, 4, 0, 0),
			b: Float64Array.of(2, 0, 0, 1, 0, 0, 3, 0, 0),
			counts: new Uint32Array(3),
			worst: {
				ade: Uint32Array.of(0, 2),
				fde: new Uint32Array(),
				nll: new Uint32Array(),
			},
		};
		const points = pointsOf(columns, "ade");
		expect([...(points?.index ?? [])]).toEqual([0, 2]);
		expect([...(points?.values ?? [])]).toEqual([1, 2, 4, 3]);
		expect([points?.low, points?.high]).toEqual([0, 4]);
		const unknown = { ...columns, a: new Float64Array(9).fill(Number.NaN) };
		expect(pointsOf(unknown, "ade")).toBeUndefined();
	});
});
