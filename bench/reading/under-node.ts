// The module under Node: replies to each line of standard input with a line of JSON.
// Takes the directories of the built package and of the data set; bundled with the
// other reader.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { Core, type CoreModule } from "../../web/src/core/core.js";
import { ChunkBench } from "./chunks.js";

const [dist = "", town = ""] = process.argv.slice(2);

async function read(key: string): Promise<Uint8Array | undefined> {
	return readFile(`${town}/${key}`).catch(() => undefined);
}

const module = await WebAssembly.compile(await readFile(`${dist}/wasm/bev_core.wasm`));
const glue = pathToFileURL(`${dist}/../../build/modules/worker/core-module.js`).href;
const { instantiate } = (await import(glue)) as {
	instantiate: (module: WebAssembly.Module) => Promise<CoreModule>;
};
const bench = await ChunkBench.create(new Core(await instantiate(module)), read);

let rounds = 0;
for await (const line of createInterface({ input: process.stdin })) {
	const answer = line === "check" ? await bench.wrong() : await bench.round(rounds++);
	console.log(JSON.stringify(answer));
}
