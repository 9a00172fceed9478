import type { LoadOptions, LoadProgress } from "../../api.js";
import { ChunkedDataset } from "../../dataset/dataset.js";
import { isHostAddress, withoutHost } from "../../dataset/resolve.js";
import { FetchSource } from "../../source/fetch-source.js";
import { beside } from "../../source/url.js";
import type { Opened, OpenerOptions, Place } from "../session/dataset.js";
import { type OpenDataset, openedOf } from "./opened.js";
import { archivePlace, foldersAround, inArchive, MAP_KEYS, nameOf } from "./places.js";

const WHAT: Readonly<Record<LoadProgress["phase"], string>> = {
	core: "Loading the reader",
	metadata: "Reading metadata",
};

/**
 * Waymo's, ScenarioNet's, nuPlan's and CommonRoad's files; Argoverse 2's files, and their folders,
 * whose name is a UUID; folders of versions of nuScenes.
 */
const SCENARIO =
	/(\.tfrecord[-0-9a-z]*|\.parquet|\.pkl|\.(msgpack|pkl)\.xz|\.db|\.xml|\/(v\d+\.\d+-[a-z]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?)$/i;

type Address = Extract<Place, { kind: "address" }>;

async function openAddress(
	place: Address,
	open: OpenDataset,
	progress: OpenerOptions,
): Promise<Opened> {
	const { address } = place;
	const isHost = isHostAddress(address);
	const href = isHost ? address : new URL(address, document.baseURI).href;
	const { path, folder } = inArchive(href);
	const url = new URL(await withoutHost(path));
	const around = () => foldersAround(url).map((folder) => new FetchSource(folder));
	const parent = () => new FetchSource(beside(url, "../"));
	if (SCENARIO.test(url.pathname)) {
		const { openScenarioAt } = await import("./open-scenarios.js");
		const opened = await openScenarioAt(url, { ...progress, open });
		if (opened) return opened;
	}
	if (/\.csv$/i.test(url.pathname)) {
		const { openTracksAt } = await import("./open-tracks.js");
		const opened = await openTracksAt(url, { ...progress, open });
		if (opened) return opened;
	}
	if (!url.pathname.endsWith(".zip")) {
		const own = () => new FetchSource(url);
		const dataset = await open(url);
		return openedOf({
			dataset,
			folders: around,
			own,
			beside: parent,
			mapKeys: MAP_KEYS,
		});
	}
	const { openArchive } = await import("./open-zip.js");
	const { dataset, folders: inside } = await openArchive(url, {
		open,
		folder,
		name: nameOf(path),
		placeOf: (store) => ({ ...place, address: archivePlace(path, store) }),
	});
	const folders = () => [...inside(), ...around()];
	return openedOf({ dataset, folders, beside: parent, mapKeys: MAP_KEYS });
}

/** Opens an address or files with this package's reader. */
export async function openPlace(
	place: Place,
	{ signal, onProgress }: OpenerOptions,
	load?: LoadOptions,
): Promise<Opened> {
	if (place.kind === "given") return place.opened;
	const options = {
		signal,
		load,
		onProgress: ({ phase, ...progress }: LoadProgress) =>
			onProgress?.({ what: WHAT[phase], ...progress }),
	};
	const open: OpenDataset = (from, folder) =>
		ChunkedDataset.open(from, { ...options, folder });
	try {
		if (place.kind === "address")
			return await openAddress(place, open, { signal, onProgress });
		const { openFiles } = await import("./open-files.js");
		return await openFiles(place, open, { signal, onProgress });
	} catch (error) {
		if (signal?.aborted) throw error;
		const { diagnosed } = await import("./open-diagnosis.js");
		throw await diagnosed(error, place, signal);
	}
}
