import { describe, expect, it, vi } from "vitest";
import type { ForecastRows } from "../../../src/converting/protocol.js";
import {
	readForecasts,
	readNuscenes,
} from "../../../src/elements/review/forecast-file.js";
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

	/** Two key frames of a scene with two instances; the second scene has no tokens. */
	function nuscenes(): ViewerDataset {
		const track_names = { "1": "i0", "2": "i1" };
		const samples = ["s0", "s1"];
		const scenes = [{ samples, track_names, moved_by: [100, 0] }, { track_names }];
		return {
			...{ attrs: { bevscope: { scenes } }, scenes: { length: 2 } },
			frame: async (_: number, frame: number) => ({
				...{ timestamp: BigInt(frame), ego: { centroid: [0, 0] } },
				agents: { track_id: [2n, 1n], centroid: Float64Array.of(9, 9, 101, 2) },
			}),
		} as unknown as ViewerDataset;
	}

	/** Submissions of two modes, whose x are 1 and 2, and 3 and 4, in all predictions. */
	function reviewerOf(scenarios: readonly string[], scores = [3, 1]) {
		const release = vi.fn();
		const read = async (id: string) => ({
			poses: Float32Array.of(1, 2, 0, 0, 3, 4, 0, 0).slice(0, id === "i1_s0" ? 4 : 8),
			scores: Float32Array.from(id === "i1_s0" ? [1] : scores),
			rollouts: id === "i1_s0" ? 1 : 2,
		});
		const submission = { scenarios: new Set(scenarios), read, release };
		return { release, reviewer: { submission: async () => submission } as never };
	}

	const given = (reviewer: never) => ({ file: new Blob(), name: "n.json", reviewer });

	it("reads predictions for nuScenes as those of the open scenes", async () => {
		const { reviewer, release } = reviewerOf(["i0_s1", "i1_s0", "i0_s9"]);
		const { signal } = new AbortController();
		const found = await readNuscenes(given(reviewer), nuscenes(), { signal });
		expect([...found.timestamps]).toEqual([0n, 1n]);
		expect([...found.track_ids]).toEqual([2n, 1n]);
		expect([...found.confidences]).toEqual([1, 0, 0.75, 0.25]);
		expect([...found.coords].slice(8)).toEqual([0, -2, 1, -2, 2, -2, 3, -2]);
		expect(release).toHaveBeenCalledOnce();
	});

	it("gives modes equal probabilities if none is above 0", async () => {
		const { reviewer } = reviewerOf(["i0_s1"], [0, -1]);
		const { signal } = new AbortController();
		const found = await readNuscenes(given(reviewer), nuscenes(), { signal });
		expect([...found.confidences]).toEqual([0.5, 0.5]);
	});

	it("refuses predictions for nuScenes of other scenes", async () => {
		const { reviewer, release } = reviewerOf(["i0_s9"]);
		const { signal } = new AbortController();
		const found = readNuscenes(given(reviewer), nuscenes(), { signal });
		await expect(found).rejects.toThrow(
			"n.json: none of 1 prediction is of an open scene",
		);
		expect(release).toHaveBeenCalledOnce();
	});
});
