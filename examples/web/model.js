import { ChunkedDataset, EgoDataset } from "bevscope";
import { onnxTensor } from "bevscope/tensor";
import { env, InferenceSession, Tensor } from "onnxruntime-web";
import { config } from "./config.js";
import { addTable } from "./page.js";

/** Runs `model.onnx`, whose input is a batch of images, on a data set's first samples. */
export async function run(main, url, count = 8) {
	env.wasm.wasmPaths = new URL(
		"../../packages/onnxruntime-web/dist/",
		import.meta.url,
	).href;
	env.wasm.numThreads = 1; // more need a page that is isolated
	const model = await fetch(new URL("model.onnx", import.meta.url));
	const session = await InferenceSession.create(
		new Uint8Array(await model.arrayBuffer()),
	);
	const dataset = await ChunkedDataset.open(url);
	const root = new URL("../../", `${url}/`).href;
	const ego = await EgoDataset.create(config, dataset, { root });
	const indices = Array.from({ length: count }, (_, i) => i);
	const [name] = session.inputNames;
	const rows = [];
	for await (const batch of ego.samples({ indices, batch: 4, recycle: true })) {
		const { type, data, dims } = onnxTensor(batch.image); // float32 (4, C, h, w)
		const outputs = await session.run({ [name]: new Tensor(type, data, dims) });
		for (const [output, { dims: shape, data: values }] of Object.entries(outputs)) {
			rows.push([output, shape.join(" x "), Number(values[0]).toPrecision(6)]);
		}
	}
	addTable(main, ["output", "shape", "first value"], rows);
	ego.close();
	dataset.close();
}
