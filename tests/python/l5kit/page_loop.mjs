// Drives with ONNX Runtime Web in Node as a page does, and writes the models' outputs by time
// and track, and the scenes: node page_loop.mjs DIST RUNTIME TOWN MODELS OUT.json
import { open, readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [dist, runtime, town, models, out] = process.argv.slice(2);
const { ChunkedDataset } = await import(pathToFileURL(`${dist}/index.js`).href);
const { Model, simulate } = await import(pathToFileURL(`${dist}/model.js`).href);
const ort = await import(pathToFileURL(runtime).href);

/** The objects of a folder. */
const folder = (path) => ({
	async read(key, { range } = {}) {
		let file;
		try {
			file = await open(`${path}/${key}`);
		} catch {
			return undefined;
		}
		try {
			const bytes = new Uint8Array(await file.readFile());
			return range ? bytes.slice(range.begin, range.end) : bytes;
		} catch {
			return undefined; // a folder
		} finally {
			await file.close();
		}
	},
});

/** Options of `simulate`, and what the judge calls them. */
const LOOPS = {
	ego: {},
	both: { agents: "model" },
	"both, no new agents": {
		...{ agents: "model", newAgents: false },
		...{ farDistance: 500, closeDistance: 50 },
	},
};

const dataset = await ChunkedDataset.open(folder(`${town}/scenes/town.zarr`));
const results = [];
for (const kind of ["raster", "vector"]) {
	const bytes = new Uint8Array(await readFile(`${models}/${kind}.onnx`));
	const { contract } = await Model.open(bytes, { runtime: ort });
	const session = await ort.InferenceSession.create(bytes);
	for (const [name, options] of Object.entries(LOOPS)) {
		const outputs = {};
		const predict = async (arrays) => {
			const feeds = {};
			for (const input of session.inputNames) {
				const { type, data, dims } = arrays[input];
				feeds[input] = new ort.Tensor(type, data, dims);
			}
			const { positions, yaws } = await session.run(feeds);
			const { timestamp, track_id } = arrays;
			const [count, steps] = positions.dims;
			for (let i = 0; i < count; i += 1) {
				const key = `${timestamp.data[i]}:${track_id.data[i]}`;
				outputs[key] = [
					...positions.data.slice(2 * steps * i, 2 * steps * i + 2),
					yaws.data[steps * i],
				];
			}
			return { positions, yaws };
		};
		const begin = performance.now();
		const scenes = await simulate(dataset, {
			...{ predict, config: contract.config, root: folder(town) },
			...{ vectorized: contract.vectorized, image: contract.image },
			...{ scenes: [0, 1], start: 10, steps: 50 },
			...options,
		});
		const plain = scenes.map(({ scene, ego, agents }) => ({
			scene,
			ego: [...ego.x, ...ego.y, ...ego.yaw],
			counts: [...agents.counts],
			tracks: [...agents.trackId].map(String),
			agents: [...agents.x, ...agents.y, ...agents.yaw],
		}));
		const seconds = (performance.now() - begin) / 1000;
		results.push({ kind, name, seconds, outputs, scenes: plain });
	}
}
dataset.close();
await writeFile(out, JSON.stringify(results));
process.exit(0);
