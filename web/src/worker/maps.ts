import type { CoreArray, CoreMap, CoreModule } from "../core.js";
import type { Handles } from "./handles.js";
import type { MapQuery } from "./protocol.js";

/** Answers a query about a map. Returns views of the core's memory, like a query's. */
export function askMaps(
	maps: Handles<CoreMap>,
	core: CoreModule,
	query: MapQuery,
): readonly CoreArray[] {
	if (query.kind !== "map") return ask(maps.find(query.map), query);
	const map = core.parseMap(query.pb, query.meta);
	maps.add(query.id, map);
	return query.answered ? map.build() : [];
}

type Asked = Exclude<MapQuery, { readonly kind: "map" }>;

function ask(map: CoreMap, query: Asked): readonly CoreArray[] {
	switch (query.kind) {
		case "lane-colours":
			return [one("|u1", map.laneColours(query.faces))];
		case "light-feature":
			return [one("|u1", Uint8Array.of(map.lightFeature(query.lane, query.faces)))];
		case "geodetic":
			return [one("<f8", map.geodetic(...query.at))];
		case "lane-lines":
			return query.by === "count"
				? map.laneByCount(query.lane, query.step)
				: map.laneByMetres(query.lane, query.step);
		case "map-near":
			return [
				one(
					"<u4",
					query.what === "lanes"
						? map.near(...query.at, query.radius)
						: map.crosswalksNear(...query.at, query.radius),
				),
			];
	}
}

/** Returns an answer's single array. */
function one(dtype: string, data: CoreArray["data"]): CoreArray {
	return { name: "values", dtype, shape: [data.length], data };
}
