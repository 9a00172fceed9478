import { existsSync } from "node:fs";

/** The directory of golden files; if undefined, cases that need them are skipped. */
export const GOLDENS = process.env.BEV_GOLDENS || undefined;

if (GOLDENS && !existsSync(GOLDENS)) {
	throw new Error(`BEV_GOLDENS is ${GOLDENS}, which is not there`);
}
