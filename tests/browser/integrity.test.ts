import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import type * as Library from "../../web/src/index.js";
import { openPage, serve, useServers } from "./harness.js";

const at = useServers({ own: () => serve() });

const PROGRAM = fileURLToPath(
	new URL("../../web/bin/bevscope-files.mjs", import.meta.url),
);

/** Hashes by address, as `bevscope-files --integrity` prints them. */
function hashes(url: string): Record<string, string> {
	const said = execFileSync(process.execPath, [PROGRAM, "--integrity", url], {
		encoding: "utf8",
	});
	return JSON.parse(said).integrity;
}

function pageWith(integrity: Readonly<Record<string, string>>, body: string): string {
	const map = JSON.stringify({ integrity });
	return `<!doctype html><title>page</title>
		<script type="importmap">${map}</script>${body}`;
}

const VIEWER = `<script type="module" src="/dist/cdn/viewer.js"></script>
	<bev-viewer src="/tiny.zarr"></bev-viewer>`;

describe("browser/integrity", () => {
	it("an import map of all hashes loads every script of a viewer", async () => {
		at.own.put("/page.html", pageWith(hashes("/dist/"), VIEWER));
		const { page, complaints } = await openPage(at.browser, at.own);
		await page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.settled);
		await page.getByRole("slider", { name: "Frame" }).waitFor();
		const asked = at.own.asked("/dist/").filter((file) => /\.(js|wasm)$/.test(file));
		expect(asked.length).toBeGreaterThan(4);
		const known = Object.keys(hashes("/dist"));
		expect(asked.filter((file) => !known.includes(`/dist/${file}`))).toEqual([]);
		expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
	});

	it("a script that was changed is refused", async () => {
		const all = hashes("/dist");
		const chunk = Object.keys(all).find((path) => path.includes("chunks/elements-"));
		const other = { ...all, [String(chunk)]: all["/dist/cdn/viewer.js"] ?? "" };
		at.own.put("/page.html", pageWith(other, VIEWER));
		const { page, complaints } = await openPage(at.browser, at.own);
		await expect.poll(() => complaints.join("\n")).toMatch(/integrity/);
		expect(await page.evaluate(() => customElements.get("bev-viewer"))).toBeUndefined();
	});

	it("modules and workers are checked by the page that fetches them", async () => {
		at.own.put("/page.html", pageWith(hashes("/dist"), ""));
		const { page } = await openPage(at.browser, at.own);
		const work = async (wrong: string) => {
			const text = document.querySelector("script[type=importmap]")?.textContent ?? "";
			const { integrity } = JSON.parse(text);
			const checked = (path: string) =>
				fetch(path, { integrity: integrity[path === wrong ? "/dist/index.js" : path] });
			try {
				const worker = await (await checked("/dist/worker.js")).blob();
				const wasm = await (await checked("/dist/wasm/bev_core.wasm")).arrayBuffer();
				const lib: typeof Library = await new Function(
					'return import("/dist/cdn/bevscope.js")',
				)();
				lib.configure({ wasm, worker: URL.createObjectURL(worker) });
				const dataset = await lib.ChunkedDataset.open("/tiny.zarr");
				const { agents } = await dataset.frame(0, 0);
				return [agents.length, dataset.capabilities.worker];
			} catch (error) {
				return String(error);
			}
		};
		expect(await page.evaluate(work, "")).toEqual([3, "module"]);
		for (const path of ["/dist/worker.js", "/dist/wasm/bev_core.wasm"])
			expect(await page.evaluate(work, path)).toMatch(/TypeError: Failed to fetch/);
	});
});
