import { describe, expect, it } from "vitest";
import { type DropItem, dropPlan } from "../../../src/elements/open/drop-plan.js";

const files = (...names: string[]): DropItem[] =>
	names.map((name) => ({ name, folder: false }));
const folder = (name: string): DropItem => ({ name, folder: true });

describe("drop-plan", () => {
	it("opens folders, zips, and a data set with its map", () => {
		expect(dropPlan([folder("a.zarr")], true).act).toBe("open");
		expect(dropPlan(files("a.zip"), true).act).toBe("open");
		expect(dropPlan(files("a.tfrecord"), true).act).toBe("open");
		expect(dropPlan(files("a.pkl", "b.pkl"), true).act).toBe("open");
		expect(dropPlan(files("a.xml"), true).act).toBe("open");
		expect(dropPlan(files("a.tfrecord-00001-of-00002"), false).act).toBe("open");
		expect(dropPlan(files("scenario_a.parquet"), true).act).toBe("open");
		const whole = [folder("a.zarr"), ...files("semantic_map.pb", "meta.json")];
		expect(dropPlan(whole, false).act).toBe("open");
	});

	it("accepts a map if data is open, and otherwise reports what is missing", () => {
		expect(dropPlan(files("meta.json", "semantic_map.pb"), true)).toEqual({
			act: "map",
			files: ["semantic_map.pb", "meta.json"],
		});
		expect(dropPlan(files("semantic_map.pb"), false)).toMatchObject({ act: "none" });
	});

	it("reads each CSV file as a model's predictions", () => {
		expect(dropPlan(files("a.csv", "b.csv", "notes.txt"), true)).toEqual({
			act: "predictions",
			files: ["a.csv", "b.csv"],
		});
	});

	it("opens tracks that are dropped with their map", () => {
		for (const open of [true, false]) {
			const all = files("DR_Example_val.csv", "DR_Example.osm");
			expect(dropPlan(all, open)).toEqual({ act: "open" });
		}
	});

	it("leaves submissions to their content, also beside CSV files", () => {
		expect(dropPlan(files("m.npz", "m.binproto-00001-of-00002"), true)).toEqual({
			act: "documents",
			files: ["m.npz", "m.binproto-00001-of-00002"],
		});
		expect(dropPlan(files("m.npz", "a.csv"), true)).toEqual({
			act: "predictions",
			files: ["a.csv", "m.npz"],
		});
	});

	it("reads other Parquet files than scenarios as forecasts of the open ones", () => {
		expect(dropPlan(files("a.parquet", "b.csv"), true)).toEqual({
			act: "predictions",
			files: ["b.csv", "a.parquet"],
		});
		expect(dropPlan(files("a.parquet"), false).act).toBe("open");
		expect(dropPlan(files("a.parquet", "scenario_b.parquet"), true).act).toBe("open");
	});

	it("opens a model with the documents beside it, in open data", () => {
		expect(dropPlan(files("model.onnx", "model.json"), true)).toEqual({
			act: "model",
			files: ["model.onnx", "model.json"],
		});
		expect(dropPlan(files("model.onnx"), false)).toEqual({
			act: "none",
			notice: "model.onnx: needs a data set; open the data first",
		});
		expect(dropPlan(files("planning.pt"), true)).toEqual({
			act: "none",
			notice:
				"planning.pt: PyTorch's files cannot run in a page; export the model to ONNX",
		});
	});

	it("leaves documents to their content", () => {
		expect(dropPlan(files("config.yaml", "notes.json"), true)).toEqual({
			act: "documents",
			files: ["config.yaml", "notes.json"],
		});
		// Without data, it may be a simulation's scenes.
		expect(dropPlan(files("notes.json"), false)).toMatchObject({ act: "documents" });
		expect(dropPlan(files("config.yaml"), false)).toEqual({
			act: "none",
			notice: "config.yaml: needs a data set; open the data first",
		});
		expect(dropPlan(files("meta.json"), true)).toMatchObject({ act: "none" });
		expect(dropPlan(files("log_map_archive_a.json"), false)).toEqual({
			act: "none",
			notice:
				"log_map_archive_a.json: a scenario's map; drop it together with scenario_a.parquet",
		});
	});

	it("lists the files if nothing can be opened", () => {
		expect(dropPlan(files("photo.png"), true)).toMatchObject({
			act: "none",
			notice:
				"photo.png is no data that the viewer opens. An aerial image is chosen in the list of layers, with its meta.json",
		});
		expect(dropPlan(files("a.png", "b.png"), true)).toMatchObject({
			notice: expect.stringMatching(/^a\.png, b\.png are no data/),
		});
	});
});
