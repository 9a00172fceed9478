import type { CoreArray, CoreMap, CoreModule } from "../core.js";
import { BevError } from "../errors.js";
import type { MapQuery } from "./protocol.js";

/** The maps of an engine's user, by the number each was given. */
export class Maps {
	readonly #maps = new Map<number, CoreMap>();

	/** Views into the core's memory, as those of a query. */
	answer(core: CoreModule, query: MapQuery): readonly CoreArray[] {
		switch (query.kind) {
			case "map":
				return this.#parse(core, query.map, query.pb, query.meta);
			case "lane-colours":
				return [colours(this.#find(query.map).laneColours(query.faces))];
			case "free-map":
				this.#maps.get(query.map)?.delete();
				this.#maps.delete(query.map);
				return [];
		}
	}

	/** Frees all of them. */
	close(): void {
		for (const map of this.#maps.values()) map.delete();
		this.forget();
	}

	/** Lets go of maps whose memory is not to be touched any more. */
	forget(): void {
		this.#maps.clear();
	}

	#parse(
		core: CoreModule,
		id: number,
		pb: Uint8Array,
		meta: Uint8Array,
	): readonly CoreArray[] {
		const map = core.parseMap(pb, meta);
		this.#maps.set(id, map);
		return map.build();
	}

	#find(id: number): CoreMap {
		const map = this.#maps.get(id);
		if (map) return map;
		throw new BevError(
			"invalid_argument",
			"the map was released, or lost in a failure",
		);
	}
}

function colours(data: Uint8Array): CoreArray {
	return { name: "lanes.colour", dtype: "|u1", shape: [data.length], data };
}
