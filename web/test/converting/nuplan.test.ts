import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";
import { afterEach, describe, expect, it } from "vitest";
import { Converter } from "../../src/converting/converter.js";
import { ChunkedDataset } from "../../src/index.js";
import { MemorySource } from "../../src/source/source.js";

const files = unzipSync(
	readFileSync(new URL("../../../tests/fixtures/nuplan.zip", import.meta.url)),
);

const open: { close(): void }[] = [];

afterEach(() => {
	for (const one of open.splice(0)) one.close();
});

function fileOf(name: string) {
	return { file: new Blob([files[name] as Uint8Array<ArrayBuffer>]), name };
}

async function started(): Promise<Converter> {
	const converter = await Converter.start();
	open.push(converter);
	return converter;
}

describe("converting: nuPlan", () => {
	it("lists the scenes of a log", async () => {
		const converter = await started();
		const scenes = await converter.ask({ kind: "scenes", ...fileOf("made-up.db") });
		expect(scenes).toEqual(["scene-0000", "scene-0001"]);
	});

	it("opens a scene as a data set with its map", async () => {
		const converter = await started();
		const log = fileOf("made-up.db");
		const map = fileOf("map.gpkg");
		const { objects, report } = await converter.ask({
			...{ kind: "nuplan", ...log, map },
			scene: 1,
		});
		expect(JSON.parse(report)).toMatchObject({ counts: { frames: 4 } });
		const source = new MemorySource(objects);
		const dataset = await ChunkedDataset.open(source);
		open.push(dataset);
		expect(dataset.frames.length).toBe(4);
		const key = (name: string) => ({ source, key: name });
		const view = await dataset.map(
			key("semantic_map/semantic_map.pb"),
			key("meta.json"),
		);
		expect(view?.lanes.length).toBe(4);
		const { lights } = await dataset.frame(0, 0);
		expect(lights.face_id.slice(0, 3)).toEqual(["100/r", "100/y", "100/g"]);
	});

	it("reads a part of a log for its scenes", async () => {
		let bytes = 0;
		const { file, name } = fileOf("made-up.db");
		const slice = file.slice.bind(file);
		file.slice = (begin, end) => {
			bytes += Number(end) - Number(begin);
			return slice(begin, end);
		};
		const converter = await started();
		await converter.ask({ kind: "scenes", file, name });
		expect(bytes).toBeLessThan(file.size + 200);
	});

	it("rejects truncated logs and other files, naming them", async () => {
		const converter = await started();
		const { file } = fileOf("made-up.db");
		for (const [end, found] of [
			[50, "no SQLite header"],
			[9000, "made-up.db"],
		] as const) {
			const asked = {
				kind: "scenes",
				file: file.slice(0, end),
				name: "made-up.db",
			} as const;
			const failure = converter.ask(asked);
			await expect(failure).rejects.toMatchObject({ code: "corrupt_chunk" });
			await expect(failure).rejects.toThrow(found);
		}
		const missing = converter.ask({
			...{ kind: "nuplan", ...fileOf("made-up.db"), map: undefined },
			scene: 2,
		});
		await expect(missing).rejects.toMatchObject({ code: "out_of_range" });
	});
});
