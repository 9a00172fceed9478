import { describe, expect, it } from "vitest";
import { SERIES } from "../../../src/elements/plots/quantities.js";
import { readSceneData } from "../../../src/elements/plots/scene-data.js";
import { absentRows } from "../../../src/elements/scenes/stored-scene.js";
import type { RowColumns, RowTable } from "../../../src/elements/session/dataset.js";
import { fakeTimeline } from "../../support/fake-timeline.js";

type Arrays = Readonly<Record<string, ArrayLike<number | bigint> | readonly string[]>>;

/** A table of `arrays`, each with `length` rows. */
function table(length: number, arrays: Arrays): RowTable {
	return {
		length,
		async rows(begin, end, { fields } = {}) {
			const names = fields ?? Object.keys(arrays);
			const cut = (name: string) => {
				const data = arrays[name] as Float64Array;
				const width = data.length / length;
				return data.slice(begin * width, end * width);
			};
			return {
				length: end - begin,
				names,
				column: (name: string) => ({
					data: cut(name),
					dtype: name === "host" ? "utf8" : "<f8",
				}),
				strings: () => ["host"],
			} as unknown as RowColumns;
		},
	};
}

/** One scene, rows 1 to 3 of the frames: track 7 drives 10 m ahead of the ego. */
function tables() {
	const rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1];
	return {
		scenes: table(1, {
			frame_index_interval: BigInt64Array.from([1n, 4n]),
			host: ["host"],
			start_time: BigInt64Array.of(0n),
		}),
		frames: table(4, {
			timestamp: BigInt64Array.from([0n, 0n, 100_000_000n, 200_000_000n]),
			agent_index_interval: BigInt64Array.from([0n, 2n, 2n, 3n, 3n, 4n, 4n, 5n]),
			ego_translation: Float64Array.from([0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0]),
			ego_rotation: Float64Array.from([
				...rotation,
				...rotation,
				...rotation,
				...rotation,
			]),
		}),
		agents: table(5, {
			track_id: BigUint64Array.from([1n, 2n, 7n, 7n, 7n]),
			centroid: Float64Array.from([0, 0, 0, 0, 10, 0, 11, 0, 12, 0]),
			yaw: new Float32Array(5),
			extent: Float32Array.from({ length: 15 }, () => 2),
			velocity: Float32Array.from([0, 0, 0, 0, 5, 6, 7, 8, 9, 10]),
			label_probabilities: Float32Array.from({ length: 85 }, (_, i) =>
				i % 17 === 3 ? 1 : 0,
			),
		}),
	};
}

const { signal } = new AbortController();
const timeline = fakeTimeline(0, 3);

describe("SceneData", () => {
	it("computes every quantity of the panel in the core", async () => {
		const data = await readSceneData(tables(), timeline, signal);
		for (const name of Object.keys(SERIES)) {
			expect(data.computed(name, "ego"), name).toHaveLength(3);
			expect(data.computed(name, 7n), name).toHaveLength(3);
		}
		expect(data.computed("speed", 7n)?.[1]).toBeCloseTo(10);
		expect(data.computed("lead_gap", "ego")?.[0]).toBeCloseTo(10 - 4.87 / 2 - 1);
		expect(() => data.computed("nothing", 7n)).toThrow("unknown quantity");
		data.release();
	});

	it("reads fields of agents by track, and of frames for the ego vehicle", async () => {
		const data = await readSceneData(tables(), timeline, signal);
		const read = (chart: string, component: number, who: bigint | "ego") => {
			const [from = "", field = ""] = chart.split(".");
			return data.read({ table: from as "agents", field, component }, who, signal);
		};
		expect([...(await read("agents.velocity", 1, 7n))]).toEqual([6, 8, 10]);
		expect([...(await read("frames.ego_translation", 0, "ego"))]).toEqual([0, 1, 2]);
		expect((await read("agents.velocity", 9, 7n)).every(Number.isNaN)).toBe(true);
		expect((await read("agents.velocity", 0, "ego")).every(Number.isNaN)).toBe(true);
		expect(data.fields).toContainEqual({
			table: "agents",
			field: "velocity",
			width: 2,
		});
		expect(data.fields).toContainEqual({
			table: "frames",
			field: "ego_rotation",
			width: 9,
		});
		data.release();
	});

	it("computes the offset to the lanes of a map", async () => {
		const data = await readSceneData(tables(), timeline, signal);
		const side = (y: number) => ({
			points: Float64Array.of(-20, y, 40, y),
			offsets: Uint32Array.of(0, 2),
		});
		const map = { lanes: { left: side(1.5), right: side(-2.5) } };
		data.setMap(map as unknown as Parameters<typeof data.setMap>[0]);
		expect(data.computed("lane_offset", "ego")?.[0]).toBeCloseTo(0.5);
		data.setMap(undefined);
		expect(data.computed("lane_offset", "ego")?.[0]).toBeNaN();
		data.release();
	});

	it("absent rows are unknown", async () => {
		const anomaly = { track: 0n, frame: 1 };
		const anomalies = [
			{ ...anomaly, kind: "absent-agents", amount: 2 },
			{ ...anomaly, kind: "absent-frames", amount: 1 },
			{ ...anomaly, kind: "gap", amount: 9 },
		] as const;
		const gaps = { ...timeline, anomalies };
		expect([...absentRows(gaps, 3)]).toEqual([0, 2, 1]);
		const data = await readSceneData(tables(), gaps, signal);
		expect(data.computed("x", 7n)?.[0]).toBe(10);
		expect(data.computed("x", 7n)?.[1]).toBeNaN();
		expect(data.computed("x", "ego")?.[1]).toBeNaN();
		expect(data.computed("x", "ego")?.[2]).toBe(2);
		data.release();
	});
});
