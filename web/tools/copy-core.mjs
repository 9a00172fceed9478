// Copies the WebAssembly modules from CMake's build directory to the sources that
// import them. BEV_CORE overrides the default directory build/wasm/wasm.
import { copyFileSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built =
	process.env.BEV_CORE ??
	fileURLToPath(new URL("../../build/wasm/wasm", import.meta.url));
const src = fileURLToPath(new URL("../src/wasm", import.meta.url));

// bev_full and bev_stream use the loader of bev_core.
for (const file of [
	"bev_core.mjs",
	"bev_core.wasm",
	"bev_full.wasm",
	"bev_stream.wasm",
	"bev_tools.mjs",
	"bev_tools.wasm",
	"bev_convert.mjs",
	"bev_convert.wasm",
	"bev_save.mjs",
	"bev_save.wasm",
]) {
	if (!existsSync(`${built}/${file}`)) {
		console.error(
			`${built}/${file}: not there; build it with "cmake --workflow --preset wasm"`,
		);
		process.exit(1);
	}
	copyFileSync(`${built}/${file}`, `${src}/${file}`);
}
