/** Entry point of the worker that reads and scores predictions, and draws. */

import { serve } from "./core/port-worker.js";
import { type Drawing, pixelsOf } from "./reviewing/drawing.js";
import createTools from "./wasm/bev_tools.mjs";
import { instantiateWith } from "./worker/wasm-module.js";

serve({
	create: (module) => instantiateWith(createTools, module),
	task: (_door, task) => pixelsOf(task as Drawing),
});
