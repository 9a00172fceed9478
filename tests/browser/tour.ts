import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { GOLDENS } from "../support/goldens.js";
import * as app from "./viewer-harness.js";

const TOWN = fileURLToPath(new URL("../../build/town", import.meta.url));

/** ONNX Runtime Web, with lock file scripts/node/tensors. */
export const RUNTIME = fileURLToPath(
	new URL("../../build/tensors/node_modules/onnxruntime-web/dist", import.meta.url),
);

/** L5Kit's layout: the synthetic town, and a recorded scene with a synthetic map. */
export const useTour = () =>
	app.useViewer(() => withGoldens({ "/town/": TOWN, "/app/ort/": RUNTIME }));

/** Serves folders and, where goldens are present, L5Kit's layout of these at `/l5/`. */
export function withGoldens(
	folders: Readonly<Record<string, string>>,
	map = "town_map.pb",
): app.More {
	if (!GOLDENS) return { folders };
	const read = (name: string) => readFileSync(`${GOLDENS}/inputs/${name}`);
	return {
		folders: { ...folders, "/l5/scenes/": `${GOLDENS}/inputs` },
		objects: new Map([
			["/l5/semantic_map/semantic_map.pb", read(map)],
			["/l5/meta.json", read("meta.json")],
		]),
	};
}

/** Their addresses, and whether they are available. */
export const PLACES = [
	{
		name: "the town",
		src: "/town/scenes/town.zarr",
		path: `${TOWN}/scenes/town.zarr`,
		there: true,
	},
	{
		name: "a recorded scene",
		src: "/l5/scenes/single_scene.zarr",
		path: `${GOLDENS}/inputs/single_scene.zarr`,
		there: Boolean(GOLDENS),
	},
];

/** Opens one of them at frame 90, or where `more` says. */
export async function openPlace(
	suite: app.ViewerSuite,
	src: string,
	more = "&f=90",
	options: app.OpenOptions = {},
): Promise<app.Opened> {
	const link = `v=1&src=${src}${more}`;
	const opened = await app.openApp(suite, { link, reducedMotion: true, ...options });
	await app.settled(opened.page);
	return opened;
}

/** Returns a function that writes a file, and returns its path; removed after the tests. */
export function useFiles(): (name: string, text: string | Buffer) => string {
	const folder = mkdtempSync(join(tmpdir(), "bev-tour-"));
	afterAll(() => rmSync(folder, { recursive: true }));
	return (name, text) => {
		const path = join(folder, name);
		writeFileSync(path, text);
		return path;
	};
}

const STEPS = 10;

/** Timestamp and tracks of a frame. */
type Tracks = readonly [time: string, tracks: readonly string[]];

/** The displayed frame's timestamp and tracks, the nearest to the ego vehicle first. */
export async function shownTracks(page: Page): Promise<Tracks> {
	const controller = await app.controllerOf(page);
	return controller.evaluate(async ({ state: { dataset, shown } }) => {
		if (!dataset || !shown) throw new Error("no frame is displayed");
		const at = shown.frame;
		const rows = await dataset.frames.rows(at, at + 1, { fields: ["timestamp"] });
		const { track_id, centroid } = shown.agents;
		const [x = 0, y = 0] = shown.ego.centroid;
		const far = (i: number) =>
			Math.hypot((centroid[2 * i] ?? 0) - x, (centroid[2 * i + 1] ?? 0) - y);
		const order = [...track_id.keys()].sort((a, b) => far(a) - far(b));
		const tracks = order.map((i) => String(track_id[i]));
		return [String(rows.column("timestamp").data[0]), tracks] as const;
	});
}

/** Returns predictions of standing agents, one of them `metres` off. */
export function predictions(
	[time, tracks]: Tracks,
	[off, metres]: readonly [string, number],
): string {
	const steps = [...Array(STEPS).keys()].map((k) => `0${k}`);
	const head = ["timestamp", "track_id", "conf_0"];
	const lines = [[...head, ...steps.flatMap((k) => [`coord_x${k}`, `coord_y${k}`])]];
	for (const track of tracks) {
		const x = track === off ? String(metres) : "0";
		lines.push([time, track, "1", ...steps.flatMap(() => [x, "0"])]);
	}
	return lines.map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** A picture of the viewer. */
export interface Seen {
	/** The camera: x, y, metres across the shorter side, radians. */
	readonly camera: readonly number[];
	/** Number of pixels in each colour. */
	readonly pixels: readonly number[];
}

/** Returns what the pictures show, in the order of the page. */
export function pictures(
	page: Page,
	colours: readonly (readonly number[])[],
): Promise<readonly Seen[]> {
	return page.evaluate((wanted) => {
		const { renderRoot } = document.querySelector<Viewer>("bev-viewer") ?? {};
		return [...(renderRoot?.querySelectorAll("bev-scene-view") ?? [])].map((view) => {
			const { canvas, target } = view;
			const ctx = canvas?.getContext("2d");
			if (!canvas || !ctx) throw new Error("there is no picture");
			const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
			const count = (colour: readonly number[]): number => {
				let found = 0;
				for (let i = 0; i < data.length; i += 4) {
					const far = colour.map((c, k) => Math.abs(c - (data[i + k] ?? 0)));
					if (Math.max(...far) < 12) found += 1;
				}
				return found;
			};
			const span = Math.min(target.width, target.height) / target.pixelsPerMetre;
			return {
				camera: [target.x, target.y, span, target.rotation],
				pixels: wanted.map(count),
			};
		});
	}, colours);
}
