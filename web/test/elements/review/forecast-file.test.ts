import { describe, expect, it, vi } from "vitest";
import type { ForecastRows } from "../../../src/converting/protocol.js";
import { readForecasts } from "../../../src/elements/review/forecast-file.js";
import type { ViewerDataset } from "../../../src/elements/session/dataset.js";

const NAMES = ["a", "b", "c"];

const ROWS: ForecastRows = {
	...{ scenarios: NAMES, tracks: ["7", "7", "7"], steps: 1, all: 3 },
	...{ probabilities: Float64Array.of(1, 1, 1), paths: new Float64Array(6).fill(3) },
};

vi.mock("../../../src/converting/converter.js", () => ({
	Converter: { start: async () => ({ ask: async () => ROWS, close: () => {} }) },
}));

/** Three scenarios; `onFrame` is called when a frame is read. */
function dataset(onFrame: (scene: number) => void = () => {}): ViewerDataset {
	const scenes = NAMES.map((scenario_id) => ({ scenario_id, anchor_frame: 4 }));
	return {
		...{ names: NAMES, attrs: { bevscope: { scenes } }, scenes: { length: 3 } },
		frame: async (scene: number, frame: number) => {
			onFrame(scene);
			return {
				...{ timestamp: BigInt(10 * scene + frame), ego: { centroid: [0, 0] } },
				agents: { track_id: [7n], centroid: Float64Array.of(1, 2) },
			};
		},
	} as unknown as ViewerDataset;
}

describe("elements/review/forecast-file", () => {
	it("tells how many scenarios are read", async () => {
		const told: unknown[] = [];
		const { signal } = new AbortController();
		const onProgress = (...far: unknown[]) => told.push(far);
		const found = await readForecasts(new Blob(), "f.parquet", dataset(), {
			...{ signal, onProgress },
		});
		expect([...found.timestamps]).toEqual([4n, 14n, 24n]);
		expect([...found.coords]).toEqual([2, 1, 2, 1, 2, 1]);
		expect(told).toEqual([
			[0, 3],
			[1, 3],
			[2, 3],
		]);
	});

	it("reads no more scenarios after an abort", async () => {
		const control = new AbortController();
		const read: number[] = [];
		const from = dataset((scene) => {
			read.push(scene);
			if (scene === 1) control.abort("enough");
		});
		const { signal } = control;
		const found = readForecasts(new Blob(), "f.parquet", from, { signal });
		await expect(found).rejects.toBe("enough");
		expect(read).not.toContain(2);
	});
});
