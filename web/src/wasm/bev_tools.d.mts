import type { CoreTools } from "../core-tools.js";
import type { CoreFactoryOptions } from "./bev_core.mjs";

/** Emscripten's output, copied here by `npm run core`. */
export default function createTools(options: CoreFactoryOptions): Promise<CoreTools>;
