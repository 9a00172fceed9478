import { afterEach, describe, expect, it } from "vitest";
import { Converter } from "../../src/converting/converter.js";
import { ChunkedDataset } from "../../src/index.js";
import { MemorySource } from "../../src/source/source.js";
import { simulationLog, xzBomb } from "../support/simulation-log.js";

const open: { close(): void }[] = [];

afterEach(() => {
	for (const one of open.splice(0)) one.close();
});

async function converted(name: string, ...contents: BlobPart[]) {
	const converter = await Converter.start();
	open.push(converter);
	const files = contents.map((content) => ({ file: new Blob([content]), name }));
	return converter.ask({ kind: "simulation", name: "ab", files });
}

async function dataset(name: string, ...contents: BlobPart[]) {
	const { objects } = await converted(name, ...contents);
	const data = await ChunkedDataset.open(new MemorySource(objects));
	open.push(data);
	return data;
}

/** A scene as nuPlan's devkit serializes it. */
function scene(step: number): string {
	return JSON.stringify({
		timestamp_us: 1e6 + 1e5 * step,
		ego: { pose: [664000 + step, 3999000, 0], speed: 0, acceleration: 0 },
		world: {
			vehicles: [
				{ id: "0a", speed: 3, box: { pose: [664010, 3999000, 0.5], size: [1.9, 4.5] } },
			],
		},
	});
}

describe("converting: simulations of nuPlan", () => {
	it("a compressed log becomes a data set", async () => {
		const data = await dataset("ab.msgpack.xz", simulationLog());
		expect(data.scenes.length).toBe(1);
		expect(data.frames.length).toBe(3);
		const { agents } = await data.frame(0, 2);
		expect([...agents.track_id]).toEqual([10n]);
		expect([...agents.centroid]).toEqual([10, 0]);
		expect([...agents.extent].slice(0, 2)).toEqual([4.5, Math.fround(1.9)]);
		expect(data.attrs).toMatchObject({
			bevscope: { scenes: [{ planner: "idm", scenario_id: "ab12", simulated: true }] },
		});
	});

	it("scenes of one file per step become one", async () => {
		const data = await dataset("x.json", scene(1), scene(0));
		expect(data.frames.length).toBe(2);
		expect(data.attrs).toMatchObject({ bevscope: { scenes: [{ scenario_id: "ab" }] } });
	});

	it("a bomb is refused after 16 MiB, and what is not xz", async () => {
		await expect(converted("b.msgpack.xz", xzBomb())).rejects.toMatchObject({
			code: "limit_exceeded",
			message: expect.stringMatching(/^b\.msgpack\.xz: .*inflates too much/),
		});
		const log = simulationLog();
		await expect(converted("a.pkl.xz", log.slice(0, 900))).rejects.toThrow(
			/a\.pkl\.xz/,
		);
		log[600] = (log[600] ?? 0) ^ 255;
		await expect(converted("a.pkl.xz", log)).rejects.toMatchObject({
			code: "corrupt_chunk",
		});
	});
});
