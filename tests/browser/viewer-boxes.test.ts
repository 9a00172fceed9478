import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** Gives the page rules; the policy forbids style elements, not constructed sheets. */
function style(page: Page, rules: string): Promise<void> {
	return page.evaluate((text) => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync(text);
		document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
	}, rules);
}

/** Where every control and heading of the viewer is, and how its text looks. */
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

describe("a page's own rules", () => {
	const TEXT = `white-space: nowrap; text-align: center; text-transform: uppercase;
		letter-spacing: 0.2em; word-spacing: 1em; text-indent: 2em; font: italic 700 40px/3 serif;
		color: red; text-shadow: 2px 2px red; fill: red; stroke: lime; cursor: wait;
		list-style: square; border-spacing: 20px; word-break: break-all; direction: rtl;`;
	// The page of the app is the host: its own rules for size stay.
	const RULES = {
		"on body": `body { ${TEXT} }`,
		"on *": `* { ${TEXT} }`,
	};

	it.each(Object.entries(RULES))(
		"for text %s change nothing inside",
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

	it("change nothing inside a part that stands alone", async () => {
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

	it("that run from right to left leave the viewer from left to right", async () => {
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

	it("that hide an element hide the viewer with it", async () => {
		const { page } = await app.openTiny(suite);
		await style(page, "main { visibility: hidden; }");
		const play = page.getByRole("button", { name: "Play", exact: true });
		await play.waitFor({ state: "hidden" });
	});
});

describe("an element without a height", () => {
	it("has a picture", async () => {
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

	it("has a width where its box takes that of its content, and never more than its box", async () => {
		const { page } = await app.openTiny(suite);
		await style(page, "main { display: inline-flex; height: auto !important; }");
		const width = async () => (await page.locator("bev-viewer").boundingBox())?.width;
		expect(await width()).toBe(640);
		await style(page, "body { width: 300px; } main { display: grid; }");
		expect(await width()).toBe(300);
	});
});

describe("a long recent address", () => {
	it("is cut, and leaves every control in reach", async () => {
		const { page } = await app.openApp(suite, { width: 700, height: 800 });
		await page.evaluate((letters) => {
			const address = `https://data.example/${letters}/sample.zarr?X-Amz-Signature=${letters}`;
			const known = Object.keys(localStorage);
			if (known.length > 0) throw new Error(`not empty: ${known}`);
			localStorage.setItem("bevscope.recent", JSON.stringify([address]));
		}, "a1b2c3d4".repeat(30));
		await page.reload();
		const recent = page.getByRole("button", { name: /^https:\/\/data\.example/ });
		const [inside, open, drop] = await Promise.all([
			recent.boundingBox(),
			page.getByRole("button", { name: "Open", exact: true }).boundingBox(),
			page.getByRole("button", { name: "Choose a zip" }).boundingBox(),
		]);
		for (const box of [inside, open, drop]) {
			expect((box?.x ?? Number.NaN) + (box?.width ?? 0)).toBeLessThanOrEqual(684);
		}
		expect(await findings(page)).toEqual([]);
	});
});
