import { describe, expect, it } from "vitest";
import { mayBeTracks, tracksIn } from "../../../src/elements/open/tracks-in.js";
import { FileSource } from "../../../src/source/file-source.js";
import type { Folder } from "../../../src/source/folder.js";

const HEADER = "track_id,frame_id,timestamp_ms,agent_type,x,y,vx,vy";

/** A folder in memory that counts its listings. */
function folderOf(paths: Readonly<Record<string, string>>): {
	folder: Folder;
	listed: string[];
} {
	const listed: string[] = [];
	const list = async (path: string) => {
		listed.push(path);
		const start = path === "" || path.endsWith("/") ? path : `${path}/`;
		const below = Object.keys(paths).filter((one) => one.startsWith(start));
		const rest = below.map((one) => one.slice(start.length).split("/"));
		const names = (deep: boolean) =>
			rest.filter(({ length }) => length > 1 === deep).map(([name = ""]) => name);
		return { files: names(false), folders: [...new Set(names(true))] };
	};
	const file = async (path: string) =>
		paths[path] === undefined ? undefined : new Blob([paths[path]]);
	return { folder: { file, list }, listed };
}

describe("tracks in folders", () => {
	it("are tables with the names of INTERACTION's columns", async () => {
		expect(await mayBeTracks(new Blob([`${HEADER}\r\n1,2`]))).toBe(true);
		expect(await mayBeTracks(new Blob([`case_id,${HEADER}`]))).toBe(true);
		expect(await mayBeTracks(new Blob(["timestamp,track_id\nagent_type"]))).toBe(false);
		expect(await mayBeTracks(new Blob([""]))).toBe(false);
	});

	it("are found with their maps, three levels deep", async () => {
		const { folder } = folderOf({
			"maps/A.osm": "",
			"val/A_val.csv": HEADER,
			"val/notes.csv": "a,b",
			"x/recorded/A/vehicle_tracks_000.csv": HEADER,
			"x/y/z/w/A_val.csv": HEADER,
		});
		expect(await tracksIn(new FileSource(folder))).toEqual({
			tracks: ["val/A_val.csv", "x/recorded/A/vehicle_tracks_000.csv"],
			maps: ["maps/A.osm"],
		});
	});

	it("are not searched in a store", async () => {
		const { folder, listed } = folderOf({
			".zgroup": "{}",
			"agents/0": "",
			"agents/a.csv": HEADER,
		});
		expect((await tracksIn(new FileSource(folder))).tracks).toEqual([]);
		expect(listed).toEqual([""]);
	});
});
