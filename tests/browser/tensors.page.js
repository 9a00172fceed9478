// The page side of tensors.test.ts; served, not bundled.

import { ChunkedDataset } from "/dist/index.js";
import { onnxTensor, tfTensor } from "/dist/tensor.js";

const values = (data) => Array.from(data, Number);

/** Returns the batches' columns before `work`, and what `work` makes of each batch. */
async function batches(address, options, work) {
	const dataset = await ChunkedDataset.open(address);
	const out = [];
	for await (const batch of dataset.reader(options)) {
		const columns = batch.names.map((name) => {
			const { data, shape } = batch.column(name);
			return { name, shape: [...shape], data: values(data) };
		});
		const outputs = await work(batch);
		out.push({ items: batch.length, columns, outputs });
		batch.release();
	}
	dataset.close();
	return out;
}

/** Runs the model at `model` on each batch, with a column per input. */
export async function throughOnnx(address, options, model) {
	const folder = "/packages/onnxruntime-web/dist/";
	const ort = await import(`${folder}ort.wasm.min.mjs`);
	ort.env.wasm.wasmPaths = folder;
	ort.env.wasm.numThreads = 1; // threads need a page that is isolated
	const bytes = new Uint8Array(await (await fetch(model)).arrayBuffer());
	const session = await ort.InferenceSession.create(bytes);
	return batches(address, options, async (batch) => {
		const inputs = {};
		const copied = [];
		for (const name of batch.names) {
			const { type, data, dims } = onnxTensor(batch.column(name));
			inputs[name] = new ort.Tensor(type, data, dims);
			if (inputs[name].data !== batch.column(name).data) copied.push(name);
		}
		const outputs = await session.run(inputs);
		const arrays = session.outputNames.map((name) => {
			const { type, dims, data } = outputs[name];
			return { name, type, shape: [...dims], data: values(data) };
		});
		return { copied, arrays };
	});
}

const script = (address) =>
	new Promise((resolve, reject) => {
		const element = document.createElement("script");
		element.src = address;
		element.onload = resolve;
		element.onerror = reject;
		document.head.append(element);
	});

/** Applies `tf.matMul`, `tf.sum` and `tf.logicalNot` to columns of each batch. */
export async function throughTensorFlow(address, options, weights) {
	const folder = "/packages/@tensorflow";
	await script(`${folder}/tfjs-core/dist/tf-core.min.js`);
	await script(`${folder}/tfjs-backend-cpu/dist/tf-backend-cpu.min.js`);
	const { tf } = globalThis;
	await tf.setBackend("cpu");
	const shown = (name, { dtype: type, shape }, data) => ({
		name,
		type,
		shape,
		data: values(data),
	});
	return batches(address, options, async (batch) => {
		const arrays = [];
		for (const name of batch.names) {
			const tensor = tf.tensor(...tfTensor(batch.column(name)));
			const made = {
				same: tensor,
				...(weights[name] && {
					product: tf.matMul(
						tf.reshape(tensor, [-1, weights[name].length]),
						tf.tensor(weights[name]),
					),
				}),
				...(tensor.dtype === "int32" && { sum: tf.sum(tensor) }),
				...(tensor.dtype === "bool" && { not: tf.logicalNot(tensor) }),
			};
			for (const [kind, one] of Object.entries(made)) {
				arrays.push(shown(`${name}.${kind}`, one, await one.data()));
			}
		}
		return { arrays };
	});
}
