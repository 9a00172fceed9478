import type { Core, Handle } from "../core/core.js";
import { bytesOf, naming, wholeOf } from "./files.js";
import type { ConvertRequest, TracksAnswer, TracksRequest } from "./protocol.js";

/** Bytes of a track file that contain its first line. */
const HEAD_BYTES = 4098;

/** Finds the scenarios of a track file of INTERACTION. */
export function findTracks(
	core: Core,
	{ file, name, maps }: TracksRequest,
): Promise<TracksAnswer> {
	return naming(name, async () => {
		const text = new Uint8Array(await wholeOf(file));
		const limits = [...core.run("interaction_cases", { text })];
		const asked = { path: name, maps: [...maps] };
		const [location = "", pedestrians = "", map = ""] = core.run(
			"interaction_names",
			asked,
		);
		const cases = limits.flatMap((begin, i): [number, number][] =>
			i % 2 === 0 ? [[begin, limits[i + 1] ?? begin]] : [],
		);
		return { cases, location, pedestrians, map };
	});
}

/** Reads a scenario of INTERACTION. */
export async function readInteraction(
	core: Core,
	converter: Handle<"Converter">,
	request: Extract<ConvertRequest, { kind: "interaction" }>,
): Promise<void> {
	const { file, name: path, begin, end, pedestrians, map, ego } = request;
	const whole = async (blob: Blob | undefined) =>
		blob && new Uint8Array(await wholeOf(blob));
	core.run("read_interaction", {
		converter,
		path,
		head: await bytesOf(file, 0, Math.min(HEAD_BYTES, begin)),
		rows: await bytesOf(file, begin, end),
		pedestrians: await whole(pedestrians),
		map: await whole(map?.file),
		ego,
	});
}
