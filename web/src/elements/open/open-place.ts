import type { AbortOptions, LoadOptions, LoadProgress, ObjectFrom } from "../../api.js";
import { ChunkedDataset } from "../../dataset.js";
import { BevError } from "../../errors.js";
import type { MapView } from "../../map-view.js";
import { SharedTask } from "../../shared-task.js";
import { FetchSource } from "../../source/fetch-source.js";
import { MemorySource } from "../../source/memory-source.js";
import type { Source } from "../../source/source.js";
import type { AerialView } from "../aerial/aerial.js";
import type { ReadMap } from "../map/open-map.js";
import type { RasterSource } from "../raster/rasters.js";
import type { Opened, OpenerOptions, Place } from "../session/dataset.js";
import {
	archivePlace,
	foldersAround,
	inArchive,
	MAP_KEYS,
	type MapPlace,
	nameOf,
} from "./places.js";

const WHAT: Readonly<Record<LoadProgress["phase"], string>> = {
	core: "Loading the reader",
	metadata: "Reading metadata",
};

/** Required arrays. */
const ARRAYS = ["scenes", "frames", "agents"] as const;

type Address = Extract<Place, { kind: "address" }>;

/** Opens a data set with the package's reader. */
export type OpenDataset = (
	from: Parameters<typeof ChunkedDataset.open>[0],
	folder?: string,
) => Promise<ChunkedDataset>;

/** A data set and its surrounding folders. */
export interface Surroundings {
	readonly dataset: ChunkedDataset;
	/** Folders that may contain map, configs and aerial image, the most likely first. */
	readonly folders: () => readonly Source[];
	/** Keys of maps relative to those folders. */
	readonly mapKeys: readonly MapPlace<string>[];
}

/**
 * Returns the first map in `folders`. Reads `meta.json` first: if it is absent, the map
 * is not requested, since it could not be placed.
 */
async function firstMap(
	{ dataset, folders, mapKeys }: Surroundings,
	options: AbortOptions,
): Promise<MapView | undefined> {
	for (const source of folders()) {
		for (const { map, meta } of mapKeys) {
			const bytes = await source.read(meta, { ...options, required: false });
			if (!bytes) continue;
			const held = new MemorySource(new Map([[meta, bytes]]));
			const found = await dataset.map(
				{ source, key: map },
				{ source: held, key: meta },
				options,
			);
			if (found) return found;
		}
	}
	return undefined;
}

function readerOf(dataset: ChunkedDataset): ReadMap {
	return (map: ObjectFrom, meta: ObjectFrom, options) =>
		dataset.map(map, meta, options);
}

/** Loads the sampling code on first use. */
function lazyRasters(
	dataset: ChunkedDataset,
	folders: () => readonly Source[],
): RasterSource {
	const rasters = new SharedTask(async () => {
		const { rastersOf } = await import("../raster/open-rasters.js");
		return rastersOf(dataset, folders());
	});
	return {
		findConfig: async (options) => (await rasters.join()).findConfig(options),
		open: async (config, options) => (await rasters.join()).open(config, options),
	};
}

async function lazyAerial(
	folders: readonly Source[],
	options: AbortOptions,
): Promise<AerialView | undefined> {
	const { findAerialIn } = await import("../aerial/open-aerial.js");
	return findAerialIn(folders, options);
}

/** Closes the data set and throws if it is not a driving data set. */
function requireArrays(dataset: ChunkedDataset): void {
	const { arrays } = dataset.description;
	const absent = ARRAYS.filter((name) => arrays[name] === undefined);
	if (absent.length === 0) return;
	dataset.close();
	const found = Object.keys(arrays).filter((name) => name !== "");
	const error =
		arrays[""] !== undefined
			? "single array (expected its data set)"
			: `array ${absent.join(", ")}: missing (found ${found.join(", ") || "no arrays"}, expected ${ARRAYS.join(", ")})`;
	const key = arrays[""] === undefined ? `${absent[0]}/.zarray` : undefined;
	throw new BevError("missing_key", error, { key });
}

/** Returns the viewer's interface to a data set and its surrounding folders. */
export function openedOf(around: Surroundings): Opened {
	const { dataset, folders } = around;
	requireArrays(dataset);
	return {
		dataset,
		findMap: (options) => firstMap(around, options),
		readMap: readerOf(dataset),
		findAerial: (options) => lazyAerial(folders(), options),
		rasters: lazyRasters(dataset, folders),
		selectScene: async (scene, rules, options) => {
			const { selectScene } = await import("../../samples/selection.js");
			return selectScene(dataset, scene, rules, options);
		},
	};
}

async function openAddress(place: Address, open: OpenDataset): Promise<Opened> {
	const { href } = new URL(place.address, document.baseURI);
	const { path, folder } = inArchive(href);
	const url = new URL(path);
	const around = () => foldersAround(url).map((folder) => new FetchSource(folder));
	if (!url.pathname.endsWith(".zip")) {
		return openedOf({ dataset: await open(url), folders: around, mapKeys: MAP_KEYS });
	}
	const { openArchive } = await import("./open-zip.js");
	const { dataset, folders: inside } = await openArchive(url, {
		open,
		folder,
		name: nameOf(path),
		placeOf: (store) => ({ ...place, address: archivePlace(path, store) }),
	});
	const folders = () => [...inside(), ...around()];
	return openedOf({ dataset, folders, mapKeys: MAP_KEYS });
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
		if (place.kind === "address") return await openAddress(place, open);
		const { openFiles } = await import("./open-files.js");
		return await openFiles(place, open);
	} catch (error) {
		if (signal?.aborted) throw error;
		const { diagnosed } = await import("./open-diagnosis.js");
		throw await diagnosed(error, place, signal);
	}
}
