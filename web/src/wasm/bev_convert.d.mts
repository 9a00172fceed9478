import type { CoreConvert } from "../core-convert.js";
import type { CoreFactoryOptions } from "./bev_core.mjs";

/** Emscripten's output, copied here by `npm run core`. */
export default function createConvert(
	options: CoreFactoryOptions,
): Promise<CoreConvert>;
