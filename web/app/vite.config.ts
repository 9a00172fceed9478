import { cpSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const outDir = `${root}build/app`;

/** The example town, where it was made (`bevscope town build/town-example`), goes along. */
function exampleTown(): Plugin {
	return {
		name: "example-town",
		apply: "build",
		closeBundle() {
			const town = `${root}build/town-example`;
			if (existsSync(town)) cpSync(town, `${outDir}/example`, { recursive: true });
			else this.warn("no build/town-example: the app is built without its example");
		},
	};
}

/** The viewer app. The library is not built with Vite: its library mode inlines the module. */
export default defineConfig({
	root: fileURLToPath(new URL(".", import.meta.url)),
	base: "./",
	build: { outDir, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
	worker: { format: "es" },
	plugins: [exampleTown()],
});
