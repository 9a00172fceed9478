/** Entry point of the worker that runs models. */

import { serve } from "./core/port-worker.js";
import { limitMemory } from "./model/onnx.js";
import type { LoadedModel, ModelTask } from "./model/protocol.js";
import { LoadedRuntime, type RuntimeModel } from "./model/runtime.js";

let runtime: LoadedRuntime | undefined;
let model: RuntimeModel | undefined;

async function answerTo(task: ModelTask): Promise<unknown> {
	if (task.kind === "runtime") {
		limitMemory();
		runtime = await LoadedRuntime.load(task.address, task.provider);
		return undefined;
	}
	if (task.kind === "load") {
		if (!runtime) throw new Error("load before runtime");
		model = await runtime.model(task.bytes, task.name);
		const { signature, used } = model;
		return { signature, used: used ?? { provider: "wasm" } } satisfies LoadedModel;
	}
	if (!model) throw new Error("run before load");
	return model.run(task.inputs);
}

serve({ task: (_core, task) => answerTo(task as ModelTask) });
