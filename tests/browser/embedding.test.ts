import type { Frame, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type * as Elements from "../../web/src/elements/page.js";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { openPage, STRICT_CSP, serve, useServers } from "./harness.js";

const at = useServers({ own: () => serve(), other: () => serve() });

/** A page with the viewer, which reads from `data`. */
function pageWith(data: string, script = "/dist/cdn/viewer.js"): string {
	return `<!doctype html><title>page</title>
		<script type="module" src="${script}"></script>
		<bev-viewer src="${data}/tiny.zarr"></bev-viewer>`;
}

/** What the viewer found and drew; `within` is an expression of its document or root. */
function shown(page: Page | Frame, within = "document") {
	return page.evaluate(async (expression) => {
		const root = new Function(`return ${expression}`)() as ParentNode;
		await customElements.whenDefined("bev-viewer");
		const viewer = root.querySelector<Viewer>("bev-viewer");
		await viewer?.settled;
		const data = viewer?.data as { capabilities?: { worker: string } } | undefined;
		const picture = (await viewer?.toBlob())?.size ?? 0;
		return {
			frame: viewer?.controller?.state.shown?.frame,
			drawn: picture > 2000,
			worker: data?.capabilities?.worker,
		};
	}, within);
}

/** Errors of the page, except absent optional files of the data set. */
const serious = (complaints: readonly string[]): string[] =>
	complaints.filter((text) => !text.includes("404"));

async function frameOf(page: Page): Promise<Frame> {
	const frame = await (await page.locator("iframe").elementHandle())?.contentFrame();
	if (!frame) throw new Error("there is no frame");
	await frame.waitForLoadState();
	return frame;
}

describe("browser/embedding: an isolated page", () => {
	const ISOLATED = {
		"Cross-Origin-Opener-Policy": "same-origin",
		"Cross-Origin-Embedder-Policy": "require-corp",
	};

	it("reads data of another origin that permits it", async () => {
		at.own.fault({ match: /./, headers: ISOLATED });
		at.own.put("/page.html", pageWith(at.other.origin));
		const { page, complaints } = await openPage(at.browser, at.own);
		expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
		expect(await shown(page)).toEqual({ frame: 0, drawn: true, worker: "module" });
		expect(serious(complaints)).toEqual([]);
	});

	it("loads the package from another origin", async () => {
		const CORP = { "Cross-Origin-Resource-Policy": "cross-origin", ...ISOLATED };
		at.own.fault({ match: /./, headers: ISOLATED });
		at.other.fault({ match: /./, headers: CORP });
		const script = `${at.other.origin}/dist/cdn/viewer.js`;
		at.own.put("/page.html", pageWith(at.own.origin, script));
		const { page, complaints } = await openPage(at.browser, at.own);
		expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
		expect(await shown(page)).toEqual({ frame: 0, drawn: true, worker: "blob" });
		expect(serious(complaints)).toEqual([]);
	});
});

describe("browser/embedding: a frame", () => {
	it.each([
		["of another origin", "", "module"],
		["with scripts and its origin", "allow-scripts allow-same-origin", "module"],
		["with scripts only", "allow-scripts", "blob"],
	])("%s shows the viewer with a worker", async (_, sandbox, worker) => {
		at.other.put("/frame.html", pageWith(at.other.origin));
		const attribute = sandbox && `sandbox="${sandbox}"`;
		const src = `${at.other.origin}/frame.html`;
		at.own.put(
			"/page.html",
			`<!doctype html><iframe width="900" height="600" ${attribute} src="${src}"></iframe>`,
		);
		const { page, complaints } = await openPage(at.browser, at.own);
		const frame = await frameOf(page);
		expect(await shown(frame)).toEqual({ frame: 0, drawn: true, worker });
		expect(serious(complaints)).toEqual([]);
	});
});

describe("browser/embedding: a shadow root of the page", () => {
	it("contains a viewer that draws, with its own styles", async () => {
		at.own.put(
			"/page.html",
			`<!doctype html><script type="module" src="/dist/cdn/viewer.js"></script>
			<div id="host"></div>`,
		);
		at.own.csp = `${STRICT_CSP}; img-src 'self'`;
		const { page, complaints } = await openPage(at.browser, at.own);
		await page.evaluate(() => {
			const root = document.querySelector("#host")?.attachShadow({ mode: "open" });
			const viewer = document.createElement("bev-viewer");
			viewer.setAttribute("src", "/tiny.zarr");
			root?.append(viewer);
		});
		const root = "document.querySelector('#host').shadowRoot";
		// The string is evaluated by the test, which the page's policy does not concern.
		expect(await shown(page, root)).toEqual({
			frame: 0,
			drawn: true,
			worker: "module",
		});
		const play = page.getByRole("button", { name: "Play" });
		await play.click();
		await expect
			.poll(() => page.getByRole("button", { name: "Pause" }).count())
			.toBe(1);
		expect(serious(complaints)).toEqual([]);
	});
});

describe("browser/embedding: a page with a colour of its own", () => {
	/** Returns how many pixels of a part of the page are reddish, as the page is. */
	async function reddish(page: Page, top: number, height: number): Promise<number> {
		const clip = { x: 0, y: top, width: 1280, height };
		const bytes = [...(await page.screenshot({ clip }))];
		return page.evaluate(async (png) => {
			const bitmap = await createImageBitmap(new Blob([Uint8Array.from(png)]));
			const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
			const context = canvas.getContext("2d");
			context?.drawImage(bitmap, 0, 0);
			const { data = new Uint8ClampedArray() } =
				context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {};
			let count = 0;
			for (let i = 0; i < data.length; i += 4) {
				const [red = 0, green = 0, blue = 0] = data.subarray(i, i + 3);
				if (red > 60 && red > 4 * (green + blue)) count += 1;
			}
			return count;
		}, bytes);
	}

	it.each(["dark", "light"])(
		"shows through nowhere, and remains visible beside the viewer (%s)",
		async (theme) => {
			at.own.put(
				"/page.html",
				`<!doctype html><style>html { background: #f00 } body { margin: 0 } bev-viewer { height: 500px }</style>
			<script type="module" src="/dist/cdn/viewer.js"></script>
			<bev-viewer src="/tiny.zarr" theme="${theme}"></bev-viewer>`,
			);
			const { page } = await openPage(at.browser, at.own);
			await page.setViewportSize({ width: 1280, height: 700 });
			await shown(page);
			expect(await reddish(page, 0, 500)).toBe(0);
			expect(await reddish(page, 500, 200)).toBe(1280 * 200);
		},
	);
});

describe("browser/embedding: configure", () => {
	it("sets where viewer, tools and workers find their files", async () => {
		at.own.csp = `${STRICT_CSP}; img-src 'self'`;
		const { page, complaints } = await openPage(at.browser, at.own);
		const elements = await page.evaluateHandle<typeof Elements>(
			'import("/dist/cdn/viewer.js")',
		);
		const review = await page.evaluate(async ({ configure }) => {
			configure({ base: "/dist/../dist/./?copy=1" });
			const viewer = document.createElement("bev-viewer") as Viewer;
			viewer.setAttribute("src", "/tiny.zarr");
			document.body.append(viewer);
			await viewer.settled;
			const csv = "timestamp,track_id,conf_0,coord_x00,coord_y00\n1,1,1.0,0.0,0.0\n";
			await viewer.controller?.reviews.give(csv, "p.csv");
			const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
			return loaded.filter((name) => name.endsWith("?copy=1")).sort();
		}, elements);
		expect(review.map((name) => name.replace(at.own.origin, ""))).toEqual([
			"/dist/review-worker.js?copy=1",
			"/dist/wasm/bev_core.wasm?copy=1",
			"/dist/wasm/bev_tools.wasm?copy=1",
			"/dist/worker.js?copy=1",
		]);
		expect(serious(complaints)).toEqual([]);
	});

	it("with a wrong place is an error that names what was found", async () => {
		at.own.fault({
			match: /\/nowhere\//,
			times: 99,
			headers: { "Content-Type": "text/html" },
		});
		at.own.put("/nowhere/wasm/bev_core.wasm", "<!doctype html><title>app</title>");
		const { page } = await openPage(at.browser, at.own);
		const elements = await page.evaluateHandle<typeof Elements>(
			'import("/dist/cdn/viewer.js")',
		);
		const message = await page.evaluate(async ({ configure }) => {
			configure({ base: "/nowhere" });
			const viewer = document.createElement("bev-viewer") as Viewer;
			viewer.setAttribute("src", "/tiny.zarr");
			document.body.append(viewer);
			return viewer.settled.then(
				() => "settled",
				(error: Error) => `${error.message} / ${(error.cause as Error)?.message}`,
			);
		}, elements);
		expect(message).toContain(
			'not a WebAssembly module (found text/html "<!doctype html>"',
		);
	});
});
