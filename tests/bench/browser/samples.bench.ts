import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { launch, openPage, serve } from "../../browser/harness.js";
import { GOLDENS } from "../../support/goldens.js";
import { readNpz } from "../../support/npz.js";

// L5Kit's samples a second in Chromium, one thread: to views of WebAssembly memory, and
// delivered to the page in recycled batches. What L5Kit itself makes on this machine is
// measured by scripts/bench in the same run.

/** How long each figure is measured. */
const MS = 1500;

interface Views {
	readonly rate: number;
	readonly wrong: number;
}

const CASES = [
	{ config: "B_stub", data: "single", kind: "ego" },
	{ config: "B_stub", data: "single", kind: "agent" },
	{ config: "B_box", data: "single", kind: "ego" },
	{ config: "D_sem", data: "single", kind: "ego" },
	{ config: "A_sat", data: "single", kind: "ego" },
] as const;

const FOLDERS = { single: "single_scene", multi: "multi_scene" } as const;

const at = (path: string): string =>
	fileURLToPath(new URL(`../../../${path}`, import.meta.url));

function configOf(name: string): string {
	const manifest = JSON.parse(readFileSync(`${GOLDENS}/manifest.json`, "utf8")) as {
		configs: Record<string, unknown>;
	};
	return JSON.stringify(manifest.configs[name]);
}

/** One of L5Kit's own samples, which is compared before anything is timed. */
function checked(config: string, data: string, kind: string) {
	const file = `${GOLDENS}/outputs/samples/${config}_${data}_${kind}.npz`;
	const golden = readNpz(file);
	const index = Number(golden.get("indices")?.data[1]);
	const name = "target_positions";
	const array = golden.get(`${String(index).padStart(5, "0")}.${name}`);
	const indices = Array.from(golden.get("indices")?.data ?? [], Number);
	// Where it crops an aerial image, not every frame lies in that.
	const only = config === "A_sat" ? indices : null;
	return { index, name, data: Array.from(array?.data ?? [], Number), only };
}

/** Calls one of the page's measures. */
function measure<T>(page: Page, name: string, ...given: unknown[]): Promise<T> {
	const args = given.map((one) => JSON.stringify(one)).join(", ");
	const script = `import("/bench/samples.page.js").then((it) => it.measures.${name}(${args}))`;
	return page.evaluate<T>(script);
}

const line = (title: string, rate: number, unit: string): void =>
	console.log(`${title.padEnd(44)} ${rate.toFixed(0).padStart(9)} ${unit}`);

it.skipIf(!GOLDENS)("samples a second, and agents selected", async () => {
	const [server, browser] = await Promise.all([
		serve({}, { "/bench/": at("tests/bench/browser") }),
		launch(),
	]);
	const { page } = await openPage(browser, server);
	for (const { config: name, data, kind } of CASES) {
		const root = `${server.origin}/goldens/${FOLDERS[data]}.zarr`;
		const inputs = `${server.origin}/goldens`;
		const given = [root, inputs, configOf(name), kind, "f32"] as const;
		const known = checked(name, data, kind);
		const views = await measure<Views>(page, "toViews", ...given, known, MS);
		expect(views.wrong).toBe(0);
		line(`${name} ${kind}, views`, views.rate, "samples/s");
		const batch = name === "B_stub" ? 64 : 8;
		const { rate } = await measure<Views>(
			page,
			"delivered",
			...given,
			known.only,
			batch,
		);
		line(`${name} ${kind}, delivered, batches of ${batch}`, rate, "samples/s");
	}
	const root = `${server.origin}/goldens/single_scene.zarr`;
	const mask = readNpz(`${GOLDENS}/outputs/select/single_th0.5.npz`);
	const counts = Array.from([...mask.values()][0]?.data ?? [], Number);
	const items = counts.filter(
		(past, i) => i % 2 === 0 && past >= 10 && (counts[i + 1] ?? 0) >= 1,
	);
	const { rate, found } = await measure<{ rate: number; found: number }>(
		page,
		"selected",
		root,
		configOf("B_stub"),
		MS,
	);
	expect(found).toBe(items.length);
	line("agents selected", rate, "agents/s");
	await browser.close();
	await server.close();
});
