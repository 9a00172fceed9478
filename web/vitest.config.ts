import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The packages that tests outside of this folder import live in this one. */
const packages = ["playwright-core", "axe-core", "esbuild", "mediabunny", "vitest"];

export default defineConfig({
	resolve: {
		alias: packages.map((name) => ({
			find: new RegExp(`^${name}(?=/|$)`),
			replacement: here(`node_modules/${name}`),
		})),
	},
	server: { fs: { allow: [here("..")] } },
	test: {
		projects: [
			{ extends: true, test: { name: "unit", include: ["test/**/*.test.ts"] } },
			{
				extends: true,
				test: {
					name: "browser",
					root: here(".."),
					include: ["tests/browser/**/*.test.ts"],
					testTimeout: 120_000,
					hookTimeout: 120_000,
					// A machine that is busy with the other files takes longer than a second.
					expect: { poll: { timeout: 30_000 } },
					// Each file starts a browser; two cores are what the reference machine has.
					maxWorkers: 2,
				},
			},
			{
				extends: true,
				test: {
					name: "bench",
					root: here(".."),
					include: ["tests/bench/**/*.bench.ts"],
					testTimeout: 120_000,
				},
			},
		],
	},
});
