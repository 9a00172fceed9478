import type { AbortOptions } from "./api.js";
import { BevError } from "./errors.js";
import type { MapQuestions, MapView } from "./map-view.js";
import type { ResultArrays } from "./result.js";
import type { Source } from "./source/source.js";
import { mapView } from "./views.js";
import { arraysOf, askArrays, type Client } from "./worker/client.js";
import { askKept, free, newId } from "./worker/kept.js";
import type { MapQuery } from "./worker/protocol.js";

/** An object of a map: its source and key. */
export interface MapObject {
	readonly source: Source;
	readonly key: string;
}

/** Returns the error that an object is absent, with the server's answer. */
export function absentObject(what: string, { source, key }: MapObject): BevError {
	const answer = { key, ...source.absence?.(key) };
	return new BevError("not_found", `${what}: ${key} not found`, answer);
}

/** The objects that maps were read from: the protobuf and its meta.json. */
const places = new WeakMap<MapView, readonly MapObject[]>();

/** Remembers the objects that a map was read from, for `placeOfMap`. */
export function rememberPlace(map: MapView, place: readonly MapObject[]): void {
	places.set(map, place);
}

/** Returns the objects that a map was read from; throws if it was not. */
export function placeOfMap(map: MapView): readonly MapObject[] {
	const found = places.get(map);
	if (found) return found;
	throw new BevError(
		"invalid_argument",
		"map: invalid argument (expected a map of ChunkedDataset.map)",
	);
}

/** Parses a map in `client`, which keeps it until it is released. */
export async function askMap(
	client: Client,
	pb: Uint8Array,
	meta: Uint8Array,
	options: AbortOptions,
): Promise<MapView> {
	const id = newId();
	const query = { kind: "map", id, pb, meta, answered: true } as const;
	const arrays = arraysOf(client, query, await askKept(client, query, options));
	const ask: Ask = (of, wish) => askArrays(client, { ...of, map: id }, wish);
	return mapView(arrays, {
		...questions(ask),
		release() {
			arrays.release();
			free(client, id);
		},
	});
}

/** As `askMap`, for samplers only. Returns the map's id. */
export async function keepMap(
	client: Client,
	pb: Uint8Array,
	meta: Uint8Array,
	options: AbortOptions,
): Promise<number> {
	const id = newId();
	const query = { kind: "map", id, pb, meta, answered: false } as const;
	await askKept(client, query, options);
	return id;
}

type OfMap<T> = T extends { readonly map: number } ? Omit<T, "map"> : never;
type Ask = (query: OfMap<MapQuery>, wish: AbortOptions) => Promise<ResultArrays>;

/** Returns the queries that only the core can answer. */
function questions(ask: Ask): MapQuestions {
	const near =
		(what: "lanes" | "crosswalks"): MapView["lanesNear"] =>
		async (x, y, radius, wish = {}) => {
			const answer = await ask({ kind: "map-near", what, at: [x, y], radius }, wish);
			return answer.view("values", Uint32Array);
		};
	return {
		lanesNear: near("lanes"),
		crosswalksNear: near("crosswalks"),
		async laneColours(faces, wish = {}) {
			const answer = await ask({ kind: "lane-colours", faces }, wish);
			return answer.view("values", Uint8Array);
		},
		async laneLines(lane, { count, metres, signal }) {
			const by = count === undefined ? "metres" : "count";
			const step = count ?? metres;
			if (step === undefined) {
				throw new BevError(
					"invalid_argument",
					"laneLines: missing option (expected count or metres)",
				);
			}
			const lines = await ask({ kind: "lane-lines", lane, by, step }, { signal });
			const points = (name: string): Float64Array => lines.view(name, Float64Array);
			return { left: points("left"), right: points("right"), mid: points("mid") };
		},
		async lightFeature(lane, faces, wish = {}) {
			const answer = await ask({ kind: "light-feature", lane, faces }, wish);
			return answer.view("values", Uint8Array)[0] ?? Number.NaN;
		},
		async geodetic(x, y, z = 0, wish = {}) {
			const answer = await ask({ kind: "geodetic", at: [x, y, z] }, wish);
			const [latitude = Number.NaN, longitude = Number.NaN, altitude = Number.NaN] =
				answer.view("values", Float64Array);
			return { latitude, longitude, altitude };
		},
	};
}
