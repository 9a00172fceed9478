import { describe, expect, it } from "vitest";
import { formatNotes, type Note } from "../../../src/elements/notes/note.js";
import { takeDrop } from "../../../src/elements/open/take-drop.js";
import { documentKind } from "../../../src/elements/open/use-document.js";
import type { ViewerController } from "../../../src/elements/session/controller.js";

const NOTE: Note = {
	...{ id: "a", scene: 0, text: "brakes late", tags: [] },
	time: "2026-01-31T12:00:00.000Z",
};

/** Drops files on a viewer with open data; returns what it did. */
async function dropped(
	texts: Readonly<Record<string, string>>,
	wanted: number,
	phase = "ready",
): Promise<readonly unknown[]> {
	const done: unknown[] = [];
	const controller = {
		state: { phase },
		open: ({ name }: { name: string }) => done.push(["open", name]),
		notify: (notice: string) => done.push(notice),
		notes: Promise.resolve({
			put: (...notes: Note[]) => done.push(["notes", notes.map(({ id }) => id)]),
		}),
		rasters: { choose: ({ name }: { name: string }) => done.push(["config", name]) },
		rollout: {
			use: (act: (it: unknown) => unknown) =>
				act({ give: (_from: unknown, name: string) => done.push(["rollout", name]) }),
		},
	} as unknown as ViewerController;
	const files = Object.entries(texts).map(([name, text]) => new File([text], name));
	takeDrop(controller, { folders: [], files, handles: undefined }, () => {});
	await expect.poll(() => done.length).toBe(wanted);
	return done;
}

describe("open/take-drop", () => {
	it("adds saved notes; the raster config stays", async () => {
		const text = formatNotes([NOTE], "town.zarr");
		expect(await dropped({ "notes.json": text }, 2)).toEqual([
			["notes", ["a"]],
			"notes.json: added 1 note",
		]);
	});

	it("tells what is wrong with notes", async () => {
		const text = JSON.stringify({ format: "bevscope-notes", version: 2, notes: [] });
		expect(await dropped({ "notes.json": text }, 1)).toEqual([
			"notes.json: notes: version is invalid (found 2, expected 1)",
		]);
	});

	it("opens each of several documents as what it is", async () => {
		const done = await dropped(
			{
				"run.json": '{"format": "bevscope-rollout"}',
				"config.yaml": "raster_params:\n  map_type: box\n",
				"other.json": '{"a": 1}',
			},
			5,
		);
		expect(done).toEqual([
			["rollout", "run.json"],
			"run.json: opened as a rollout; see Predictions",
			["config", "config.yaml"],
			"config.yaml: raster config loaded; select an agent to display its raster",
			"other.json: unknown document (expected notes, a rollout, a patch, or a raster config with raster_params)",
		]);
	});

	it("opens a simulation's scenes as data, and nothing else without data", async () => {
		const scene = { timestamp_us: 1, ego: { pose: [0, 0, 0] } };
		const scenes = { "1.json": JSON.stringify(scene), "2.json": "" };
		expect(await dropped(scenes, 1)).toEqual([["open", "1.json"]]);
		expect(await dropped(scenes, 1, "idle")).toEqual([["open", "1.json"]]);
		expect(await dropped({ "notes.json": "{}" }, 1, "idle")).toEqual([
			"notes.json: needs a data set; open the data first",
		]);
	});

	it("a config has the key of its raster, in JSON or YAML", () => {
		expect(documentKind('{"raster_params":{"map_type":"box"}}')).toBe("config");
		expect(documentKind("# a\nraster_params :\n")).toBe("config");
		expect(documentKind("no_raster_params: 1")).toBe("unknown");
		expect(documentKind("")).toBe("unknown");
	});
});
