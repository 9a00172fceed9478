import { existsSync } from "node:fs";

/** The folder of golden files, or undefined: cases that need them are then skipped. */
export const GOLDENS = process.env.BEV_GOLDENS || undefined;

if (GOLDENS && !existsSync(GOLDENS)) {
	throw new Error(`BEV_GOLDENS is ${GOLDENS}, which is not there`);
}
