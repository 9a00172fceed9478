import type { AbortOptions, ObjectFrom } from "../api.js";
import type { CoreDataKeys } from "../core/options.js";
import { BevError } from "../errors.js";
import { absentObject, keepMap } from "../maps.js";
import { resolveObject, resolveRoot } from "../resolve.js";
import type { Source } from "../source/source.js";
import type { Client } from "../worker/client.js";
import { askKept, free, newId } from "../worker/kept.js";
import type { Pixels } from "../worker/protocol.js";
import type { SampleOptions } from "./options.js";

/** The maps of a sampler. Its client keeps them until they are freed. */
export interface SampleMaps {
	readonly map?: number;
	readonly aerial?: number;
}

/** Reads the map files that `config` refers to, from the locations in `options`. */
export async function loadSampleMaps(
	client: Client,
	config: string,
	dataset: Source,
	options: SampleOptions,
): Promise<SampleMaps> {
	const { vectorized = false, signal } = options;
	const keys = await dataKeys(client, config, vectorized, { signal });
	const read = async (what: keyof CoreDataKeys, given: ObjectFrom | undefined) => {
		const from = given ?? (await keyed(keys[what], options.root, dataset));
		return readObject(what, from, dataset, { signal });
	};
	const [meta, pb, image] = await Promise.all([
		keys.meta === undefined ? undefined : read("meta", options.meta),
		keys.semantic_map === undefined ? undefined : read("semantic_map", options.map),
		keys.aerial_image === undefined
			? undefined
			: isPixels(options.aerial)
				? options.aerial
				: read("aerial_image", options.aerial),
	]);
	const maps: { map?: number; aerial?: number } = {};
	try {
		if (meta && pb) maps.map = await keepMap(client, pb, meta, { signal });
		if (meta && image) maps.aerial = await keepAerial(client, image, meta, { signal });
		return maps;
	} catch (error) {
		freeSampleMaps(client, maps);
		throw error;
	}
}

/** Decodes an aerial image in the engine, which keeps it; returns its id. */
async function keepAerial(
	client: Client,
	image: Uint8Array | Pixels,
	meta: Uint8Array,
	options: AbortOptions,
): Promise<number> {
	const id = newId();
	await askKept(client, { kind: "aerial", id, image, meta }, options);
	return id;
}

export function freeSampleMaps(client: Client, { map, aerial }: SampleMaps): void {
	if (map !== undefined) free(client, map);
	if (aerial !== undefined) free(client, aerial);
}

/** Returns the files that `config` refers to, by the config's names. */
async function dataKeys(
	client: Client,
	config: string,
	vectorized: boolean,
	options: AbortOptions,
): Promise<CoreDataKeys> {
	const { text } = await client.ask({ kind: "data-keys", config, vectorized }, options);
	const [meta, map, aerial] = JSON.parse(text ?? "[]") as string[];
	return {
		...(meta && { meta }),
		...(map && { semantic_map: map }),
		...(aerial && { aerial_image: aerial }),
	};
}

/** Returns a key below the root, like L5Kit's LocalDataManager. */
async function keyed(
	key: string | undefined,
	root: SampleOptions["root"],
	dataset: Source,
): Promise<ObjectFrom | undefined> {
	if (key === undefined || root === undefined) return undefined;
	return { source: await resolveRoot(root, dataset), key };
}

async function readObject(
	what: string,
	from: ObjectFrom | undefined,
	dataset: Source,
	{ signal }: AbortOptions,
): Promise<Uint8Array> {
	if (from === undefined) {
		throw new BevError(
			"invalid_argument",
			`${what}: required by the config (expected it, or a root)`,
		);
	}
	const object = await resolveObject(from, dataset);
	const bytes = await object.source.read(object.key, { signal });
	if (bytes) return bytes;
	throw absentObject(what, object);
}

function isPixels(image: SampleOptions["aerial"]): image is Pixels {
	return typeof image === "object" && "data" in image;
}
