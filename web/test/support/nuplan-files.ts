import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";

const FILES = unzipSync(
	readFileSync(new URL("../../../tests/fixtures/nuplan.zip", import.meta.url)),
);

/** Returns a made-up log of nuPlan, "made-up.db", or the map of its city, "map.gpkg". */
export function nuplanFile(name: string): Uint8Array<ArrayBuffer> | undefined {
	return FILES[name] as Uint8Array<ArrayBuffer> | undefined;
}

/** Does the same; throws for another name. */
export function nuplanBytes(name: string): Uint8Array<ArrayBuffer> {
	const found = nuplanFile(name);
	if (!found) throw new Error(`nuplan.zip: no ${name}`);
	return found;
}
