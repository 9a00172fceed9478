import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, JSHandle, Page } from "playwright-core";
import { beforeEach } from "vitest";
import type { ViewerController } from "../../web/src/elements/session/controller.js";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { ENGINE } from "../support/engines.js";
import { FaultyServer } from "../support/http-server.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import { STRICT_CSP, useServers } from "./harness.js";

/** The built app. */
const APP = fileURLToPath(new URL("../../build/app", import.meta.url));

/** Scripts that generate data in the page. */
const SUPPORT = fileURLToPath(new URL("../support", import.meta.url));

/** Time limit for two browsers on two busy cores. */
const PATIENCE_MS = 30_000;

/** The page's icon and typeface are the only additions to the package's requirements. */
export const APP_CSP = `${STRICT_CSP}; img-src 'self'; font-src 'self'`;

export const TINY_SOURCE = "/data/tiny.zarr";

/** Additional content to serve, by path. */
export interface More {
	readonly folders?: Readonly<Record<string, string>>;
	readonly objects?: ReadonlyMap<string, Uint8Array | string>;
}

/**
 * Serves the app at `/app/` and the tiny data set at `TINY_SOURCE`, with the policy.
 */
export async function serveApp(more: More = {}): Promise<FaultyServer> {
	if (!existsSync(`${APP}/index.html`)) {
		throw new Error("build/app is not built: run npm --prefix web run build");
	}
	const objects = new Map<string, Uint8Array | string>(more.objects ?? []);
	for (const [key, bytes] of tinyDataset()) objects.set(`${TINY_SOURCE}/${key}`, bytes);
	const server = await FaultyServer.start({
		folders: { "/app/": APP, "/support/": SUPPORT, ...more.folders },
		objects,
	});
	server.csp = APP_CSP;
	return server;
}

/**
 * A browser and a server of the app for the tests of one file; pages close after each
 * test.
 */
export interface ViewerSuite {
	readonly browser: Browser;
	readonly server: FaultyServer;
}

/** Starts both before the following tests, and stops them afterwards. */
export function useViewer(
	more: () => More = () => ({}),
	startBrowser?: () => Promise<Browser>,
): ViewerSuite {
	const suite = useServers({ server: () => serveApp(more()) }, startBrowser);
	beforeEach(() => {
		suite.server.csp = APP_CSP;
	});
	return suite;
}

export interface Opened {
	readonly page: Page;
	/** Errors of the page and its console. */
	readonly complaints: string[];
}

export interface OpenOptions {
	readonly width?: number;
	readonly height?: number;
	readonly theme?: "dark" | "light";
	/** The link, without `#`. */
	readonly link?: string;
	readonly reducedMotion?: boolean;
	/** Emulates forced colours. */
	readonly forcedColors?: boolean;
	/** Emulates touch instead of a mouse. */
	readonly touch?: boolean;
}

/** Opens the app in a new page, at a link. */
export async function openApp(
	{ browser, server }: ViewerSuite,
	options: OpenOptions = {},
): Promise<Opened> {
	const { width = 1280, height = 800, theme = "dark", link = "" } = options;
	const context = await browser.newContext({
		viewport: { width, height },
		colorScheme: theme,
		reducedMotion: options.reducedMotion ? "reduce" : "no-preference",
		forcedColors: options.forcedColors ? "active" : "none",
		hasTouch: options.touch ?? false,
	});
	const page = await context.newPage();
	page.setDefaultTimeout(PATIENCE_MS);
	const complaints: string[] = [];
	page.on("pageerror", (error) => complaints.push(String(error)));
	page.on("console", (message) => {
		// The browser also logs 404s of optional objects.
		const expected = message.text().startsWith("Failed to load resource");
		if (message.type() === "error" && !expected) complaints.push(message.text());
	});
	await page.goto(`${server.origin}/app/index.html${link ? `#${link}` : ""}`);
	return { page, complaints };
}

/** Local files held over the page. */
export interface Drag {
	drop(): Promise<void>;
	cancel(): Promise<void>;
}

/** Interval at which browsers repeat `dragover` while files are held, in milliseconds. */
const DRAG_MS = 350;

/**
 * Drags local files or folders onto the page, until it says what dropping would do. Like
 * browsers, repeats events: one is lost when what is below the pointer changes.
 */
export async function dragFiles(page: Page, files: readonly string[]): Promise<Drag> {
	const session = await page.context().newCDPSession(page);
	const data = { items: [], files: [...files], dragOperationsMask: 1 };
	const send = async (type: "dragEnter" | "dragOver" | "drop" | "dragCancel") => {
		await session.send("Input.dispatchDragEvent", { type, x: 600, y: 400, data });
	};
	const preview = page.locator(".over [role=status]");
	const becomes = (state: "visible" | "detached", timeout: number): Promise<boolean> =>
		preview.waitFor({ state, timeout }).then(
			() => true,
			() => false,
		);
	const over = async (): Promise<void> => {
		do await send("dragOver");
		while (!(await becomes("visible", DRAG_MS)));
	};
	const drop = async (): Promise<void> => {
		do {
			await over();
			await send("dragOver");
			await send("drop");
		} while (!(await becomes("detached", 10 * DRAG_MS)));
	};
	await send("dragEnter");
	await over();
	return { drop, cancel: () => send("dragCancel") };
}

/** Drops local files or folders on the page. */
export async function dropFiles(page: Page, files: readonly string[]): Promise<void> {
	await (await dragFiles(page, files)).drop();
}

/** Opens the app with the tiny data set and waits until it has drawn. */
export async function openTiny(
	suite: ViewerSuite,
	options: OpenOptions = {},
): Promise<Opened> {
	const link = `v=1&src=${TINY_SOURCE}${options.link ? `&${options.link}` : ""}`;
	const opened = await openApp(suite, { ...options, link });
	await settled(opened.page);
	return opened;
}

/** Opens a data set and waits for its first frame and its panels only. */
export async function openPictured(
	suite: ViewerSuite,
	source = TINY_SOURCE,
): Promise<Opened> {
	const opened = await openApp(suite, { link: `v=1&src=${source}` });
	await (await controllerOf(opened.page)).evaluate((it) => it.displayed);
	await opened.page.locator("bev-timeline").waitFor();
	return opened;
}

/**
 * Opens the app with the synthetic scene of `tests/support/made-scene.js`, served at
 * `/support/`.
 */
export async function openMade(
	suite: ViewerSuite,
	options: OpenOptions = {},
): Promise<Opened> {
	const opened = await openApp(suite, options);
	// A string, since the test runner would transform `import()`.
	await opened.page.evaluate(
		"import('/support/made-scene.js').then((made) => document.querySelector('bev-viewer').show('made', made.opened()))",
	);
	await settled(opened.page);
	return opened;
}

/** Like `openMade`, with predictions of two models in every tenth frame, all loaded. */
export async function openModels(
	suite: ViewerSuite,
	options: OpenOptions,
): Promise<Opened> {
	const opened = await openMade(suite, options);
	const { page } = opened;
	await page.evaluate(`import('/support/made-scene.js').then(({ predictions }) => {
		document.querySelector('bev-viewer').predictions = [0.5, 1].map((off, i) => ({
			name: 'model ' + (i + 1), from: predictions(off),
		}));
	})`);
	const controller = await controllerOf(page);
	await page.waitForFunction(
		({ state }) => state.review.drawn.length === 2,
		controller,
	);
	await buffered(page, 248);
	await settled(page);
	return opened;
}

/** Returns the controller of the page's viewer, for `evaluate`. */
export function controllerOf(page: Page): Promise<JSHandle<ViewerController>> {
	return page.evaluateHandle(() => {
		const { controller } = document.querySelector<Viewer>("bev-viewer") ?? {};
		if (!controller) throw new Error("there is no viewer");
		return controller;
	});
}

/** Waits until the first `frames` frames of the scene are loaded. */
export async function buffered(page: Page, frames: number): Promise<void> {
	const controller = await controllerOf(page);
	await page.waitForFunction(
		([{ state }, count]) =>
			state.buffered[0]?.begin === 0 && state.buffered[0].end === count,
		[controller, frames] as const,
	);
}

/**
 * Returns the frames displayed during playback, until `last` and then `first` were
 * displayed, or a large number of frames.
 */
export async function roundSeen(
	page: Page,
	first: number,
	last: number,
): Promise<number[]> {
	const controller = await controllerOf(page);
	return controller.evaluate(
		async (it, ends) => {
			const seen: number[] = [];
			const isRound = (): boolean =>
				seen.at(-1) === ends.first && seen.includes(ends.last);
			while (seen.length < 200 && !isRound()) {
				if (seen.at(-1) !== it.state.frame) seen.push(it.state.frame);
				await new Promise(requestAnimationFrame);
			}
			return seen;
		},
		{ first, last },
	);
}

/** Returns name and bytes of the file that the page saves during `act`. */
export async function downloaded(
	page: Page,
	act: () => Promise<void>,
): Promise<[string, Buffer]> {
	if (ENGINE === "chromium") {
		const download = page.waitForEvent("download", { timeout: 60_000 });
		await Promise.all([download, act()]);
		const file = await download;
		return [file.suggestedFilename(), readFileSync(await file.path())];
	}
	await page.evaluate(catchDownload);
	await act();
	const [name, data] = await page.evaluate(() => Reflect.get(window, "download"));
	return [name, Buffer.from(data.split(",")[1] ?? "", "base64")];
}

/**
 * Sets `window.download` to a promise of the next file's name and data URL, in the page.
 * Drivers of other engines do not report downloads, and the policy forbids reading a blob's
 * URL.
 */
function catchDownload(): void {
	const blobs = new Map<string, Blob>();
	const { createObjectURL } = URL;
	URL.createObjectURL = (blob: Blob) => {
		const url = createObjectURL.call(URL, blob);
		blobs.set(url, blob);
		return url;
	};
	const { click } = HTMLAnchorElement.prototype;
	const download = new Promise((resolve, reject) => {
		HTMLAnchorElement.prototype.click = function () {
			HTMLAnchorElement.prototype.click = click;
			URL.createObjectURL = createObjectURL;
			const reader = new FileReader();
			reader.onload = () => resolve([this.download, reader.result]);
			reader.onerror = () => reject(reader.error);
			reader.readAsDataURL(blobs.get(this.href) ?? new Blob());
		};
	});
	Object.assign(window, { download });
}

/** Presses `button` of the export dialog; returns name and bytes of the saved file. */
export async function saved(page: Page, button: string): Promise<[string, Buffer]> {
	const file = downloaded(page, () =>
		page.getByRole("button", { name: button }).click(),
	);
	if (ENGINE !== "chromium") return file;
	// Or the dialog reports why nothing was saved.
	const trouble = page.getByRole("dialog").getByRole("status").filter({ hasText: /./ });
	const refused = trouble.textContent({ timeout: 60_000 }).then((why) => {
		throw new Error(`nothing is saved: ${why}`);
	});
	return Promise.race([file, refused]);
}

/** Activates a tab of the right panel. */
export function openTab(
	page: Page,
	name:
		| ("Agents" | "Selected" | "Raster" | "Predictions" | "Distributions")
		| ("Plots" | "Notes" | "What if"),
): Promise<void> {
	return page.getByRole("tab", { name }).click();
}

/** Opens the camera's menu. */
export function openCameras(page: Page): Promise<void> {
	return page.getByRole("button", { name: /^Camera: / }).click();
}

/** Focuses the picture, where keys reach the viewer. */
export function focusPicture(page: Page): Promise<void> {
	return page.getByRole("group", { name: "Scene, seen from above" }).focus();
}

/** Waits until the viewer has settled. */
export function settled(page: Page): Promise<void> {
	return page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.settled);
}

/**
 * Like `settled`, and waits until the canvas shows the current state at its current
 * size.
 */
export async function drawn(page: Page): Promise<void> {
	await settled(page);
	await page.evaluate(async () => {
		// The first frame draws and lays out the changes; the second follows that drawing.
		for (let k = 0; k < 2; k += 1) await new Promise(requestAnimationFrame);
	});
}

/**
 * Like `drawn`, after the whole scene is read: rows of lights reduce the picture's
 * height.
 */
export async function still(page: Page): Promise<void> {
	await settled(page);
	const controller = await controllerOf(page);
	await page.waitForFunction(({ state: { buffered, sceneInfo } }) => {
		const [all] = buffered;
		return all && all.end - all.begin === sceneInfo?.seconds.length;
	}, controller);
	await drawn(page);
}

/** Returns the parts of the viewer's state used by tests, as plain values. */
export function stateOf(page: Page) {
	return page.evaluate(() => {
		const state = document.querySelector<Viewer>("bev-viewer")?.controller?.state;
		if (!state) throw new Error("there is no viewer");
		const { phase, scene, frame, playing, speed, follow, camera, threshold } = state;
		return {
			...{ phase, scene, frame, playing, speed, follow, camera, threshold },
			selection: state.selection?.toString(),
			hover: state.hover?.toString(),
			shown: state.shown?.frame,
			layers: [...state.layers],
			notices: state.notices,
			announcement: state.announcement,
		};
	});
}

/**
 * Returns the position of agent `i` of the displayed frame on the page, in CSS pixels.
 */
export async function agentOnPage(
	page: Page,
	i: number,
): Promise<{ x: number; y: number }> {
	await still(page);
	return page.evaluate((row) => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const picture = viewer?.renderRoot.querySelector("bev-scene-view");
		const { shown, camera } = viewer?.controller?.state ?? {};
		if (!picture || !shown || !camera) throw new Error("there is no picture");
		const box = picture.getBoundingClientRect();
		const scale = Math.min(box.width, box.height) / camera.span;
		const [x = 0, y = 0] = shown.agents.centroid.subarray(2 * row, 2 * row + 2);
		const [egoX = 0, egoY = 0] = shown.ego.centroid;
		return {
			x: box.left + box.width / 2 + (x - egoX) * scale,
			y: box.top + box.height / 2 - (y - egoY) * scale,
		};
	}, i);
}

/**
 * Returns controls that extend beyond the viewer's box and are not in a scrolling list.
 */
export function outside(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const found: string[] = [];
		const { innerWidth: right, innerHeight: bottom } = window;
		/** Returns whether an ancestor scrolls, including across shadow roots. */
		const scrolls = (from: Element): boolean => {
			let at: Element | null = from;
			while (at) {
				const { overflowY } = getComputedStyle(at);
				if (overflowY === "auto" || overflowY === "scroll") return true;
				const root: Node = at.getRootNode();
				at = at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
			}
			return false;
		};
		const walk = (within: ParentNode) => {
			for (const element of within.querySelectorAll("*")) {
				if (element.shadowRoot) walk(element.shadowRoot);
				if (!element.matches("button, input, select, [role=tab]")) continue;
				const box = element.getBoundingClientRect();
				if (!element.checkVisibility() || box.width <= 1) continue;
				const out =
					box.left < -1 ||
					box.top < -1 ||
					box.right > right + 1 ||
					box.bottom > bottom + 1;
				const sideways = box.left < -1 || box.right > right + 1;
				if (sideways || (out && !scrolls(element))) found.push(element.outerHTML);
			}
		};
		walk(document);
		return found;
	});
}

/** Returns how far the page scrolls sideways and down, in CSS pixels. */
export const overflow = (page: Page): Promise<number[]> =>
	page.evaluate(() => {
		const { scrollWidth, clientWidth, scrollHeight, clientHeight } =
			document.documentElement;
		return [scrollWidth - clientWidth, scrollHeight - clientHeight];
	});
