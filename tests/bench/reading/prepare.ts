import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { ARRAY } from "./common.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Where `scripts/bench reading` puts what is measured. */
export const PLACES = {
	town: at("build/town-136/scenes/town.zarr"),
	bundles: at("build/bench-bundles"),
	programs: at("build/release/tests/bench"),
	dist: at("web/dist"),
	python: at("tests/bench/reading/zarr_python.py"),
};

/**
 * What the server of the bench holds in memory, so that it costs those who read little: the
 * array below `/town/`, and below `/plain/` the same chunks as an array of bytes of two
 * axes, for records are beyond zarrita.
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

/** The page's half and Node's, with the readers from npm in them. */
export async function bundle(): Promise<void> {
	await build({
		entryPoints: [
			at("tests/bench/reading/page.ts"),
			at("tests/bench/reading/under-node.ts"),
		],
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

/** What cold random frames fetch, as part of the chunks that they lie in: one of so many. */
export function shareOfColdFrames(): number {
	const program = `${PLACES.programs}/frames_bench`;
	const text = execFileSync(program, [PLACES.town], { encoding: "utf8" });
	const line = /^a random frame +(\d+) rounds.* 1\/([\d.]+)$/m.exec(text);
	if (!line) throw new Error(`frames_bench: no frames in\n${text}`);
	if (Number(line[1]) > 4) throw new Error(`a frame takes ${line[1]} rounds`);
	return Number(line[2]);
}
