import type { AbortOptions } from "../api.js";
import type { ResultArrays } from "../arrays/result.js";
import { BevError } from "../base/errors.js";
import type { Given, Handle, OperationName } from "../core/core.js";
import type { Source } from "../source/source.js";
import { askArrays, type Client } from "../worker/client.js";
import { keeping, type Passed, valueBy } from "../worker/protocol.js";
import { askObject, free, newId } from "../worker/remote-object.js";
import type { MapQuestions, MapView } from "./map-view.js";
import { mapView } from "./views.js";

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
	const map = await keepMap(client, pb, meta, options);
	const ask: Ask = (name, given, wish) =>
		askArrays(client, valueBy(name, given, { map }), wish);
	const arrays = await ask("map_arrays", {}, options).catch((error: unknown) => {
		free(client, map);
		throw error;
	});
	return mapView(arrays, {
		...questions(ask),
		release() {
			arrays.release();
			free(client, map);
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
	await askObject(client, keeping(id, "map", { pb, meta }), options);
	return id;
}

type Ask = <Name extends OfMap>(
	name: Name,
	given: Passed<Name, "map">,
	wish: AbortOptions,
) => Promise<ResultArrays>;
type OfMap = {
	[Name in OperationName]: Given<Name> extends { map: Handle<"Map"> } ? Name : never;
}[OperationName];

/** Returns the queries that only the core can answer. */
function questions(ask: Ask): MapQuestions {
	const near =
		(name: "lanes_near" | "crosswalks_near"): MapView["lanesNear"] =>
		async (x, y, radius, wish = {}) =>
			(await ask(name, { x, y, radius }, wish)).view("values", Uint32Array);
	return {
		lanesNear: near("lanes_near"),
		crosswalksNear: near("crosswalks_near"),
		async laneColours(faces, wish = {}) {
			const answer = await ask("lane_colours", { faces }, wish);
			return answer.view("values", Uint8Array);
		},
		async laneLines(lane, { count, metres, signal }) {
			if (count === undefined && metres === undefined) {
				throw new BevError(
					"invalid_argument",
					"laneLines: missing option (expected count or metres)",
				);
			}
			const lines = await (count === undefined
				? ask("lane_by_metres", { lane, step: metres ?? 0 }, { signal })
				: ask("lane_by_count", { lane, count }, { signal }));
			const points = (name: string): Float64Array => lines.view(name, Float64Array);
			return { left: points("left"), right: points("right"), mid: points("mid") };
		},
		async lightFeature(lane, faces, wish = {}) {
			const answer = await ask("light_feature", { lane, faces }, wish);
			return answer.view("values", Uint8Array)[0] ?? Number.NaN;
		},
		async geodetic(x, y, z = 0, wish = {}) {
			const answer = await ask("geodetic", { x, y, z }, wish);
			const [latitude = Number.NaN, longitude = Number.NaN, altitude = Number.NaN] =
				answer.view("values", Float64Array);
			return { latitude, longitude, altitude };
		},
	};
}
