import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { TINY, tinyDataset } from "../support/tiny-dataset.js";
import { openPage, serve, useServers } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Limit of the requests after the page's own, those of the data set included. */
const LIMIT = 25;

/** A page's bundle, as an application's bundler makes it. */
const folder = mkdtempSync(join(tmpdir(), "bevscope-requests-"));

/** A data set whose scenes are in one chunk of each array, as those of L5Kit are. */
function data(): Record<string, Uint8Array> {
	const { scenes, framesPerScene } = TINY;
	const all = tinyDataset({ scenes, framesPerScene, rowsPerChunk: 100 });
	return Object.fromEntries(
		[...all].map(([key, bytes]) => [`/data.zarr/${key}`, bytes]),
	);
}

const suite = useServers({
	own: () =>
		serve(data(), {
			"/app/bundle/": `${folder}/`,
			"/app/": at("web/dist/"), // worker and modules, which bundlers copy there
		}),
});

beforeAll(async () => {
	// Packages are found beside the tools; bevscope is the build of this checkout.
	const { exports } = JSON.parse(readFileSync(at("web/package.json"), "utf8"));
	const entry = (name: string) => at(`web/${exports[name].default}`);
	await build({
		stdin: {
			contents: `import ${JSON.stringify(entry("./define"))};`,
			resolveDir: at("web"),
		},
		outdir: folder,
		...{ bundle: true, splitting: true, format: "esm", minify: true },
		logLevel: "error",
	});
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens a viewer of the page's script; returns the requests until nothing more is asked. */
async function requestsOf(script: string): Promise<string[]> {
	suite.own.put(
		"/page.html",
		`<!doctype html><title>page</title><link rel="icon" href="data:,">
		<style>bev-viewer { height: 600px; }</style>
		<script type="module" src="${script}"></script>
		<bev-viewer src="/data.zarr"></bev-viewer>`,
	);
	const { page } = await openPage(suite.browser, suite.own, "/page.html");
	const before = suite.own.log.length;
	await page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.settled);
	await page.getByRole("slider", { name: "Frame" }).waitFor();
	let count = -1;
	await expect
		.poll(
			() => {
				const rests = count === suite.own.log.length;
				count = suite.own.log.length;
				return rests;
			},
			{ interval: 1000 },
		)
		.toBe(true);
	expect(before).toBeGreaterThan(0);
	return suite.own.log.map(({ path }) => path).filter((path) => path !== "/page.html");
}

describe("browser/requests", () => {
	for (const [name, script] of [
		["the script of a CDN", "/dist/cdn/viewer.js"],
		["a bundle", "/app/bundle/stdin.js"],
	] as const) {
		it(`a viewer of ${name} asks for at most ${LIMIT} files`, async () => {
			if (name === "a bundle") expect(existsSync(join(folder, "stdin.js"))).toBe(true);
			suite.own.log.length = 0;
			const asked = await requestsOf(script);
			expect(asked.some((path) => path.startsWith("/data.zarr/"))).toBe(true);
			expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(LIMIT);
		});
	}
});
