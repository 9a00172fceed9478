/** Entry point of the worker that converts files of other data sets. */

import { answerTo } from "./converting/answer.js";
import type { Request } from "./converting/protocol.js";
import { serve } from "./core/port-worker.js";
import { instantiate } from "./worker/core-module.js";

serve({
	create: instantiate,
	task: (core, task) => answerTo(core, task as Request),
});
