// The page's half of agents_chunk.bench.ts; served, not bundled.
import { instantiate } from "/dist/worker/core-module.js";
import Blosc from "/numcodecs/blosc.js";

/** Bytes of one of L5Kit's agents. */
const RECORD = 116;

const read = async (key) =>
	new Uint8Array(await (await fetch(`/data/${key}`)).arrayBuffer());

/** Encoded bytes, metadata and both decoders. */
async function setUp() {
	const wasm = await WebAssembly.compileStreaming(fetch("/dist/wasm/bev_core.wasm"));
	const core = await instantiate(wasm);
	const arrays = ["scenes", "frames", "agents", "traffic_light_faces"];
	const metadata = new Map();
	for (const key of [
		".zgroup",
		".zattrs",
		...arrays.map((name) => `${name}/.zarray`),
	]) {
		metadata.set(key, await read(key));
	}
	const meta = JSON.parse(new TextDecoder().decode(metadata.get("agents/.zarray")));
	const codec = Blosc.fromConfig(meta.compressor);
	const chunk = await read("agents/0");
	return {
		core,
		metadata,
		codec,
		chunk,
		rows: Math.min(meta.chunks[0], meta.shape[0]),
	};
}

/** An engine that has read the metadata and no data. */
function opened({ core, metadata }) {
	const engine = new core.Engine(2 ** 28);
	const query = engine.open();
	for (const { key } of query.missing()) {
		const bytes = metadata.get(key);
		if (bytes) engine.supply(key, -1, -1, bytes);
		else engine.supplyAbsent(key);
	}
	query.build();
	query.delete();
	return engine;
}

/** From the encoded chunk to views, which `use` gets; milliseconds of that. */
function decode(given, options, use = () => {}) {
	const engine = opened(given);
	const query = engine.rows({ array: "agents", begin: 0, end: given.rows, ...options });
	const start = performance.now();
	for (const { key } of query.missing()) engine.supply(key, -1, -1, given.chunk);
	const arrays = query.build();
	const ms = performance.now() - start;
	use(arrays);
	query.delete();
	engine.delete();
	return ms;
}

/** Bytes of our columns that differ from the other decoder's records. */
function differences(given, records) {
	let wrong = 0;
	let offset = 0;
	decode(given, {}, (arrays) => {
		for (const { data } of arrays) {
			const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
			const size = bytes.length / given.rows;
			for (let i = 0; i < bytes.length; i += 1) {
				const at = Math.floor(i / size) * RECORD + offset + (i % size);
				wrong += bytes[i] === records[at] ? 0 : 1;
			}
			offset += size;
		}
	});
	return wrong + Math.abs(offset - RECORD);
}

/** Milliseconds by round; rounds are interleaved, two before the first are not counted. */
export async function measure(rounds) {
	const given = await setUp();
	const records = await given.codec.decode(given.chunk);
	const times = { all: [], two: [], theirs: [], copy: [] };
	const target = new Uint8Array(records.length);
	for (let round = -2; round < rounds; round += 1) {
		const all = decode(given, {});
		const two = decode(given, { fields: ["centroid", "yaw"] });
		const start = performance.now();
		await given.codec.decode(given.chunk);
		const decoded = performance.now();
		target.set(records);
		const copy = performance.now() - decoded;
		if (round < 0) continue;
		times.all.push(all);
		times.two.push(two);
		times.theirs.push(decoded - start);
		times.copy.push(copy);
	}
	return { times, wrong: differences(given, records), bytes: records.length };
}
