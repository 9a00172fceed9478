import type { CoreArray, CoreMap, CoreModule } from "../core.js";
import { BevError } from "../errors.js";
import type { MapQuery } from "./protocol.js";

/** A client's maps by id. */
export class Maps {
	readonly #maps = new Map<number, CoreMap>();

	/** Returns views of the core's memory, like a query's. */
	answer(core: CoreModule, query: MapQuery): readonly CoreArray[] {
		switch (query.kind) {
			case "map":
				return this.#parse(core, query);
			case "free-map":
				this.#maps.get(query.map)?.delete();
				this.#maps.delete(query.map);
				return [];
			default:
				return ask(this.find(query.map), query);
		}
	}

	find(id: number): CoreMap {
		const map = this.#maps.get(id);
		if (map) return map;
		throw new BevError("invalid_argument", "map: released, or lost in a failure");
	}

	/** Frees all maps. */
	close(): void {
		for (const map of this.#maps.values()) map.delete();
		this.forget();
	}

	/** Drops all maps without freeing them: their memory must not be used any more. */
	forget(): void {
		this.#maps.clear();
	}

	#parse(
		core: CoreModule,
		{ map: id, pb, meta, answered }: Extract<MapQuery, { kind: "map" }>,
	): readonly CoreArray[] {
		const map = core.parseMap(pb, meta);
		this.#maps.set(id, map);
		return answered ? map.build() : [];
	}
}

type Asked = Exclude<MapQuery, { readonly kind: "map" | "free-map" }>;

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
