import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { ARRAY } from "./common.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Files and directories that `scripts/bench reading` creates. */
export const PLACES = {
	town: at("build/town-136/scenes/town.zarr"),
	bundles: at("build/bench-bundles"),
	programs: at("build/release/bench"),
	dist: at("web/dist"),
	python: at("bench/reading/zarr_python.py"),
};

/**
 * The objects that the benchmark's server holds in memory, so that serving is cheap:
 * the array below `/town/`, and below `/plain/` the same chunks as a two-dimensional
 * array of bytes, because zarrita does not support records.
 */
export function heldInMemory(): Map<string, Uint8Array | string> {
	const from = `${PLACES.town}/${ARRAY}`;
	const held = new Map<string, Uint8Array | string>();
	for (const name of readdirSync(from).filter((file) => /^\d+$/.test(file))) {
		const chunk = readFileSync(`${from}/${name}`);
		held.set(`/town/${ARRAY}/${name}`, chunk);
		held.set(`/plain/${ARRAY}/${name}.0`, chunk);
	}
	const meta = JSON.parse(readFileSync(`${from}/.zarray`, "utf8"));
	const record = held.get(`/town/${ARRAY}/0`)?.[3];
	const shape = [meta.shape[0], record];
	const chunks = [meta.chunks[0], record];
	const plain = { ...meta, dtype: "|u1", fill_value: 0, shape, chunks };
	return held.set(`/plain/${ARRAY}/.zarray`, JSON.stringify(plain));
}

/** Bundles the page's script and Node's, with the readers from npm. */
export async function bundle(): Promise<void> {
	await build({
		entryPoints: [at("bench/reading/page.ts"), at("bench/reading/under-node.ts")],
		outdir: PLACES.bundles,
		outExtension: { ".js": ".mjs" },
		nodePaths: [at("web/node_modules")],
		bundle: true,
		format: "esm",
		target: "es2022",
		external: ["node:*"],
		logLevel: "error",
	});
}

/**
 * Returns the bytes fetched by cold random frames relative to whole chunks, as n in
 * 1/n.
 */
export function shareOfColdFrames(): number {
	const program = `${PLACES.programs}/frames_bench`;
	const text = execFileSync(program, [PLACES.town], { encoding: "utf8" });
	const line = /^a random frame +(\d+) rounds.* 1\/([\d.]+)$/m.exec(text);
	if (!line) throw new Error(`frames_bench: no frames in\n${text}`);
	if (Number(line[1]) > 4) throw new Error(`a frame takes ${line[1]} rounds`);
	return Number(line[2]);
}
