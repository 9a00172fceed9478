import { expect, it } from "vitest";
import { plotsCsv } from "../../../src/elements/plots/plots-csv.js";

it("a CSV contains the displayed frames; unknown values are empty", () => {
	const columns = [
		{ title: "Speed (m/s) ego", values: [1, 2.5, 3] },
		{ title: 'agents "a",b', values: [0, Number.NaN, -1] },
	];
	expect(plotsCsv([0, 0.1, 0.2], columns, { begin: 1, end: 3 })).toBe(
		'frame,seconds,Speed (m/s) ego,"agents ""a"",b"\r\n1,0.1,2.5,\r\n2,0.2,3,-1\r\n',
	);
});
