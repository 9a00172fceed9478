// node train.mjs DATASET [EPOCHS]: fits speed from position with TensorFlow.js, on half of the
// vehicles' rows in shuffled order, and prints the loss of each epoch.
import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import { ChunkedDataset } from "bevscope";
import { tfTensor } from "bevscope/tensor";

const [url, epochs = "3"] = process.argv.slice(2);
const dataset = await ChunkedDataset.open(url);
const reader = dataset.reader({
	where: 'class == "VEHICLE"',
	fields: ["velocity", "speed"],
	order: { mode: "blocks", seed: 5 },
	shard: { index: 0, count: 2 },
});
const weights = tf.variable(tf.zeros([2, 1]));
const [items, all] = [await reader.count({ of: "shard" }), await reader.count()];
console.log(`${items} of ${all} rows`);
for (let epoch = 0; epoch < Number(epochs); epoch += 1) {
	let sum = 0;
	for await (const batch of reader) {
		sum += tf.tidy(() => {
			const inputs = tf.abs(tf.tensor(...tfTensor(batch.column("velocity"))));
			const speeds = tf.tensor(...tfTensor(batch.column("speed")));
			const errors = tf.sub(tf.matMul(inputs, weights), tf.reshape(speeds, [-1, 1]));
			const slope = tf.matMul(inputs, errors, true); // transposed by errors
			weights.assign(tf.sub(weights, tf.mul(slope, 0.01 / batch.length)));
			return tf.sum(tf.square(errors)).dataSync()[0];
		});
		batch.release();
	}
	console.log(`epoch ${epoch}: loss ${(sum / items).toFixed(4)}`);
}
dataset.close();
