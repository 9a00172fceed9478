/** Entry point of the worker that runs models. */

import { serve } from "./core/port-worker.js";
import { limitMemory, loadRuntime, OnnxModel } from "./model/onnx.js";
import type { ModelTask } from "./model/protocol.js";
import type { OnnxRuntime } from "./model/types.js";

let runtime: OnnxRuntime | undefined;
let model: OnnxModel | undefined;

async function answerTo(task: ModelTask): Promise<unknown> {
	if (task.kind === "runtime") {
		limitMemory();
		runtime = await loadRuntime(task.address);
		return undefined;
	}
	if (task.kind === "load") {
		if (!runtime) throw new Error("load before runtime");
		model = await OnnxModel.load(runtime, task.bytes, task.name, ["wasm"]);
		return model.signature;
	}
	if (!model) throw new Error("run before load");
	return model.run(task.inputs);
}

serve({ task: (_core, task) => answerTo(task as ModelTask) });
