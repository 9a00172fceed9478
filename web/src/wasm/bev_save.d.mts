import type { CoreDoor } from "../core/door.js";
import type { CoreFactoryOptions } from "./bev_core.mjs";

/** Emscripten's output, copied here by `npm run core`. */
export default function createSave(options: CoreFactoryOptions): Promise<CoreDoor>;
