import { describe, expect, it } from "vitest";
import { tfrecords, waymoScenario } from "../../../tests/support/waymo.js";
import { isRecords } from "../../src/converting/convert.js";
import { convertFile } from "../../src/converting/converter.js";
import { ChunkedDataset } from "../../src/index.js";
import { MemorySource } from "../../src/source/source.js";

const NAME = "made-up.tfrecord";

function convert(
	content: Uint8Array<ArrayBuffer>,
	onProgress: (done: number, of: number) => void = () => {},
	signal?: AbortSignal,
) {
	return convertFile(new Blob([content]), { name: NAME, onProgress, signal });
}

async function opened(content: Uint8Array<ArrayBuffer>) {
	const { objects } = await convert(content);
	const source = new MemorySource(objects);
	const dataset = await ChunkedDataset.open(source);
	const key = (name: string) => ({ source, key: name });
	const map = await dataset.map(key("semantic_map/semantic_map.pb"), key("meta.json"));
	return { dataset, map };
}

describe("converting: Waymo", () => {
	it("opens a scenario as a data set with its map", async () => {
		const { dataset, map } = await opened(tfrecords(waymoScenario("a")));
		expect(dataset.scenes.length).toBe(1);
		expect(dataset.frames.length).toBe(6);
		const agents = await dataset.agents.rows(0, 3);
		expect(agents.column("track_id").data).toEqual(BigUint64Array.of(7n, 8n, 9n));
		expect(agents.column("centroid").data.slice(0, 2)).toEqual(
			Float64Array.of(1012, 500),
		);
		expect(map?.lanes.length).toBe(2);
		expect(map?.crosswalks.length).toBe(1);
		dataset.close();
	});

	it("names the faces of a lane, which colour it in the map", async () => {
		const { dataset, map } = await opened(tfrecords(waymoScenario("a")));
		const { lights } = await dataset.frame(0, 0);
		expect(lights.face_id).toEqual(["1/r", "1/y", "1/g"]);
		expect(lights.traffic_light_id).toEqual(["1/l", "1/l", "1/l"]);
		const red = 1;
		expect(await map?.laneColours(["1/r"])).toEqual(Uint8Array.of(red, 0));
		dataset.close();
	});

	it("makes a scene of each scenario, in cells of one map", async () => {
		const steps: string[] = [];
		const file = tfrecords(waymoScenario("a"), waymoScenario("b", 1010));
		const { objects, report } = await convert(file, (done, of) =>
			steps.push(`${done}/${of}`),
		);
		expect(steps).toEqual(["1/2", "2/2"]);
		expect(JSON.parse(report)).toMatchObject({ scenes: 2, map: { lanes: 4 } });
		const dataset = await ChunkedDataset.open(new MemorySource(objects));
		const { scenes } = dataset.attrs.bevscope as {
			scenes: { scenario_id: string; record: number }[];
		};
		expect(scenes.map((one) => [one.scenario_id, one.record])).toEqual([
			["a", 0],
			["b", 1],
		]);
		dataset.close();
	});

	it("rejects a flipped bit, a cut file, and a file without scenarios", async () => {
		const whole = tfrecords(waymoScenario("a"));
		for (const at of [0, 9, 40, whole.length - 1]) {
			const damaged = whole.slice();
			damaged[at] = (damaged[at] ?? 0) ^ 4;
			await expect(convert(damaged)).rejects.toMatchObject({
				code: "corrupt_chunk",
				message: expect.stringMatching(/^made-up\.tfrecord: record at byte 0: /),
			});
		}
		await expect(convert(whole.slice(0, -1))).rejects.toMatchObject({
			code: "corrupt_chunk",
		});
		await expect(convert(new Uint8Array())).rejects.toMatchObject({
			code: "not_found",
			message: "made-up.tfrecord: no scenarios found",
		});
	});

	it("stops when aborted", async () => {
		const control = new AbortController();
		const reason = new Error("enough");
		const file = tfrecords(waymoScenario("a"), waymoScenario("b"));
		const converted = convert(file, () => control.abort(reason), control.signal);
		await expect(converted).rejects.toBe(reason);
	});

	it("knows TFRecord files by name", () => {
		const names = ["a.tfrecord", "training.tfrecord-00000-of-01000", "A.TFRecord"];
		expect(names.filter(isRecords)).toEqual(names);
		expect(["a.zip", "tfrecord", "a.tfrecord.txt"].filter(isRecords)).toEqual([]);
	});
});
