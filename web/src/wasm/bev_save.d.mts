import type { CoreSave } from "../core-save.js";
import type { CoreFactoryOptions } from "./bev_core.mjs";

/** Emscripten's output, copied here by `npm run core`. */
export default function createSave(options: CoreFactoryOptions): Promise<CoreSave>;
