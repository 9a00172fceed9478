import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { argoverse2Forecasts } from "../../tests/support/argoverse2.js";
import { forecastRows } from "../src/converting/forecasts.js";
import type { ForecastRows } from "../src/converting/protocol.js";
import { zebraRings } from "../src/elements/draw/road-detail.js";
import { predictionsOf } from "../src/elements/review/forecast-file.js";
import { FileSource } from "../src/source/file-source.js";
import { folderOf } from "../src/source/folder.js";

const MANY = 150_000;
const SRC = fileURLToPath(new URL("../src", import.meta.url));

/** Their spread arguments are few: corners, models, arrays, lines of text, parameters; or
 * members of objects. */
const FEW = [
	"elements/draw/paint-focus.ts",
	"elements/draw/paint-grid.ts",
	"elements/draw/tilt/",
	"elements/export/caption.ts",
	"elements/export/size.ts",
	"elements/gallery/gallery-save.ts",
	"elements/raster/raster-arrays.ts",
	"elements/review/coming-lines.ts",
	"elements/review/model-table.ts",
	"elements/rollout/planner-run.ts",
	"elements/timeline/axis.ts",
	"facts/fact-store.ts",
	"parquet/stored-arrays.ts",
	"reviewing/drawing.ts",
	"reviewing/remote-scores.ts",
];

describe("long lists are no arguments of a call", () => {
	it("in the sources, except few", () => {
		const call =
			/(?:\.push|\.unshift|\.splice|Math\.max|Math\.min|fromCharCode|fromCodePoint|\.concat)\((?:[^()[]|\([^()]*\))*?\.\.\.|\.apply\(/g;
		const found = readdirSync(SRC, { recursive: true, encoding: "utf8" })
			.filter((name) => name.endsWith(".ts"))
			.flatMap((name) =>
				[...readFileSync(`${SRC}/${name}`, "utf8").matchAll(call)].map(
					([text]) => `${name}: ${text}`,
				),
			)
			.filter((one) => !FEW.some((allowed) => one.startsWith(allowed)));
		expect(found).toEqual([]);
	});

	it("forecasts of a split are read", async () => {
		const rows = Array.from({ length: MANY }, (_, i) => ({
			...{ scenario: "a", track: String(i), probability: 1 },
			path: [[i, 1]] as const,
		}));
		const found = await forecastRows(argoverse2Forecasts(rows).buffer, ["a"]);
		expect(found.tracks).toHaveLength(MANY);
		expect(found.paths.subarray(-2)).toEqual(Float64Array.of(MANY - 1, 1));
	});

	it("forecasts of many tracks become predictions", () => {
		const ids = Array.from({ length: MANY }, (_, i) => i);
		const rows: ForecastRows = {
			...{
				scenarios: ids.map(() => "a"),
				tracks: ids.map(String),
				steps: 1,
				all: MANY,
			},
			probabilities: new Float64Array(MANY).fill(1),
			paths: new Float64Array(2 * MANY).fill(3),
		};
		const agents = { centroid: new Float64Array(2 * MANY).fill(1) };
		const anchor = {
			frame: { timestamp: 7n, agents, ego: { centroid: [0, 0] } },
			...{ rows: new Map(ids.map((id) => [BigInt(id), id])), named: new Map() },
		};
		type Anchors = Parameters<typeof predictionsOf>[1];
		const anchors = new Map([["a", anchor]]) as unknown as Anchors;
		const { coords, timestamps } = predictionsOf(rows, anchors);
		expect(timestamps).toHaveLength(MANY);
		expect(coords.every((value) => value === 2)).toBe(true);
	});

	it("a crosswalk's ring has bars", () => {
		const ring = new Float64Array(2 * MANY);
		ring.set([0, 0, 10, 0, 10, 3]);
		expect(zebraRings(ring).length).toBeGreaterThan(2);
	});

	it("folders are listed", async () => {
		const names = Array.from({ length: MANY }, (_, i) => `f${i}`);
		const list = async (path: string) => ({
			...{ files: [], folders: path === "" ? names : [] },
		});
		const files = new FileSource({ list, file: async () => undefined } as never);
		expect(await files.roots()).toEqual([]);
		const batches = [names.map((name) => ({ name, isFile: true })), []];
		const dropped = folderOf({
			createReader: () => ({
				readEntries: (give: (entries: unknown) => void) => give(batches.shift()),
			}),
		} as never);
		expect((await dropped.list("")).files).toHaveLength(MANY);
	});
});
