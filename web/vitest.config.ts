import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Packages imported by tests outside of this directory are installed here. */
const packages = [
	"playwright-core",
	"axe-core",
	"esbuild",
	"hyparquet-writer",
	"mediabunny",
	"vitest",
];

const browser = {
	root: here(".."),
	testTimeout: 120_000,
	hookTimeout: 120_000,
	// On a busy machine, polling takes longer than the default of one second.
	expect: { poll: { timeout: 30_000 } },
	// Each file starts a browser; the reference machine has two cores, and pages wait now and then.
	maxWorkers: 3,
	// Files keep nothing that another could see.
	isolate: false,
};

/** The slowest files of the browser suite, which start first. */
const slowest = ["viewer-states", "viewer-life", "monkey", "viewer-boxes"];

class SlowestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const rank = ({ moduleId }: TestSpecification): number => {
			const found = slowest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
			return found < 0 ? slowest.length : found;
		};
		return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
	}
}

/** Files of the browser suite that concern the platform; they run in all engines. */
const platform = [
	"library",
	"hosting",
	"hostile",
	"persistent",
	"zip",
	"reader",
	"save",
	"snippets",
	"oldest",
	"viewer-keyboard",
	"viewer-embed",
	"viewer-export",
];

/**
 * Files of the browser suite about models, distributions, galleries, layouts and rows;
 * they also run in Firefox. WebKit's driver lacks what they use.
 */
const analysis = [
	"model-vectors",
	"planted-error",
	"viewer-distributions",
	"viewer-facts",
	"viewer-gallery",
	"viewer-layouts",
	"viewer-notes-file",
	"viewer-review",
	"viewer-rows",
	"viewer-tilt",
	"viewer-undo",
];
const engine = process.env.BEV_ENGINE ?? "chromium";

export default defineConfig({
	resolve: {
		alias: packages.map((name) => ({
			find: new RegExp(`^${name}(?=/|$)`),
			replacement: here(`node_modules/${name}`),
		})),
	},
	server: { fs: { allow: [here("..")] } },
	test: {
		sequence: { sequencer: SlowestFirst },
		projects: [
			{
				extends: true,
				test: {
					name: "unit",
					include: ["test/**/*.test.ts"],
					// Beside other jobs, tests of a second take a quarter of a minute.
					testTimeout: 60_000,
					// Files are short, so starting a process for each takes most of the time.
					pool: "threads",
					maxWorkers: 2,
				},
			},
			{
				extends: true,
				test: { ...browser, name: "browser", include: ["tests/browser/**/*.test.ts"] },
			},
			{
				extends: true,
				test: {
					...browser,
					name: "engines",
					testTimeout: 300_000,
					// Other engines need half a minute to open a page on a busy machine.
					expect: { poll: { timeout: 120_000 } },
					include: [...platform, ...(engine === "firefox" ? analysis : [])].map(
						(name) => `tests/browser/${name}.test.ts`,
					),
					setupFiles: [here("../tests/browser/platform.ts")],
				},
			},
			{
				extends: true,
				test: { ...browser, name: "docs", include: ["tests/docs/**/*.test.ts"] },
			},
			{
				extends: true,
				test: {
					name: "notebooks",
					root: here(".."),
					include: ["tests/notebooks/**/*.test.ts"],
					testTimeout: 300_000,
					hookTimeout: 180_000,
				},
			},
			{
				extends: true,
				test: {
					name: "dashboards",
					root: here(".."),
					include: ["tests/dashboards/**/*.test.ts"],
					testTimeout: 300_000,
					hookTimeout: 180_000,
				},
			},
			{
				extends: true,
				test: {
					name: "consumers",
					root: here(".."),
					include: ["tests/consumers/web/*.test.ts"],
					testTimeout: 400_000,
					hookTimeout: 120_000,
				},
			},
			{
				extends: true,
				test: {
					name: "bench",
					root: here(".."),
					include: ["bench/**/*.bench.ts"],
					testTimeout: 120_000,
				},
			},
		],
	},
});
