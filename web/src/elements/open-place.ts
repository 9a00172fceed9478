import type {
	AbortOptions,
	DatasetFrom,
	LoadOptions,
	LoadProgress,
	ObjectFrom,
} from "../api.js";
import { ChunkedDataset } from "../dataset.js";
import { BevError } from "../errors.js";
import type { MapView } from "../map-view.js";
import { FetchSource } from "../source/fetch-source.js";
import { FileSource } from "../source/file-source.js";
import type { Source } from "../source/source.js";
import type { AerialView } from "./aerial.js";
import type { Opened, OpenerOptions, Place } from "./dataset.js";
import type { ReadMap } from "./open-map.js";
import {
	folderKeys,
	foldersAround,
	type MapPlace,
	mapAddresses,
	mapKeys,
} from "./pure/places.js";
import type { RasterSource } from "./rasters.js";

const WHAT: Readonly<Record<LoadProgress["phase"], string>> = {
	core: "Loading the reader",
	metadata: "Reading the metadata",
};

/** The first map there is among `places`. */
async function firstMap(
	dataset: ChunkedDataset,
	places: readonly MapPlace<ObjectFrom>[],
	options: AbortOptions,
): Promise<MapView | undefined> {
	for (const { map, meta } of places) {
		const found = await dataset.map(map, meta, options);
		if (found) return found;
	}
	return undefined;
}

function readerOf(dataset: ChunkedDataset): ReadMap {
	return (map, meta, options) => dataset.map(map, meta, options);
}

async function openFolder(
	files: FileSource,
	open: (root: string | undefined) => Promise<ChunkedDataset>,
): Promise<Opened> {
	const [root] = await files.roots();
	if (root === undefined && !(await files.onlyZip())) {
		throw new BevError(
			"missing_key",
			"the folder holds no zarr: no .zgroup was found in it",
		);
	}
	const dataset = await open(root);
	const below = () => folderKeys(root ?? "").map((folder) => files.below(folder));
	const places = mapKeys(root ?? "").map(({ map, meta }) => ({
		map: { source: files, key: map },
		meta: { source: files, key: meta },
	}));
	return {
		dataset,
		findMap: (options) => firstMap(dataset, places, options),
		readMap: readerOf(dataset),
		findAerial: (options) => lazyAerial(below(), options),
		rasters: lazyRasters(dataset, below),
	};
}

/** Loads what makes samples when it is asked for. */
function lazyRasters(dataset: ChunkedDataset, folders: () => Source[]): RasterSource {
	let made: Promise<RasterSource> | undefined;
	const rasters = (): Promise<RasterSource> => {
		made ??= import("./open-rasters.js").then(({ rastersOf }) =>
			rastersOf(dataset, folders()),
		);
		return made;
	};
	return {
		findConfig: async (options) => (await rasters()).findConfig(options),
		open: async (config, options) => (await rasters()).open(config, options),
	};
}

async function lazyAerial(
	folders: readonly Source[],
	options: AbortOptions,
): Promise<AerialView | undefined> {
	const { findAerialIn } = await import("./open-aerial.js");
	return findAerialIn(folders, options);
}

/** Opens an address or a folder with this package's own reader. */
export async function openPlace(
	place: Place,
	{ signal, onProgress }: OpenerOptions,
	load?: LoadOptions,
): Promise<Opened> {
	if (place.kind === "given") return place.opened;
	const options = {
		signal,
		load,
		onProgress: ({ phase, bytes, requests }: LoadProgress) =>
			onProgress?.({ what: WHAT[phase], bytes, requests }),
	};
	if (place.kind === "files") {
		const files = new FileSource(place.files);
		const from = (root: string | undefined): DatasetFrom =>
			root === undefined ? place.files : files.below(root);
		return openFolder(files, (root) => ChunkedDataset.open(from(root), options));
	}
	const url = new URL(place.address, document.baseURI);
	const dataset = await ChunkedDataset.open(url, options);
	const around = () => foldersAround(url).map((folder) => new FetchSource(folder));
	return {
		dataset,
		findMap: (abort) => firstMap(dataset, mapAddresses(url), abort),
		readMap: readerOf(dataset),
		findAerial: (abort) => lazyAerial(around(), abort),
		rasters: lazyRasters(dataset, around),
	};
}
