import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import * as app from "./viewer-harness.js";

const SOURCE = "/data/long.zarr";
const OTHER = "/data/other.zarr";
const SIZE = { scenes: 3, framesPerScene: 60, rowsPerChunk: 60 };

const suite = app.useViewer(() => {
	const objects = new Map<string, Uint8Array>();
	for (const [key, bytes] of tinyDataset(SIZE)) {
		objects.set(`${SOURCE}/${key}`, bytes);
		objects.set(`${OTHER}/${key}`, bytes);
	}
	return { objects };
});

type Values = Readonly<Record<string, string | number | null>>;

/**
 * Replaces the page's viewer with viewers with these attributes, and waits until they
 * have drawn.
 */
async function put(page: Page, ...viewers: readonly Values[]): Promise<void> {
	await page.evaluate(async (all) => {
		const made = all.map((attributes) => {
			const viewer = document.createElement("bev-viewer");
			for (const [name, value] of Object.entries(attributes))
				viewer.setAttribute(name, String(value));
			return viewer;
		});
		document.querySelector("main")?.replaceChildren(...made);
		await Promise.all(made.map((viewer) => viewer.settled));
	}, viewers);
}

/**
 * Sets attributes of a viewer (null removes one), and waits until everything is drawn.
 */
function setAttributes(page: Page, attributes: Values, at = 0) {
	return page.evaluate(
		async ([all, index]) => {
			const viewer = document.querySelectorAll<Viewer>("bev-viewer")[index];
			if (!viewer) throw new Error("no viewer");
			for (const [name, value] of Object.entries(all)) {
				if (value === null) viewer.removeAttribute(name);
				else viewer.setAttribute(name, String(value));
			}
			await viewer.updateComplete;
			await viewer.settled.catch(() => {});
		},
		[attributes, at] as const,
	);
}

/** Sets properties like a framework, and waits until everything is drawn. */
function setProperties(page: Page, properties: Values) {
	return page.evaluate(async (all) => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		Object.assign(viewer ?? {}, all);
		await viewer?.settled;
	}, properties);
}

/** Returns what a viewer displays, and its properties. */
function shownBy(page: Page, at = 0) {
	return page.evaluate((index) => {
		const viewer = document.querySelectorAll<Viewer>("bev-viewer")[index];
		const state = viewer?.controller?.state;
		if (!viewer || !state) throw new Error("no viewer");
		const { phase, follow, coords, threshold, speed, theme, notices, place } = state;
		return {
			...{ scene: viewer.scene, frame: viewer.frame },
			shown: state.shown && [state.shown.scene, state.shown.frame],
			...{ phase, follow, coords, threshold, speed, theme, notices },
			layers: [...state.layers].join(),
			selection: state.selection?.toString(),
			address: place?.kind === "address" ? place.address : undefined,
			kept: state.shown && [...state.shown.agents.kept].filter(Boolean).length,
		};
	}, at);
}

async function open(...viewers: readonly Values[]) {
	const { page, complaints } = await app.openApp(suite);
	await put(page, ...viewers);
	return { page, complaints };
}

/** Returns how often the data set was opened. */
const openings = () =>
	suite.server.log.filter(({ path }) => path === `${SOURCE}/.zgroup`).length;

describe("an open viewer", () => {
	it("applies the page's scene and frame, and returns them", async () => {
		const { page, complaints } = await open({ src: SOURCE, scene: 1, frame: 7 });
		const opened = openings();
		expect(await shownBy(page)).toMatchObject({ scene: 1, frame: 7, shown: [1, 7] });
		await setAttributes(page, { frame: 40 });
		expect(await shownBy(page)).toMatchObject({ scene: 1, frame: 40, shown: [1, 40] });
		await setAttributes(page, { scene: 2, frame: 12 });
		expect(await shownBy(page)).toMatchObject({ scene: 2, frame: 12, shown: [2, 12] });
		await setProperties(page, { scene: 0, frame: 5 });
		expect(await shownBy(page)).toMatchObject({ scene: 0, frame: 5, shown: [0, 5] });
		await setProperties(page, { frame: 99 });
		expect(await shownBy(page)).toMatchObject({ frame: 59 });
		await page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.seek(20));
		await app.settled(page);
		expect(await shownBy(page)).toMatchObject({ frame: 20 });
		// Sets the same value again after the user has moved on.
		await setProperties(page, { frame: 5 });
		expect(await shownBy(page)).toMatchObject({ frame: 5 });
		await setProperties(page, { frame: null, scene: null });
		expect(await shownBy(page)).toMatchObject({ scene: 0, frame: 0 });
		expect((await shownBy(page)).notices).toEqual([]);
		await setAttributes(page, { frame: "soon", scene: -1 });
		await setAttributes(page, { scene: 9 });
		expect(await shownBy(page)).toMatchObject({
			scene: 2,
			notices: [
				"frame: invalid index (found soon, expected a whole number from 0)",
				"scene: invalid index (found -1, expected a whole number from 0)",
				"Scene 9 is out of range; opened the last one, 2",
			],
		});
		expect(openings()).toBe(opened);
		expect(complaints).toEqual([]);
	});

	it("starts at a position set while opening", async () => {
		suite.server.fault({ match: /long\.zarr\/frames\/\.z/, bytesPerSecond: 600 });
		const { page } = await app.openApp(suite);
		await page.evaluate((src) => {
			const viewer = document.createElement("bev-viewer");
			viewer.setAttribute("src", src);
			document.querySelector("main")?.replaceChildren(viewer);
		}, SOURCE);
		await expect.poll(async () => (await shownBy(page)).phase).toBe("opening");
		await setAttributes(page, { scene: 1, frame: 30, track: 2, layers: "ego" });
		expect(await shownBy(page)).toMatchObject({
			...{ shown: [1, 30], selection: "2", layers: "ego" },
		});
	});

	it("restores links to the open data set without opening it again", async () => {
		const { page } = await open({ src: SOURCE });
		const opened = openings();
		await page.evaluate(() =>
			document.querySelector<Viewer>("bev-viewer")?.restore("s=2&f=10"),
		);
		await app.settled(page);
		expect(await shownBy(page)).toMatchObject({ shown: [2, 10] });
		await setAttributes(page, { state: "s=1&f=20&t=2" });
		expect(await shownBy(page)).toMatchObject({ shown: [1, 20], selection: "2" });
		await setAttributes(page, { state: `src=${SOURCE}&f=3` });
		const { selection, shown } = await shownBy(page);
		expect([selection, shown]).toEqual([undefined, [0, 3]]);
		expect(openings()).toBe(opened);
	});

	it("restores section, selection and camera in another scene and in the same", async () => {
		const { page } = await open({ src: SOURCE });
		for (const text of [
			`v=1&src=${SOURCE}&s=1&f=20&p=20-30&t=ego&w=free&x=10&y=20`,
			`v=1&src=${SOURCE}&s=1&f=12&p=3-14&t=2&w=free&x=-10&y=5&z=60`,
		]) {
			await page.evaluate((fragment) => {
				document.querySelector<Viewer>("bev-viewer")?.restore(fragment);
			}, text);
			await app.settled(page);
			const saved = await page.evaluate(() =>
				document.querySelector<Viewer>("bev-viewer")?.save(),
			);
			expect(saved).toBe(text);
		}
	});

	it("applies attributes, and defaults when they are removed", async () => {
		const { page } = await open({ src: SOURCE });
		const usual = await shownBy(page);
		const all = {
			...{ track: 2, layers: "ego,lanes", coords: "ego", follow: "heading" },
			...{ threshold: 1, speed: 4, theme: "light" },
		};
		await setAttributes(page, all);
		expect(await shownBy(page)).toMatchObject({
			...{ selection: "2", layers: "ego,lanes", coords: "ego", follow: "heading" },
			...{ threshold: 1, speed: 4, theme: "light", kept: 0 },
		});
		// The user's choice is preserved when another attribute changes.
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.toggleLayer("ego"));
		await setAttributes(page, { track: "ego" });
		expect(await shownBy(page)).toMatchObject({ selection: "ego", layers: "lanes" });
		const none = Object.fromEntries(Object.keys(all).map((name) => [name, null]));
		await setAttributes(page, none);
		expect(await shownBy(page)).toEqual(usual);
	});

	it("opens and closes by `src`, and reports invalid URLs", async () => {
		const { page, complaints } = await open({ src: SOURCE, frame: 4 });
		await setAttributes(page, { "map-src": "http://[", "predictions-src": "http://[" });
		expect((await shownBy(page)).notices).toEqual([
			"Map: invalid URL (found http://[, expected http or https)",
			"predictions-src: invalid URL (found http://[, expected http or https)",
		]);
		await setAttributes(page, { "map-src": null, "predictions-src": null, frame: 6 });
		expect(await shownBy(page)).toMatchObject({ frame: 6 });
		await setAttributes(page, { src: OTHER });
		await expect.poll(async () => (await shownBy(page)).address).toBe(OTHER);
		await app.settled(page);
		expect(await shownBy(page)).toMatchObject({ shown: [0, 6] });
		await setAttributes(page, { src: null });
		expect(await shownBy(page)).toMatchObject({ phase: "empty", frame: 6 });
		expect(complaints).toEqual([]);
	});

	it("is only the picture with `controls` none", async () => {
		const { page } = await open({ src: SOURCE, controls: "none" });
		const controls = page.locator("bev-viewer").locator("button, select, input, svg");
		const visible = async () => {
			const all = await controls.all();
			const seen = await Promise.all(all.map((one) => one.isVisible()));
			return seen.filter(Boolean).length;
		};
		expect(await visible()).toBe(0);
		expect(await page.locator(".scale:visible, .readout:visible").count()).toBe(0);
		await setAttributes(page, { controls: null });
		expect(await visible()).toBeGreaterThan(10);
		await setAttributes(page, { controls: "none" });
		expect(await visible()).toBe(0);
	});

	it("does not change another viewer on the page", async () => {
		const attributes = { src: SOURCE, scene: 1, frame: 3 };
		const { page, complaints } = await open(attributes, attributes);
		const before = await shownBy(page, 1);
		const changes: readonly Values[] = [
			{ frame: 30, track: 2, layers: "ego", theme: "light" },
			{ scene: 2, threshold: 1, coords: "ego", follow: "free", speed: 2 },
			{ state: "s=0&f=9", "map-src": "http://[" },
			{ src: null, track: null, layers: null, theme: null },
		];
		for (const change of changes) {
			await setAttributes(page, change, 0);
			expect(await shownBy(page, 1)).toEqual(before);
		}
		await setAttributes(page, { frame: 50 }, 1);
		expect(await shownBy(page, 1)).toEqual({ ...before, frame: 50, shown: [1, 50] });
		expect(await shownBy(page, 0)).toMatchObject({ phase: "empty" });
		expect(complaints).toEqual([]);
	});
});

describe("an address and a position that do not exist", () => {
	it("no data sets are searched below the address of an element", async () => {
		const { page } = await app.openTiny(suite);
		await setAttributes(page, { src: "/nowhere" });
		await page.getByText("No data set at this URL").waitFor();
		const asked = suite.server.asked("/nowhere/");
		expect(asked.length).toBeGreaterThan(0);
		expect(
			asked.filter((name) => /(sample|train)\.zarr|^scenes\/$/.test(name)),
		).toEqual([]);
	});

	it("goTo rejects frames that the open scene does not have", async () => {
		const { page } = await app.openApp(suite);
		await put(page, { src: SOURCE, frame: 5 });
		const said = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			return viewer?.goTo(0, 60).then(() => viewer.frame, String);
		});
		expect(said).toBe("BevError: goTo: frame 60 is out of range");
		expect(await shownBy(page)).toMatchObject({ frame: 5 });
	});

	it("open takes the fragment of a link", async () => {
		const { page } = await app.openApp(suite);
		await put(page, { src: SOURCE });
		await page.evaluate(async (address) => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			await viewer?.open(address, "s=1&f=7");
			await viewer?.settled;
		}, OTHER);
		expect(await shownBy(page)).toMatchObject({ scene: 1, frame: 7 });
	});
});
