import { describe, expect, it } from "vitest";
import {
	isCommonRoad,
	isLaneletMap,
	isPickle,
	isRecords,
	isScenarioList,
	isTable,
	isXml,
	mapNameOf,
	scenarioId,
} from "../../src/converting/names.js";

describe("converting: names", () => {
	it("knows TFRecord files", () => {
		const names = ["a.tfrecord", "training.tfrecord-00000-of-01000", "A.TFRecord"];
		expect(names.filter(isRecords)).toEqual(names);
		expect(["a.zip", "tfrecord", "a.tfrecord.txt"].filter(isRecords)).toEqual([]);
	});

	it("knows pickles, and those that list scenarios", () => {
		const names = ["sd_nuscenes_v1.0-mini_scene-0061.pkl", "dataset_summary.pkl"];
		expect(names.filter(isPickle)).toEqual(names);
		expect(names.filter(isScenarioList)).toEqual(["dataset_summary.pkl"]);
		expect(["a.pkl.gz", "pkl"].filter(isPickle)).toEqual([]);
	});

	it("knows tables, and maps of Lanelet2", () => {
		expect(["DR_A_val.csv", "a.CSV", "csv", "a.csv.gz"].filter(isTable)).toEqual([
			"DR_A_val.csv",
			"a.CSV",
		]);
		expect(["a.osm", "a.osm_xy"].filter(isLaneletMap)).toEqual(["a.osm"]);
	});

	it("knows XML files, and those of CommonRoad by their start", async () => {
		expect(["a.xml", "A.XML", "a.xml.gz", "xml"].filter(isXml)).toEqual([
			"a.xml",
			"A.XML",
		]);
		const head = '<?xml version="1.0"?><commonRoad timeStepSize="0.1">';
		expect(await isCommonRoad(new Blob([head]))).toBe(true);
		expect(await isCommonRoad(new Blob(["<project/>"]))).toBe(false);
		expect(await isCommonRoad(undefined)).toBe(false);
	});

	it("knows the tracks of a scenario, and their map", () => {
		expect(scenarioId("scenario_0a1e-6f.parquet")).toBe("0a1e-6f");
		expect(scenarioId("submission.parquet")).toBeUndefined();
		expect(scenarioId("scenario_.parquet")).toBeUndefined();
		expect(mapNameOf("0a1e-6f")).toBe("log_map_archive_0a1e-6f.json");
	});
});
