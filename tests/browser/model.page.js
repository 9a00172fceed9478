// The page side of model.test.ts; served, not bundled.

import { ChunkedDataset, EgoDataset, EgoDatasetVectorized } from "/dist/index.js";
import { Model, simulate } from "/dist/model.js";

const RUNTIME = "/packages/onnxruntime-web/dist/";

/** Opens a model with the runtime of the test. */
export function openModel(address, options = {}) {
	return Model.open(address, { runtime: RUNTIME, ...options });
}

/** Returns what became of a promise: a value, or an error's code and message. */
async function outcome(promise) {
	try {
		return await promise;
	} catch (error) {
		const kind = error instanceof DOMException ? error.name : error.code;
		return `${kind}: ${error.message}`;
	}
}

/** Opens samples of a data set, without a map. */
async function samplesOf(address, config, options) {
	const dataset = await ChunkedDataset.open(address);
	const ego = await EgoDataset.create(config, dataset, options);
	const close = () => {
		ego.close();
		dataset.close();
	};
	return { ego, close };
}

const plain = ({ modes, steps, positions, yaws, confidences }) => ({
	modes,
	steps,
	positions: [...positions],
	yaws: yaws && [...yaws],
	confidences: [...confidences],
});

/** Predicts from frames of a data set, alone and as a batch. */
export async function predictions(address, config, model, indices) {
	const opened = await openModel(model);
	const { contract } = opened;
	const { image, vectorized } = contract;
	const { ego, close } = await samplesOf(address, config, { image, vectorized });
	const alone = [];
	const samples = [];
	for (const index of indices) {
		const sample = await ego.sample(index);
		alone.push(plain(await opened.predict(sample)));
		const keys = ["history_positions", "world_from_agent", "centroid", "yaw", "image"];
		const arrays = keys
			.filter((key) => sample[key])
			.map((key) => [key, [...sample[key].data]]);
		samples.push(Object.fromEntries(arrays));
	}
	let batch;
	for await (const one of ego.samples({ indices, batch: indices.length }))
		batch = plain(await opened.predict(one));
	opened.close();
	close();
	return { contract, alone, batch, samples };
}

/** Predicts at places of a data set: scene, frame and track; -1 is the ego vehicle. */
export async function atPlaces(model, address, config, places, how = {}) {
	const opened = await openModel(model, how);
	const { image, vectorized } = opened.contract;
	const dataset = await ChunkedDataset.open(address);
	const form = vectorized ? EgoDatasetVectorized : EgoDataset;
	const options = { root: "/goldens/", ...(!vectorized && { image }) };
	const samples = await form.create(config, dataset, options);
	const all = [];
	for (const [scene, state, track] of places) {
		const of = track < 0 ? undefined : BigInt(track);
		const sample = await samples.getFrame(scene, state, of);
		const { positions, confidences } = plain(await opened.predict(sample));
		const world_from_agent = [...sample.world_from_agent.data];
		all.push({ positions, confidences, world_from_agent });
		sample.release();
	}
	globalThis.usedLast = { provider: opened.provider, why: opened.used?.why };
	opened.close();
	samples.close();
	dataset.close();
	return all;
}

/** Returns what computed the last model of atPlaces. */
export function used() {
	return globalThis.usedLast;
}

/** Returns the outcomes of opening each file. */
export async function openings(addresses, options) {
	const all = [];
	for (const address of addresses) {
		all.push(
			await outcome(
				openModel(address, options).then((model) => {
					model.close();
					return "opened";
				}),
			),
		);
	}
	return all;
}

/** Returns the outcomes of predicting a frame by each file. */
export async function outcomes(address, config, files) {
	const { ego, close } = await samplesOf(address, config, { image: "none" });
	const sample = await ego.sample(3);
	const all = [];
	for (const file of files) {
		const predicted = async () => {
			const model = await openModel(file);
			try {
				await model.predict(sample);
				return "predicted";
			} finally {
				model.close();
			}
		};
		all.push(await outcome(predicted()));
	}
	close();
	return all;
}

/** A model that does not end, twice, and one that does. */
export async function hanging(address, config, [endless, good]) {
	const { ego, close } = await samplesOf(address, config, { image: "none" });
	const sample = await ego.sample(3);
	const model = await openModel(endless, { timeout: 6000 });
	const late = await outcome(model.predict(sample));
	const again = await outcome(model.predict(sample));
	const cancelled = outcome(model.predict(sample));
	setTimeout(() => model.cancel(), 100);
	const said = [late, again, await cancelled];
	model.close();
	const other = await openModel(good);
	const { steps } = await other.predict(sample);
	other.close();
	close();
	return { said, steps };
}

/** The model of tests/vectors/unroll.json. */
function formula({ history_positions: { data, dims } }) {
	const [count, length] = dims;
	const positions = new Float64Array(2 * count);
	const yaws = new Float64Array(count);
	for (let row = 0; row < count; row += 1) {
		const [x, y] = [-data[2 * (row * length + 1)], -data[2 * (row * length + 1) + 1]];
		positions.set([0.75 * x + 0.25, 0.5 * y + 0.0625], 2 * row);
		yaws[row] = 0.125 * y + 0.015625;
	}
	return {
		positions: { data: positions, dims: [count, 1, 2] },
		yaws: { data: yaws, dims: [count, 1, 1] },
	};
}

/** SHA-256 of a scene's arrays but the ego's yaws, its last pose, and its agents' centre. */
async function summary({ ego, agents }) {
	const { counts, trackId, x, y, yaw, length, width } = agents;
	const columns = [ego.x, ego.y, counts, trackId, x, y, yaw, length, width];
	const bytes = await new Blob(columns).arrayBuffer();
	const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
	const mean = (values) =>
		values.slice(-counts.at(-1)).reduce((sum, value) => sum + value, 0) / counts.at(-1);
	return {
		poses: [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
		last: [ego.x, ego.y, ego.yaw].map((values) => values.at(-1)),
		centre: [mean(x), mean(y)],
	};
}

/** Simulates by the formula and by a model; returns both scenes. */
export async function simulations(address, config, file, { scenes, runs }) {
	const dataset = await ChunkedDataset.open(address);
	const model = await openModel(file);
	const all = [];
	for (const { name: _, found: __, ...run } of runs) {
		const options = { config, scenes, ...run };
		const exact = await simulate(dataset, { ...options, predict: formula });
		const near = await simulate(dataset, { ...options, model });
		all.push({
			exact: await Promise.all(exact.map(summary)),
			near: await Promise.all(near.map(summary)),
		});
	}
	model.close();
	dataset.close();
	return all;
}

/** Predicts by a function of the page. */
export async function byFunction(address, config) {
	const { ego, close } = await samplesOf(address, config, { image: "none" });
	const model = await Model.open(({ history_positions: { dims } }) => ({
		positions: { data: new Float32Array(dims[0] * 4), dims: [dims[0], 2, 2] },
	}));
	const sample = await ego.sample(3);
	const { positions } = await model.predict(sample);
	const centroid = [...sample.centroid.data];
	model.close();
	close();
	return { positions: [...positions], centroid };
}
