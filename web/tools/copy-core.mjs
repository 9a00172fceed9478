// Copies the WebAssembly modules from CMake's build directory to the sources that
// import them. BEV_CORE overrides the default directory build/wasm/wasm. With `--first`,
// copies only the module that pages load first: stand-ins for the others say that they are
// not built yet.
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built =
	process.env.BEV_CORE ??
	fileURLToPath(new URL("../../build/wasm/wasm", import.meta.url));
const src = fileURLToPath(new URL("../src/wasm", import.meta.url));

const FIRST = ["bev_core.mjs", "bev_core.wasm"];
// All use the loader of bev_core.
const LATER = [
	"bev_stream.wasm",
	"bev_tools.wasm",
	"bev_convert.wasm",
	"bev_save.wasm",
];
const SAID = "this part is still being built: reload the page in a minute";

/** A module that cannot be instantiated, because it imports what nobody has: `said`. */
function unbuilt(said) {
	const name = new TextEncoder().encode(said);
	const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
	const types = [1, 4, 1, 0x60, 0, 0];
	const imports = [1, name.length, ...name, 0, 0, 0];
	return Uint8Array.from([...header, ...types, 2, imports.length, ...imports]);
}

function copy(file) {
	if (!existsSync(`${built}/${file}`)) {
		console.error(
			`${built}/${file}: not there; build it with "cmake --workflow --preset wasm"`,
		);
		process.exit(1);
	}
	copyFileSync(`${built}/${file}`, `${src}/${file}`);
}

for (const file of FIRST) copy(file);
for (const file of LATER)
	process.argv.includes("--first")
		? writeFileSync(`${src}/${file}`, unbuilt(SAID))
		: copy(file);
