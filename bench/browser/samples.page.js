// The page side of samples.bench.ts; served, not bundled.

import { AgentDataset, ChunkedDataset, EgoDataset } from "/dist/index.js";
import { Core } from "/modules/core/core.js";
import { instantiate } from "/modules/worker/core-module.js";

const read = async (path) => {
	const response = await fetch(path);
	return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
};

/** Reads the objects that a query needs. */
async function gather({ core, engine }, query, root) {
	const missing = () => core.missing(query);
	for (let lacking = missing(); lacking.length > 0; lacking = missing()) {
		for (const { key, begin, end } of lacking) {
			const whole = await read(`${root}/${key}`);
			const bytes = begin < 0 ? whole : whole?.subarray(begin, end);
			if (!bytes) core.run("supply_absent", { engine, key });
			else core.run("supply", { engine, key, begin, end, bytes });
		}
	}
}

async function openedEngine(root) {
	const module = await WebAssembly.compileStreaming(fetch("/dist/wasm/bev_core.wasm"));
	const core = new Core(await instantiate(module));
	const engine = core.run("engine", { byte_budget: 2 ** 28 });
	const query = core.run("open", { engine });
	await gather({ core, engine }, query, root);
	core.build(query);
	core.release(query);
	return { core, engine };
}

/** Loads the maps that a config requires. */
async function sceneryOf(core, config, inputs, vectorized) {
	const keys = core.run("data_keys", { config, vectorized });
	const [meta, pb, image] = await Promise.all(
		keys.map((key) => key && read(`${inputs}/${key}`)),
	);
	const map = pb ? core.run("map", { pb, meta }) : undefined;
	if (!image) return { map };
	const bitmap = await createImageBitmap(new Blob([image]), {
		colorSpaceConversion: "none",
		premultiplyAlpha: "none",
	});
	const { width, height } = bitmap;
	const context = new OffscreenCanvas(width, height).getContext("2d");
	context.drawImage(bitmap, 0, 0);
	const aerial = core.run("aerial", { width, height, meta });
	const rgba = new Uint8Array(context.getImageData(0, 0, width, height).data.buffer);
	core.run("put_aerial_rows", { aerial, first: 0, rgba });
	return { map, aerial };
}

/** As for the golden files. */
const MINIMA = { min_frame_history: 0, min_frame_future: 1 };

/** Returns the items of the agent data set, rows of `agents`. */
async function itemsOf({ core, engine }, config, options, root) {
	const index = core.run("agent_index", { engine, config, ...options });
	await gather({ core, engine }, index, root);
	const items = core.run("agent_items", { index });
	const rows = Array.from(core.run("item_rows", { items }).agents_indices, Number);
	core.release(items);
	core.release(index);
	return rows;
}

/**
 * Counts values of an array that differ from the expected ones, within float32's
 * precision.
 */
function wrong(arrays, name, expected) {
	const { data } = arrays.find((array) => array.name === name);
	const far = expected.filter((value, i) => !(Math.abs(value - data[i]) <= 1e-4));
	return far.length + Math.abs(expected.length - data.length);
}

/** Returns a digest of an image's bytes; float images are converted to bytes. */
async function digest({ data }) {
	const bytes =
		data instanceof Float32Array ? data.map((v) => Math.round(v * 255)) : data;
	const sum = await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes));
	return Array.from(new Uint8Array(sum), (byte) =>
		byte.toString(16).padStart(2, "0"),
	).join("");
}

/** Returns the median of five measurements of a call's duration, in seconds. */
function secondsOf(ms, call) {
	const each = [];
	for (let turn = 0; turn < 5; turn += 1) {
		let made = 0;
		const start = performance.now();
		while (performance.now() - start < ms / 5) {
			call();
			made += 1;
		}
		each.push((performance.now() - start) / made);
	}
	return each.sort((a, b) => a - b)[2] / 1000;
}

/** Returns samples of one form, all made once, so that nothing is read later. */
async function warmSamples(opened, given, image) {
	const { core, engine, scenery } = opened;
	const { root, config, kind, vectorized, checked } = given;
	const options = { engine, config, kind, vectorized, image, ...scenery };
	const samples = core.run("samples", options);
	const what = kind === "agent" ? "agent" : "frame";
	const aim = (at) => core.run("select_sample", { samples, [what]: at });
	const make = async (item) => {
		aim(item);
		await gather(opened, samples, root);
		return core.rebuild(samples);
	};
	for (const item of opened.items) await make(item);
	const arrays = await make(
		kind === "agent" ? opened.items[checked.index] : checked.index,
	);
	let bad = wrong(arrays, checked.name, checked.data);
	const picture = arrays.find((array) => array.name === "image");
	if (picture && checked.image && (await digest(picture)) !== checked.image) bad += 1;
	let at = 0;
	const next = () => {
		aim(opened.items[at % opened.items.length]);
		at += 1;
		core.missing(samples);
	};
	return { samples, next, bad };
}

/**
 * Returns the seconds per sample as views of wasm memory, for each of `images`, and for
 * reading only. Compares the sample in `checked` first.
 */
async function toViews(given, ms) {
	const { root, inputs, config, kind, vectorized, images, checked } = given;
	const { core, engine } = await openedEngine(root);
	const scenery = await sceneryOf(core, config, inputs, vectorized);
	const all = JSON.parse(core.run("describe", { engine })).arrays.frames.shape[0];
	const frames = checked.only ?? Array.from({ length: all }, (_, i) => i);
	const options = { use_stored: false, ...MINIMA };
	const items =
		kind === "agent" ? await itemsOf({ core, engine }, config, options, root) : frames;
	const out = { wrong: 0, read: {}, whole: {} };
	for (const image of images) {
		const opened = { core, engine, scenery, items };
		const { samples, next, bad } = await warmSamples(opened, given, image);
		out.wrong += bad;
		out.whole[image] = secondsOf(ms, () => {
			next();
			core.rebuild(samples);
		});
		out.read[image] = secondsOf(ms / 3, next);
		core.release(samples);
	}
	return out;
}

/** Counts values of a delivered sample that differ from the expected ones. */
async function wrongDelivered(made, { index, name, data, image }, batch) {
	const indices = Array.from({ length: batch }, () => index);
	let bad = 0;
	for await (const samples of made.samples({ indices, batch, recycle: true })) {
		for (let i = 0; i < batch; i += 1) {
			const at = (of) => {
				const all = samples[of].data;
				const size = all.length / batch;
				return { name: of, data: all.subarray(i * size, (i + 1) * size) };
			};
			bad += wrong([at(name)], name, data);
			if (image && (await digest(at("image"))) !== image) bad += 1;
		}
	}
	return bad;
}

/**
 * Returns samples per second delivered to the page, in batches and recycled buffers.
 * Compares a batch of the sample in `checked` first.
 */
async function delivered(given, image, batch, ms) {
	const { root, inputs, config, kind, checked } = given;
	const dataset = await ChunkedDataset.open(root);
	const Kind = kind === "agent" ? AgentDataset : EgoDataset;
	const minima = kind === "agent" ? MINIMA : {};
	const made = await Kind.create(config, dataset, { image, root: inputs, ...minima });
	if (kind === "agent") await made.index();
	const bad = await wrongDelivered(made, checked, batch);
	// Long loops: the first batches of a loop are not prefetched.
	const all = checked.only ?? Array.from({ length: made.length }, (_, i) => i);
	const indices = Array.from(
		{ length: Math.max(all.length, 32 * batch) },
		(_, i) => all[i % all.length],
	);
	const through = async () => {
		let seen = 0;
		for await (const sample of made.samples({
			indices,
			batch,
			prefetch: 3,
			recycle: true,
		})) {
			seen += sample.track_id.data.length;
		}
		return seen;
	};
	await through();
	let seen = 0;
	const start = performance.now();
	while (performance.now() - start < ms) seen += await through();
	const seconds = (performance.now() - start) / 1000;
	dataset.close();
	return { rate: seen / seconds, wrong: bad };
}

/** Returns agents selected per second, from encoded chunks in memory. */
async function selected(root, config, ms) {
	const opened = await openedEngine(root);
	const { core, engine } = opened;
	const text = core.run("describe", { engine });
	const agents = JSON.parse(text).arrays.agents.shape[0];
	const select = async (options) =>
		(await itemsOf(opened, config, options, root)).length;
	// The engine caches an index by its options: a unique distance makes each one new.
	const distance = (i) => ({ use_stored: false, max_distance_to_ego: 50 + i * 1e-9 });
	const found = await select(distance(0));
	let rounds = 0;
	const start = performance.now();
	while (performance.now() - start < ms) {
		rounds += 1;
		await select(distance(rounds));
	}
	const seconds = (performance.now() - start) / 1000;
	return { rate: (rounds * agents) / seconds, found };
}

export const measures = { toViews, delivered, selected };
