import type { CoreArray } from "../core/door.js";
import type { Handles } from "./handles.js";
import { type Held, held } from "./held.js";
import type { MapQuery } from "./protocol.js";
import type { Instance } from "./run.js";

/** Answers a query about a map. Returns views of the core's memory, like a query's. */
export function askMaps(
	maps: Handles<Held<"Map">>,
	{ door }: Instance,
	query: MapQuery,
): readonly CoreArray[] {
	if (query.kind === "map") {
		const map = door.run("map", { pb: query.pb, meta: query.meta });
		maps.add(query.id, held(door, map));
		return query.answered ? door.views("map_arrays", { map }) : [];
	}
	const map = maps.find(query.map).handle;
	switch (query.kind) {
		case "lane-colours":
			return door.views("lane_colours", { map, faces: query.faces });
		case "light-feature": {
			const { lane, faces } = query;
			return door.views("light_feature", { map, lane, faces });
		}
		case "geodetic": {
			const [x, y, z] = query.at;
			return door.views("geodetic", { map, x, y, z });
		}
		case "lane-lines": {
			const { lane, by, step } = query;
			return by === "count"
				? door.views("lane_by_count", { map, lane, count: step })
				: door.views("lane_by_metres", { map, lane, step });
		}
		case "map-near": {
			const { what, at, radius } = query;
			const near = what === "lanes" ? "lanes_near" : "crosswalks_near";
			return door.views(near, { map, x: at[0], y: at[1], radius });
		}
	}
}
