import type { AbortOptions, ObjectFrom } from "../api.js";
import { BevError } from "../base/errors.js";
import { absentObject, keepMap } from "../dataset/maps.js";
import { resolveObject, resolveRoot } from "../dataset/resolve.js";
import type { Source } from "../source/source.js";
import type { Client } from "../worker/client.js";
import { type Pixels, valueBy } from "../worker/protocol.js";
import { askObject, free, newId } from "../worker/remote-object.js";
import type { SampleOptions } from "./options.js";

/** The maps of a sampler. Its client keeps them until they are freed. */
export type SampleMaps = { readonly map?: number; readonly aerial?: number };

/** The files of a config, in the order of `NAMES`; "" for none. */
type Keys = readonly string[];

const NAMES = ["meta", "semantic_map", "aerial_image"];

/** Reads the map files that `config` refers to, from the locations in `options`. */
export async function loadSampleMaps(
	client: Client,
	config: string,
	dataset: Source,
	options: SampleOptions,
): Promise<SampleMaps> {
	const { vectorized = false, signal } = options;
	const keys = await dataKeys(client, config, vectorized, { signal });
	const make = (by: Client, within?: AbortSignal) =>
		makeMaps(by, keys, dataset, { ...options, signal: within });
	const { shared } = client;
	if (!shared) return make(client, signal);
	return shared.take(placeOf(keys, options), make, signal);
}

async function makeMaps(
	client: Client,
	keys: Keys,
	dataset: Source,
	options: SampleOptions,
): Promise<SampleMaps> {
	const { signal } = options;
	const given = givenIn(options);
	const read = async (what: string, i: number) => {
		const [key, own] = [keys[i], given[i]];
		if (!key || isPixels(own)) return key ? (own as Pixels) : undefined;
		const from = own ?? (await keyed(key, options.root, dataset));
		return readObject(what, from, dataset, { signal });
	};
	const [meta, pb, image] = (await Promise.all(NAMES.map(read))) as [
		Uint8Array?,
		Uint8Array?,
		(Uint8Array | Pixels)?,
	];
	const maps: { map?: number; aerial?: number } = {};
	try {
		if (meta && pb) maps.map = await keepMap(client, pb, meta, { signal });
		if (meta && image) maps.aerial = await keepAerial(client, image, meta, { signal });
		return maps;
	} catch (error) {
		freeAll(client, maps);
		throw error;
	}
}

function givenIn({ meta, map, aerial }: SampleOptions) {
	return [meta, map, aerial] as const;
}

const numbers = new WeakMap<object, number>();

/** Identifies a source, or another object. */
function numberOf(object: object): number {
	const number = numbers.get(object) ?? newId();
	numbers.set(object, number);
	return number;
}

/** Returns a text that is the same for the same objects of one data set. */
function placeOf(keys: Keys, options: SampleOptions): string {
	const named = (from: string | URL | object | undefined) =>
		typeof from === "object" && !(from instanceof URL) ? numberOf(from) : from;
	const given = givenIn(options);
	const places = keys.map((key, i) => {
		const own = given[i];
		if (!key || own === undefined) return [key, key && named(options.root)];
		const isPlace = typeof own === "object" && "source" in own;
		return isPlace ? [numberOf(own.source), own.key, 0] : [named(own)];
	});
	return JSON.stringify(places);
}

/** Decodes an aerial image in the engine, which keeps it; returns its id. */
async function keepAerial(
	client: Client,
	image: Uint8Array | Pixels,
	meta: Uint8Array,
	options: AbortOptions,
): Promise<number> {
	const id = newId();
	await askObject(client, { kind: "aerial", id, image, meta }, options);
	return id;
}

/** Frees what `loadSampleMaps` has returned, unless other samplers use it. */
export function freeSampleMaps(client: Client, maps: SampleMaps): void {
	if (client.shared) client.shared.release(maps);
	else freeAll(client, maps);
}

function freeAll(client: Client, { map, aerial }: SampleMaps): void {
	if (map !== undefined) free(client, map);
	if (aerial !== undefined) free(client, aerial);
}

/** Returns the files of a config, see the operation `data_keys`. */
async function dataKeys(
	client: Client,
	config: string,
	vectorized: boolean,
	options: AbortOptions,
): Promise<Keys> {
	const query = valueBy("data_keys", { config, vectorized });
	const { text } = await client.ask(query, options);
	return JSON.parse(text ?? "[]") as string[];
}

/** Returns a key below the root, like L5Kit's LocalDataManager. */
async function keyed(
	key: string,
	root: SampleOptions["root"],
	dataset: Source,
): Promise<ObjectFrom | undefined> {
	if (root === undefined) return undefined;
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

function isPixels(image: SampleOptions["aerial"] | undefined): image is Pixels {
	return typeof image === "object" && "data" in image;
}
