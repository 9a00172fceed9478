import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GOLDENS } from "../support/goldens.js";
import * as app from "./viewer-harness.js";

const TOWN = fileURLToPath(new URL("../../build/town", import.meta.url));

/** L5Kit's layout: the synthetic town, and a recorded scene with a synthetic map. */
export const useTour = () =>
	app.useViewer(() => {
		const folders = { "/town/": TOWN };
		if (!GOLDENS) return { folders };
		const read = (name: string) => readFileSync(`${GOLDENS}/inputs/${name}`);
		return {
			folders: { ...folders, "/l5/scenes/": `${GOLDENS}/inputs` },
			objects: new Map([
				["/l5/semantic_map/semantic_map.pb", read("town_map.pb")],
				["/l5/meta.json", read("meta.json")],
			]),
		};
	});

/** Their addresses, and whether they are available. */
export const PLACES = [
	{ name: "the town", src: "/town/scenes/town.zarr", there: true },
	{
		name: "a recorded scene",
		src: "/l5/scenes/single_scene.zarr",
		there: Boolean(GOLDENS),
	},
];

export async function openPlace(
	suite: app.ViewerSuite,
	src: string,
	more = "&f=90",
): Promise<app.Opened> {
	const link = `v=1&src=${src}${more}`;
	const opened = await app.openApp(suite, { link, reducedMotion: true });
	await app.settled(opened.page);
	return opened;
}
