/** Entry point of the worker that reads and scores predictions, and draws. */

import { serve } from "./core/port-worker.js";
import { type Drawing, pixelsOf } from "./reviewing/drawing.js";
import { instantiate } from "./worker/core-module.js";

serve({
	create: instantiate,
	task: (_core, task) => pixelsOf(task as Drawing),
});
