import type { AbortOptions, ObjectFrom } from "../../api.js";
import { BevError } from "../../base/errors.js";
import type { ChunkedDataset } from "../../dataset/dataset.js";
import type { MapView } from "../../dataset/map-view.js";
import { MemorySource, type Source } from "../../source/source.js";
import type { AerialView } from "../aerial/aerial.js";
import type { ReadMap } from "../map/open-map.js";
import type { RasterSource } from "../raster/rasters.js";
import type { Opened } from "../session/dataset.js";
import type { MapPlace } from "./places.js";

/** Required arrays. */
const ARRAYS = ["scenes", "frames", "agents"] as const;

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
	/** The data set's own folder, which contains the map of a converted data set. */
	readonly own?: (() => Source) | undefined;
	/** The folder that contains the data set. */
	readonly beside?: () => Source;
	/** Keys of maps relative to those folders. */
	readonly mapKeys: readonly MapPlace<string>[];
}

/**
 * Returns the first map in `folders`. Reads `meta.json` first: if it is absent, the map
 * is not requested, since it could not be placed.
 */
async function firstMap(
	{ dataset, folders, mapKeys }: Omit<Surroundings, "own">,
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

/** Whether the data set was converted, with its map in its own folder. */
function containsMap({ attrs }: ChunkedDataset): boolean {
	const { bevscope } = attrs;
	return typeof bevscope === "object" && bevscope !== null && "map" in bevscope;
}

/** Returns the folders that may contain map, configs and aerial image. */
function foldersOf({ dataset, folders, own }: Surroundings): () => readonly Source[] {
	return own && containsMap(dataset) ? () => [own(), ...folders()] : folders;
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
	const rasters = async () => {
		const { rastersOf } = await import("../raster/open-rasters.js");
		return rastersOf(dataset, folders);
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
	const { dataset, mapKeys } = around;
	requireArrays(dataset);
	const folders = foldersOf(around);
	return {
		dataset,
		beside: around.beside,
		findMap: (options) => firstMap({ dataset, folders, mapKeys }, options),
		readMap: readerOf(dataset),
		findAerial: (options) => lazyAerial(folders(), options),
		rasters: lazyRasters(dataset, folders),
		edited: (of) => openedOf({ ...around, folders, own: undefined, dataset: of }),
		selectScene: async (scene, rules, options) => {
			const { selectScene } = await import("../../samples/selection.js");
			return selectScene(dataset, scene, rules, options);
		},
	};
}
