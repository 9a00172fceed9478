import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import * as app from "./viewer-harness.js";

const DEFINE = fileURLToPath(
	new URL("../../web/dist/elements/define.js", import.meta.url),
);

const suite = app.useViewer();

/**
 * Replaces the page's viewer with one with these attributes, and waits until it has
 * drawn.
 */
async function put(page: Page, attributes: Readonly<Record<string, string>>) {
	await page.evaluate(
		async ([src, all]) => {
			const viewer = document.createElement("bev-viewer");
			for (const [name, value] of Object.entries(all)) viewer.setAttribute(name, value);
			viewer.setAttribute("src", src);
			document.querySelector("main")?.replaceChildren(viewer);
			await viewer.settled;
		},
		[app.TINY_SOURCE, attributes] as const,
	);
}

/** Returns those of `parts` that a page's style does not reach. Runs in the page. */
function unstyled(parts: readonly string[]): string[] {
	const sheet = new CSSStyleSheet();
	for (const part of parts)
		sheet.insertRule(`bev-viewer::part(${part}) { outline: 3px dotted red; }`);
	document.adoptedStyleSheets = [sheet];
	const found: string[] = [];
	const look = (root: ParentNode): void => {
		for (const element of root.querySelectorAll("*")) {
			const { part } = element;
			if (getComputedStyle(element).outlineStyle === "dotted") found.push(...part);
			if (element.shadowRoot) look(element.shadowRoot);
		}
	};
	look(document);
	return parts.filter((part) => !found.includes(part));
}

describe("attributes of a viewer", () => {
	it("set the initial state and apply changes", async () => {
		const { page, complaints } = await app.openApp(suite);
		const link = { coords: "ego", layers: "ego,vehicle", threshold: "0.25" };
		await put(page, { ...link, track: "3", follow: "heading", speed: "4", loop: "" });
		expect(await app.stateOf(page)).toMatchObject({
			selection: "3",
			follow: "heading",
			layers: ["ego", "vehicle"],
			threshold: 0.25,
			speed: 4,
		});
		const changed = await page.evaluate(async () => {
			const viewer = document.querySelector("bev-viewer");
			viewer?.setAttribute("layers", "lanes");
			viewer?.setAttribute("track", "ego");
			viewer?.removeAttribute("loop");
			viewer?.setAttribute("threshold", "many");
			await viewer?.updateComplete;
			const { layers, selection, loop, notices } = viewer?.controller?.state ?? {};
			return { layers: [...(layers ?? [])], selection, loop, notices };
		});
		expect(changed).toMatchObject({
			layers: ["lanes"],
			selection: "ego",
			loop: false,
			notices: ["Link: ignored th=many (expected a number from 0 to 1)"],
		});
		expect(complaints).toEqual([]);
	});

	it("autoplay, unless prefers-reduced-motion is set", async () => {
		for (const reducedMotion of [false, true]) {
			const { page } = await app.openApp(suite, { reducedMotion });
			await put(page, { autoplay: "", loop: "" });
			// Autoplay would have started by now: it begins with the first picture.
			await app.drawn(page);
			expect((await app.stateOf(page)).playing).toBe(!reducedMotion);
			await page.context().close();
		}
	});

	it("hide everything but the picture", async () => {
		const { page } = await app.openApp(suite);
		await put(page, { controls: "none" });
		expect(
			await page.locator("bev-timeline, bev-layers, bev-agent-table").count(),
		).toBe(0);
		const [picture, viewer] = await Promise.all([
			page.locator("bev-scene-view").boundingBox(),
			page.locator("bev-viewer").boundingBox(),
		]);
		expect(picture).toEqual(viewer);
	});
});

describe("a viewer controlled by a page", () => {
	it("is controlled, queried and closed by methods and properties", async () => {
		const { page, complaints } = await app.openTiny(suite, { link: "z=60" });
		const at = await app.agentOnPage(page, 1);
		const said = await page.evaluate(async ({ x, y }) => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			if (!viewer) throw new Error("there is no viewer");
			const picked = viewer.pick(x, y);
			viewer.seek(3);
			viewer.step(1);
			viewer.selection = picked;
			viewer.camera = { ...viewer.camera, span: 80 };
			const { span } = viewer.camera;
			viewer.fit();
			await viewer.settled;
			const blob = await viewer.toBlob();
			const told: number[] = [];
			const video = await viewer.record({ onProgress: ({ done }) => told.push(done) });
			const { requests } = viewer.stats;
			const said = {
				...{ frame: viewer.controller?.state.frame, picked: String(viewer.selection) },
				...{ span, fitted: viewer.camera.span, type: blob?.type },
				...{
					video: video.type,
					told,
					read: requests > 0,
					scenes: viewer.data?.scenes.length,
				},
				...{ capable: viewer.capabilities.videos },
			};
			viewer.close();
			return { ...said, phase: viewer.controller?.state.phase };
		}, at);
		expect(said).toEqual({
			...{ frame: 4, picked: "2", span: 80, fitted: 110, type: "image/png" },
			...{ video: "video/webm", told: [1, 2, 3, 4, 5, 6], read: true, scenes: 2 },
			...{ capable: true, phase: "empty" },
		});
		expect(complaints).toEqual([]);
	});

	it("reports camera, buffer, state and a lost canvas", async () => {
		const { page } = await app.openTiny(suite);
		await app.still(page);
		await page.evaluate(() => {
			const events: Record<string, unknown> = {};
			Object.assign(window, { events });
			const names = ["camera-change", "buffer-change", "state-change", "context-lost"];
			for (const name of names) {
				document.addEventListener(name, (event) => {
					events[name] = (event as CustomEvent).detail;
				});
			}
			const viewer = document.querySelector<Viewer>("bev-viewer");
			viewer?.controller?.setCamera({ ...viewer.camera, span: 70 });
			viewer?.controller?.setScene(1);
			const view = viewer?.renderRoot.querySelector("bev-scene-view");
			view?.canvas?.dispatchEvent(new Event("contextlost"));
		});
		const told = () =>
			page.evaluate(
				() => (window as unknown as { events: Record<string, unknown> }).events,
			);
		await expect.poll(told).toMatchObject({
			"camera-change": { camera: { span: 70 } },
			"buffer-change": { buffered: [{ begin: 0, end: 6 }] },
			"state-change": { state: expect.stringMatching(/&s=1&.*z=70/) },
		});
		expect(await told()).toHaveProperty("context-lost");
	});

	it("exposes its parts to the page's styles", async () => {
		const { page } = await app.openTiny(suite);
		const always = ["canvas", "timeline", "playhead", "buffered", "controls"].concat([
			"layers",
			"plots",
			"lights",
		]);
		const missing = async (parts: readonly string[]) => page.evaluate(unstyled, parts);
		expect(await missing([...always, "table"])).toEqual([]);
		await app.openTab(page, "Predictions");
		await page.locator("bev-review").waitFor();
		expect(await missing([...always, "review"])).toEqual([]);
	});
});

describe("two versions of the package on one page", () => {
	it("keep the first one's definitions, which continue to work", async () => {
		const { outputFiles } = await build({
			entryPoints: [DEFINE],
			bundle: true,
			format: "esm",
			write: false,
			logLevel: "error",
		});
		suite.server.put("/support/other.js", outputFiles[0]?.contents ?? "");
		const { page, complaints } = await app.openTiny(suite);
		// A string, since the test runner would transform `import()`.
		const same = await page.evaluate(`(async () => {
			const first = customElements.get("bev-viewer");
			await import("/support/other.js");
			return customElements.get("bev-viewer") === first;
		})()`);
		expect(same).toBe(true);
		await put(page, { frame: "2", track: "ego" });
		expect(await app.stateOf(page)).toMatchObject({ shown: 2, selection: "ego" });
		await app.openTab(page, "Raster");
		await page.getByText(/of 22 channels/).waitFor({ state: "attached" });
		expect(complaints).toEqual([]);
	});
});
