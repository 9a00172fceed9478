import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/**
 * Adds rules to the page with a constructed sheet, since the policy forbids style
 * elements.
 */
function style(page: Page, rules: string): Promise<void> {
	return page.evaluate((text) => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync(text);
		document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
	}, rules);
}

/** Returns the position and text style of every control and heading of the viewer. */
function looks(page: Page, root = "bev-viewer"): Promise<string[]> {
	return page.evaluate((name) => {
		const lines: string[] = [];
		const walk = (within: ParentNode) => {
			for (const element of within.querySelectorAll<HTMLElement>("*")) {
				if (element.shadowRoot) walk(element.shadowRoot);
				if (!element.matches("button, h2, label, output, span, dt, dd, td, th"))
					continue;
				if (!element.checkVisibility()) continue;
				const { x, y, width, height } = element.getBoundingClientRect();
				const { color, fontSize, textTransform, cursor } = getComputedStyle(element);
				const place = [x, y, width, height].map((value) => value.toFixed(1));
				const look = [color, fontSize, textTransform, cursor];
				lines.push([element.textContent?.trim(), ...place, ...look].join(" "));
			}
		};
		const host = document.querySelector(name);
		if (host?.shadowRoot) walk(host.shadowRoot);
		return lines;
	}, root);
}

describe("the page's styles", () => {
	const TEXT = `white-space: nowrap; text-align: center; text-transform: uppercase;
		letter-spacing: 0.2em; word-spacing: 1em; text-indent: 2em; font: italic 700 40px/3 serif;
		color: red; text-shadow: 2px 2px red; fill: red; stroke: lime; cursor: wait;
		list-style: square; border-spacing: 20px; word-break: break-all; direction: rtl;`;
	// The app's page is the host, so its own size rules apply.
	const RULES = {
		"on body": `body { ${TEXT} }`,
		"on *": `* { ${TEXT} }`,
	};

	it.each(Object.entries(RULES))(
		"for text (%s) change nothing inside",
		async (_, rules) => {
			const { page } = await app.openTiny(suite, { link: "t=1" });
			await app.still(page);
			const before = await looks(page);
			expect(before.length).toBeGreaterThan(40);
			await style(page, rules);
			await app.drawn(page);
			expect(await looks(page)).toEqual(before);
		},
	);

	it("do not affect a single element", async () => {
		const { page } = await app.openTiny(suite);
		const controller = await app.controllerOf(page);
		await controller.evaluate(async (shared) => {
			for (const name of ["bev-layers", "bev-agent-table"] as const) {
				const part = document.createElement(name);
				part.controller = shared;
				document.body.append(part);
				await part.updateComplete;
			}
		});
		const parts = ["body > bev-layers", "body > bev-agent-table"];
		const before = await Promise.all(parts.map((part) => looks(page, part)));
		for (const rules of Object.values(RULES)) await style(page, rules);
		expect(await Promise.all(parts.map((part) => looks(page, part)))).toEqual(before);
	});

	it("with direction rtl leave the viewer ltr", async () => {
		const { page } = await app.openTiny(suite, { link: "f=3" });
		await app.still(page);
		const before = await looks(page);
		await page.evaluate(() => {
			document.documentElement.dir = "rtl";
		});
		await app.drawn(page);
		expect(await looks(page)).toEqual(before);
		const [thumb, played] = await page.evaluate(() => {
			const line = document
				.querySelector("bev-viewer")
				?.renderRoot.querySelector("bev-timeline")?.renderRoot;
			const cursor = line?.querySelector(".cursor")?.getBoundingClientRect();
			const rect = line?.querySelector(".played")?.getBoundingClientRect();
			return [cursor?.left ?? 0, rect?.right ?? Number.NaN];
		});
		expect(Math.abs(thumb - played)).toBeLessThan(2);
	});

	it("that set a token at run time repaint the picture", async () => {
		const { page } = await app.openTiny(suite, { reducedMotion: true });
		await app.still(page);
		/**
		 * Returns the pixel in the picture's upper left corner, where only the ground is
		 * visible.
		 */
		const corner = () =>
			page.evaluate(() => {
				const viewer = document.querySelector("bev-viewer");
				const canvas = viewer?.renderRoot.querySelector("bev-scene-view")?.canvas;
				return [...(canvas?.getContext("2d")?.getImageData(0, 0, 1, 1).data ?? [])];
			});
		expect(await corner()).toEqual([11, 14, 18, 255]);
		await style(page, "main { --bev-ground: #400080; }");
		await expect.poll(corner).toEqual([64, 0, 128, 255]);
		await style(page, "main { --bev-ground: #008040; }");
		await expect.poll(corner).toEqual([0, 128, 64, 255]);
	});

	it("that hide an element hide the viewer", async () => {
		const { page } = await app.openTiny(suite);
		await style(page, "main { visibility: hidden; }");
		const play = page.getByRole("button", { name: "Play", exact: true });
		await play.waitFor({ state: "hidden" });
	});
});

describe("an element without a height", () => {
	it("displays the picture", async () => {
		const { page } = await app.openTiny(suite);
		await style(
			page,
			"html, body, main { height: auto !important; } html { overflow: auto !important; }",
		);
		await app.drawn(page);
		const viewer = await page.locator("bev-viewer").boundingBox();
		const picture = await page.locator("bev-scene-view").boundingBox();
		expect(viewer).toMatchObject({ width: 1280, height: 480 });
		expect(picture?.height ?? 0).toBeGreaterThan(240);
	});

	it("has a width in a shrink-to-fit box, never above the box's", async () => {
		const { page } = await app.openTiny(suite);
		await style(page, "main { display: inline-flex; height: auto !important; }");
		const width = async () => (await page.locator("bev-viewer").boundingBox())?.width;
		expect(await width()).toBe(640);
		await style(page, "body { width: 300px; } main { display: grid; }");
		expect(await width()).toBe(300);
	});
});

describe("a long recent address", () => {
	it("is truncated and leaves every control reachable", async () => {
		const { page } = await app.openApp(suite, { width: 700, height: 800 });
		await page.evaluate((letters) => {
			const address = `https://data.example/${letters}/${letters}.zarr?version=1`;
			const known = Object.keys(localStorage);
			if (known.length > 0) throw new Error(`not empty: ${known}`);
			localStorage.setItem("bevscope.recent", JSON.stringify([address]));
		}, "a1b2c3d4".repeat(30));
		await page.reload();
		const recent = page
			.getByRole("button", { name: /^https:\/\/data\.example/ })
			.first();
		const [inside, open, drop] = await Promise.all([
			recent.boundingBox(),
			page.getByRole("button", { name: "Open", exact: true }).boundingBox(),
			page.getByRole("button", { name: "Choose a .zip" }).boundingBox(),
		]);
		for (const box of [inside, open, drop]) {
			expect((box?.x ?? Number.NaN) + (box?.width ?? 0)).toBeLessThanOrEqual(684);
		}
		expect(await findings(page)).toEqual([]);
	});
});

interface Box {
	readonly name: string;
	readonly width: number;
	readonly height: number;
	readonly touch?: boolean;
	/** Whether an agent is selected. */
	readonly chosen?: boolean;
}

const BOXES: readonly Box[] = [
	{ name: "a small card", width: 300, height: 200 },
	{ name: "a small card with a selection", width: 300, height: 200, chosen: true },
	{ name: "a card", width: 600, height: 400, chosen: true },
	{ name: "a phone on its side", width: 740, height: 360, touch: true, chosen: true },
	{ name: "a phone", width: 360, height: 740, touch: true, chosen: true },
	{ name: "a window at 200 %", width: 720, height: 450, chosen: true },
	{ name: "a window at 300 %", width: 480, height: 300, chosen: true },
	{ name: "a window at 400 %", width: 320, height: 256, chosen: true },
	{ name: "a low strip", width: 950, height: 300, chosen: true },
	{ name: "a narrow window", width: 1000, height: 700, chosen: true },
	{ name: "a tablet", width: 768, height: 1024, chosen: true },
];

const pictureHeight = async (page: Page): Promise<number> =>
	(await page.locator("bev-scene-view").boundingBox())?.height ?? 0;

describe.each(["dark", "light"] as const)("a box, %s", (theme) => {
	it.each(BOXES)(
		"of $width x $height, $name, gives the picture half of the height",
		async (box) => {
			const { width, height, touch, chosen } = box;
			const link = chosen ? "t=1" : "";
			const { page, complaints } = await app.openTiny(suite, {
				...{ width, height, theme, link },
				touch: touch ?? false,
			});
			await app.still(page);
			expect(await pictureHeight(page)).toBeGreaterThanOrEqual(height / 2);
			expect(await app.outside(page)).toEqual([]);
			expect(await app.overflow(page)).toEqual([0, 0]);
			expect(await findings(page)).toEqual([]);
			expect(complaints).toEqual([]);
		},
	);

	it.each([
		[300, 200],
		[320, 256],
		[480, 300],
		[360, 740],
	])("of %i x %i shows controls when nothing is open", async (width, height) => {
		const { page } = await app.openApp(suite, { width, height, theme });
		const open = page.getByRole("button", { name: "Open", exact: true });
		await open.waitFor();
		expect((await open.boundingBox())?.y ?? height).toBeLessThan(height - 20);
		expect(await app.outside(page)).toEqual([]);
		expect(await app.overflow(page)).toEqual([0, 0]);
		expect(await findings(page)).toEqual([]);
	});

	it.each([
		[300, 200],
		[480, 300],
	])("of %i x %i shows controls after an error", async (width, height) => {
		suite.server.fault({ match: /tiny\.zarr/, status: 404 });
		const link = `v=1&src=${app.TINY_SOURCE}`;
		const { page } = await app.openApp(suite, { width, height, theme, link });
		const again = page.getByRole("button", { name: "Try again" });
		await again.waitFor();
		const box = await again.boundingBox();
		expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
		expect(await app.outside(page)).toEqual([]);
		expect(await findings(page)).toEqual([]);
	});
});

describe("a window at 300 and 400 %", () => {
	const SIZES = [
		[480, 300],
		[320, 256],
	] as const;

	it.each(SIZES)("has every control in its menu at %i x %i", async (width, height) => {
		const { page } = await app.openTiny(suite, { width, height, link: "t=1" });
		await app.still(page);
		const menu = page.getByRole("button", { name: "Menu", exact: true });
		const press = (name: string) =>
			page.getByRole("button", { name, exact: true }).click();
		await menu.click();
		for (const name of ["Camera: Follow", "Measure", "Zoom in", "Next scene"])
			await page.getByRole("button", { name, exact: true }).click({ trial: true });
		expect(await app.outside(page)).toEqual([]);
		expect(await findings(page)).toEqual([]);
		await press("Layers");
		await page.getByRole("switch", { name: "Vehicles" }).click();
		expect((await app.stateOf(page)).layers).not.toContain("vehicle");
		expect(await findings(page)).toEqual([]);
		await press("Close panel");
		await expect.poll(() => menu.getAttribute("aria-expanded")).toBe("false");
		await menu.click();
		await press("Agents");
		for (const name of ["Selected", "Raster", "Predictions", "Agents"] as const) {
			await app.openTab(page, name);
			expect(await app.outside(page), name).toEqual([]);
			expect(await findings(page), name).toEqual([]);
		}
		await press("Close panel");
		await menu.click();
		await press("More");
		for (const name of ["Open", "Search", "Export", "Keyboard"])
			await page.getByRole("button", { name, exact: true }).click({ trial: true });
		expect(await findings(page)).toEqual([]);
		await menu.click();
		await press("Timeline options");
		await page.getByRole("button", { name: "Loop" }).click({ trial: true });
		await page.getByRole("combobox", { name: "Playback speed" }).selectOption("2");
		expect((await app.stateOf(page)).speed).toBe(2);
		expect(await findings(page)).toEqual([]);
	});
});

describe("a phone", () => {
	const PHONE = { width: 360, height: 740, touch: true } as const;

	it("shows the selection in one line; one control closes the sheet", async () => {
		const { page } = await app.openTiny(suite, { ...PHONE, link: "t=1" });
		await app.still(page);
		const before = await pictureHeight(page);
		const line = page.getByTitle("Show the selection");
		const words = page.locator("bev-selection-line .words");
		expect(await words.textContent()).toMatch(/^Label 3 1 · \d+\.\d m\/s$/);
		await line.tap();
		await page.locator("bev-inspector").waitFor();
		const visible = page.getByRole("button", { name: /^(Close|Clear)/ });
		const names = await visible.evaluateAll((all) =>
			all.filter((one) => one.checkVisibility()).map((one) => one.ariaLabel),
		);
		expect(names).toEqual(["Close panel", "Clear the selection"]);
		const close = page.locator(".right").getByRole("button", { name: "Close panel" });
		await close.tap();
		expect((await app.stateOf(page)).selection).toBe("1");
		expect(await pictureHeight(page)).toBe(before);
	});

	it("shows rows of the agent table in its sheet", async () => {
		const { page } = await app.openTiny(suite, PHONE);
		await page.getByRole("button", { name: "Agents" }).tap();
		const rows = page.getByRole("grid", { name: "Agents" }).locator("tbody tr");
		const sheet = await page.locator(".panel").boundingBox();
		const third = await rows.nth(2).boundingBox();
		const end = (sheet?.y ?? 0) + (sheet?.height ?? 0);
		expect((third?.y ?? end) + (third?.height ?? 0)).toBeLessThanOrEqual(end);
	});

	it("has speed, loop and plots behind a timeline button", async () => {
		const { page } = await app.openTiny(suite, PHONE);
		await app.still(page);
		const options = page.getByRole("button", { name: "Timeline options" });
		await options.tap();
		await page.getByRole("button", { name: "Loop" }).tap();
		await page.getByRole("combobox", { name: "Playback speed" }).selectOption("4");
		await page.getByRole("button", { name: "Acceleration" }).tap();
		await page.getByRole("img", { name: /^Acceleration in/ }).waitFor();
		expect(await app.outside(page)).toEqual([]);
		expect(await findings(page)).toEqual([]);
		await page.keyboard.press("Escape");
		await expect.poll(() => options.getAttribute("aria-expanded")).toBe("false");
		await options.tap();
		await page.locator("bev-scene-view").tap({ position: { x: 40, y: 120 } });
		await expect.poll(() => options.getAttribute("aria-expanded")).toBe("false");
	});

	it("keeps theme and help reachable while other data is chosen", async () => {
		const { page } = await app.openTiny(suite, PHONE);
		await page.getByRole("button", { name: "More" }).tap();
		await page.getByRole("button", { name: "Open", exact: true }).tap();
		await page.getByText("Or open a URL").waitFor();
		expect(await app.outside(page)).toEqual([]);
		for (const name of ["Keyboard", "Theme: auto"])
			await page.getByRole("button", { name, exact: true }).tap({ trial: true });
		for (const name of ["Search", "Export", "Copy link"])
			expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
	});
});
