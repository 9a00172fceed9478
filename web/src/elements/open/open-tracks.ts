import { BevError } from "../../base/errors.js";
import { Converter } from "../../converting/converter.js";
import { isLaneletMap } from "../../converting/names.js";
import type { TracksAnswer } from "../../converting/protocol.js";
import { FetchSource } from "../../source/fetch-source.js";
import { beside } from "../../source/url.js";
import type { Opened } from "../session/dataset.js";
import {
	explainedFailure,
	type ReadFile,
	type ScenarioOptions,
	takeEgo,
} from "./converted.js";
import { openScenarios } from "./open-scenarios.js";
import { nameOf } from "./places.js";
import type { ScenarioSource } from "./scenario-set.js";
import type { Found } from "./tracks-in.js";

/** Returns the scenarios of a track file, each read when it is opened. */
function sourcesOf(
	path: string,
	file: Blob,
	answer: TracksAnswer,
	read: ReadFile,
): ScenarioSource[] {
	const { cases, pedestrians, map } = answer;
	return cases.map(([begin, end], index) => ({
		name: cases.length > 1 ? `${nameOf(path)} ${index}` : path,
		request: async () => {
			const [walkers, found] = await Promise.all([
				pedestrians === "" ? undefined : read(pedestrians),
				map === "" ? undefined : read(map),
			]);
			const mapFile = found && { file: found, name: map };
			return {
				...({ kind: "interaction", file, name: path } as const),
				...{ begin, end, pedestrians: walkers, map: mapFile },
			};
		},
	}));
}

/** Opens tracks: a scene per recording and case, which is converted when it is shown. */
export async function openTracks(
	{ tracks, maps }: Found,
	read: ReadFile,
	options: ScenarioOptions,
): Promise<Opened> {
	const { signal, onProgress } = options;
	const converter = await Converter.start({ signal });
	const sources: (readonly ScenarioSource[])[] = [];
	const walkers = new Set<string>();
	try {
		let bytes = 0;
		// Vehicles come after pedestrians, whose files are read with theirs.
		for (const path of [...tracks].reverse()) {
			if (walkers.has(path)) continue;
			onProgress?.({ what: "Finding the scenarios", bytes, requests: 0 });
			const file = await read(path);
			if (!file) throw new BevError("not_found", `${path}: not found`);
			const asked = { kind: "tracks", file, name: path, maps } as const;
			const answer = await converter.ask(asked, { signal });
			// Of one that was chosen with the tracks, the name does not matter.
			const [only = `${answer.location}.osm`, ...more] = maps;
			const map = answer.map === "" && more.length === 0 ? only : answer.map;
			sources.push(sourcesOf(path, file, { ...answer, map }, read));
			walkers.add(answer.pedestrians);
			bytes += file.size;
		}
	} catch (error) {
		signal?.throwIfAborted();
		throw explainedFailure(error);
	} finally {
		converter.close();
	}
	return openScenarios(sources.reverse().flat(), options);
}

/**
 * Opens the tracks at a URL, with what lies beside them: pedestrians, and the map in
 * `../maps` or `../../maps`. Returns undefined if there is no such file.
 */
export async function openTracksAt(
	url: URL,
	given: ScenarioOptions,
): Promise<Opened | undefined> {
	const options = { ...given, ...takeEgo(url) };
	const { signal } = options;
	const folder = beside(url, "../");
	const fetched = async (from: URL, name: string) => {
		const source = new FetchSource(from);
		const bytes = await source.read(name, { signal, required: false });
		return bytes && new Blob([bytes as Uint8Array<ArrayBuffer>]);
	};
	const name = nameOf(url.href);
	const file = await fetched(folder, name);
	if (!file) return undefined;
	const path = `${nameOf(folder.href)}/${name}`;
	const read: ReadFile = async (wish) => {
		if (wish === path) return file;
		if (!isLaneletMap(wish)) return fetched(folder, nameOf(wish));
		for (const up of ["../maps/", "../../maps/"]) {
			const map = await fetched(beside(folder, up), wish);
			if (map) return map;
		}
		return undefined;
	};
	return openTracks({ tracks: [path], maps: [] }, read, options);
}
