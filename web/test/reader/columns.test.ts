import { describe, expect, it } from "vitest";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset, MemorySource, type TableColumns } from "../../src/index.js";

/** The class of each column's data. A column that is missing here does not compile. */
type Classes = {
	readonly [T in keyof TableColumns]: {
		readonly [K in keyof TableColumns[T]]: new () => TableColumns[T][K];
	};
};

const SCENE = {
	...{ frame_index_interval: BigInt64Array, host: Uint8Array },
	...{ start_time: BigInt64Array, end_time: BigInt64Array },
};
const FRAME = {
	...{ timestamp: BigInt64Array, agent_index_interval: BigInt64Array },
	...{ traffic_light_faces_index_interval: BigInt64Array },
	...{ ego_translation: Float64Array, ego_rotation: Float64Array },
};
const OF_FRAME = {
	...{ row: BigInt64Array, scene: Uint32Array, frame: Uint32Array },
	...{ frame_index: BigInt64Array, time: Float64Array, agent_count: BigInt64Array },
	...{ face_count: BigInt64Array, frame_count: BigInt64Array },
};
const TABLES: Classes = {
	scenes: { ...SCENE, row: BigInt64Array, scene: BigInt64Array },
	frames: { ...FRAME, ...OF_FRAME, ...SCENE },
	agents: {
		...{ ...OF_FRAME, ...SCENE, ...FRAME, centroid: Float64Array },
		...{ extent: Float32Array, yaw: Float32Array, velocity: Float32Array },
		...{ track_id: BigUint64Array, label_probabilities: Float32Array },
		...{ speed: Float32Array, distance_to_ego: Float32Array, label: Uint8Array },
		...{ label_probability: Float32Array, class: Uint8Array, kept: Uint8Array },
	},
	traffic_light_faces: {
		...{ ...OF_FRAME, ...SCENE, ...FRAME, face_id: Uint8Array },
		...{ traffic_light_id: Uint8Array, traffic_light_face_status: Float32Array },
		state: Uint8Array,
	},
};

describe("reader/columns", () => {
	it("are those that a reader of each table explains, of the classes of their types", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		for (const [from, classes] of Object.entries(TABLES)) {
			const fields = Object.keys(classes);
			using reader = dataset.reader({ from, fields });
			const { columns } = await reader.explain();
			expect(columns.map(({ name }) => name).sort(), from).toEqual(fields.sort());
			let count = 0;
			for await (const batch of reader) {
				count += batch.length;
				for (const [name, one] of Object.entries(classes))
					expect(batch.column(name).data, `${from}: ${name}`).toBeInstanceOf(one);
			}
			expect(count).toBeGreaterThan(0);
		}
	});

	it("are counted by length, items by count", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(tinyDataset()));
		using reader = dataset.reader({ shard: { index: 0, count: 4 }, fields: ["row"] });
		expect(await reader.count()).toBe(36);
		expect(await reader.count({ of: "shard" })).toBe(9);
		expect(await reader.length()).toBe(9); // the former name
		for await (const batch of reader) {
			expect(batch.length).toBe(batch.columns.length);
			expect(batch.items).toBe(batch.length);
		}
		const wrong: object = { of: "all of them" };
		await expect(reader.count(wrong)).rejects.toMatchObject({
			code: "invalid_argument",
			message:
				'count: of: invalid argument (found "all of them", expected all or shard)',
		});
	});
});
