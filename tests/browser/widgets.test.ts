import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { openPage, serve, useServers } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "bevscope-widgets-"));

const suite = useServers({
	own: () => serve({}, { "/app/widgets/": `${folder}/`, "/app/": at("web/dist/") }),
});

beforeAll(() =>
	build({
		entryPoints: {
			anywidget: at("web/viewer/anywidget.js"),
			observable: at("web/viewer/observable.js"),
			classes: at("web/dist/elements/index.js"),
			elements: at("web/dist/elements/define.js"),
		},
		outdir: folder,
		alias: {
			"bevscope/define": at("web/dist/elements/define.js"),
			"bevscope/element": at("web/dist/elements/index.js"),
		},
		nodePaths: [at("web/node_modules")],
		...{ bundle: true, splitting: true, format: "esm" },
		logLevel: "error",
	}),
);
afterAll(() => rmSync(folder, { recursive: true }));

/** The module that a page has loaded. */
declare const loaded: unknown;

/** Loads an entry. Written as text, because tests replace `import()`. */
function load(page: Page, name: string): Promise<unknown> {
	const script = `import("/app/widgets/${name}.js")`;
	return page.evaluate(`${script}.then((all) => void (globalThis.loaded = all))`);
}

describe("browser/widgets", () => {
	it("a front end of anywidget follows its traits, and they follow it", async () => {
		const { page, complaints } = await openPage(suite.browser, suite.own);
		await load(page, "anywidget");
		const got = await page.evaluate(async () => {
			const { default: widget } =
				loaded as typeof import("../../web/viewer/anywidget.js");
			const traits = new Map<string, unknown>([
				["src", "/tiny.zarr"],
				["frame", 2],
				["height", 300],
			]);
			const listeners = new Map<string, () => void>();
			let saved = 0;
			const model = {
				get: (name: string) => traits.get(name),
				set: (name: string, value: unknown) => void traits.set(name, value),
				save_changes: () => {
					saved += 1;
				},
				on: (event: string, listener: () => void) =>
					void listeners.set(event, listener),
				off: (event: string) => void listeners.delete(event),
			};
			const close = widget.render({ model, el: document.body });
			const viewer = document.querySelector<Viewer>("bev-viewer");
			if (!viewer) throw new Error("no viewer");
			await viewer.settled;
			const first = [viewer.frame, viewer.offsetHeight];
			const moved = new Promise((resolve) =>
				viewer.addEventListener("frame-change", resolve, { once: true }),
			);
			traits.set("frame", 4);
			listeners.get("change:frame")?.();
			await moved;
			await viewer.goTo(1, 3);
			const last = [traits.get("scene"), traits.get("frame"), saved > 0];
			traits.set("map_src", "/map.pb");
			listeners.get("change:map_src")?.();
			const attribute = viewer.getAttribute("map-src");
			close();
			const left = [listeners.size, document.querySelector("bev-viewer")];
			return { first, last, attribute, left };
		});
		expect(got).toEqual({
			first: [2, 300],
			last: [1, 3, true],
			attribute: "/map.pb",
			left: [0, null],
		});
		expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
	});

	it("the classes alone define no element", async () => {
		const { page } = await openPage(suite.browser, suite.own);
		await load(page, "classes");
		const defined = () => page.evaluate(() => !!customElements.get("bev-viewer"));
		expect(await defined()).toBe(false);
		await load(page, "elements");
		expect(await defined()).toBe(true);
	});

	it("an input of Observable has the position as its value", async () => {
		const { page } = await openPage(suite.browser, suite.own);
		await load(page, "observable");
		const got = await page.evaluate(async () => {
			const { viewer } = loaded as typeof import("../../web/viewer/observable.js");
			const input = viewer({ src: "/tiny.zarr", frame: 1, loop: true, height: 200 });
			document.body.append(input);
			await input.settled;
			const first = input.value;
			const told = new Promise((resolve) =>
				input.addEventListener("input", () => resolve(input.value), { once: true }),
			);
			input.value = { scene: 1, frame: 2 };
			await told;
			await input.settled;
			let refused = "";
			try {
				viewer({ sorce: "/tiny.zarr" });
			} catch (error) {
				refused = String(error);
			}
			return { first, loop: input.hasAttribute("loop"), last: input.value, refused };
		});
		expect(got).toMatchObject({
			first: { scene: 0, frame: 1 },
			loop: true,
			last: { scene: 1, frame: 2 },
			refused: expect.stringMatching(
				/^TypeError: viewer: unknown option "sorce" \(expected height, theme, src,/,
			),
		});
	});
});
