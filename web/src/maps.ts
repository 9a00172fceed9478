import type { AbortOptions } from "./api.js";
import type { MapView } from "./map-view.js";
import { mapView } from "./views.js";
import { askArrays, type Client } from "./worker/client.js";

/** Maps are told apart by number, whichever client they are of. */
let nextMap = 0;

/** Has `client` parse a map and keep it until it is released. */
export async function askMap(
	client: Client,
	pb: Uint8Array,
	meta: Uint8Array,
	options: AbortOptions,
): Promise<MapView> {
	const map = nextMap++;
	const arrays = await askArrays(client, { kind: "map", map, pb, meta }, options);
	return mapView(arrays, {
		async laneColours(faces, wish = {}) {
			const query = { kind: "lane-colours", map, faces } as const;
			const answer = await askArrays(client, query, wish);
			return answer.view("lanes.colour", Uint8Array);
		},
		release() {
			arrays.release();
			// Closing the data set frees its maps; then there is nobody left to tell.
			client.ask({ kind: "free-map", map }).catch(() => {});
		},
	});
}
