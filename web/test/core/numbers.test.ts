import { describe, expect, it } from "vitest";
import { loadTools } from "../../src/tools.js";

const tools = await loadTools();

/** Returns the coordinates that the module reads from their texts: two per step. */
function read(texts: readonly string[]): Float64Array {
	const steps = Array.from({ length: texts.length / 2 }, (_, i) => i);
	const header = ["timestamp", "track_id"];
	header.push(...steps.map((i) => `avail_${i}`));
	header.push(...steps.flatMap((i) => [`coord_x0${i}`, `coord_y0${i}`]));
	const row = ["1", "2", ...steps.map(() => "1"), ...texts];
	return tools.readGroundTruth(`${header.join()}\n${row.join()}\n`).coords;
}

describe("core: numbers", () => {
	it("decimal numbers are read as JavaScript reads them, to the last bit", () => {
		let state = 1;
		const random = (): number => {
			state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
			return state;
		};
		for (let i = 0; i < 300; i += 1) {
			const digits = `${random()}${random()}${random()}`.slice(0, 3 + (i % 25));
			const exponent = (random() % 640) - 330;
			const texts = [
				`${digits}e${exponent}`,
				`-${digits}.${random()}E+${random() % 20}`,
				`0.${digits}`,
				`${digits}.`,
			];
			expect([...read(texts)]).toEqual(texts.map(Number));
		}
	});

	it("limits, zeros, infinity and NaN are read", () => {
		const texts = ["5e-324", "2.4703282292062327e-324", "1.7976931348623159e308", "-0"];
		expect([...read(texts)]).toEqual([5e-324, 0, Number.POSITIVE_INFINITY, -0]);
		const words = ["inf", "-Infinity", "NaN", "+1e1"];
		const [positive, negative, nan, ten] = read(words);
		expect([positive, negative]).toEqual([
			Number.POSITIVE_INFINITY,
			Number.NEGATIVE_INFINITY,
		]);
		expect([nan, ten]).toEqual([Number.NaN, 10]);
	});

	it.each(["", "e5", ".", "1e", "1e+", "--1", "0x10", "infinite", "nanny", "1 "])(
		"%j is not a number",
		(text) => {
			expect(() => read([text, "1"])).toThrow();
		},
	);
});
