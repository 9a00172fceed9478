/** Entry point of the worker that converts files of other data sets. */

import { answerTo } from "./converting/answer.js";
import type { Request } from "./converting/protocol.js";
import { serve } from "./core/port-worker.js";
import createConvert from "./wasm/bev_convert.mjs";
import { instantiateWith } from "./worker/wasm-module.js";

serve({
	create: (module) => instantiateWith(createConvert, module),
	task: (door, task) => answerTo(door, task as Request),
});
