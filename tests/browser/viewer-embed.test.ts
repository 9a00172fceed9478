import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

const EVENTS = ["play-change", "hover-change", "layers-change", "picture-click"];

/** Collects the details of the viewer's events in `told`. */
function listen(page: Page): Promise<void> {
	return page.evaluate((names) => {
		const told: unknown[] = [];
		Object.assign(window, { told });
		const plain = (_: string, value: unknown) =>
			typeof value === "bigint" ? `${value}` : value;
		for (const name of names)
			document.addEventListener(name, (event) => {
				const text = JSON.stringify((event as CustomEvent).detail, plain);
				told.push([name, JSON.parse(text), (event.target as Element).localName]);
			});
	}, EVENTS);
}

type Told = readonly [name: string, detail: Record<string, unknown>, target: string];
const told = (page: Page) =>
	page.evaluate(() => (window as unknown as { told: Told[] }).told.splice(0));

/**
 * Sets attributes of the page's viewer (null removes one) and waits until it has
 * settled.
 */
function setAttributes(
	page: Page,
	attributes: Readonly<Record<string, string | null>>,
) {
	return page.evaluate(async (all) => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		for (const [name, value] of Object.entries(all)) {
			if (value === null) viewer?.removeAttribute(name);
			else viewer?.setAttribute(name, value);
		}
		await viewer?.updateComplete;
	}, attributes);
}

/** Adds a light DOM element to the viewer. */
function put(page: Page, slot: string, text: string, label = "") {
	return page.evaluate(
		([name, words, aria]) => {
			const own = document.createElement("button");
			own.slot = name;
			own.textContent = words;
			if (aria) own.dataset.label = aria;
			document.querySelector("bev-viewer")?.append(own);
		},
		[slot, text, label] as const,
	);
}

describe("events", () => {
	it("report playing, layers and the object under the pointer", async () => {
		const { page } = await app.openTiny(suite);
		await listen(page);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.play());
		await controller.evaluate((it) => it.pause());
		await controller.evaluate((it) => it.toggleLayer("ego"));
		const [playing, paused, layers, ...more] = await told(page);
		expect(playing).toEqual(["play-change", { playing: true }, "bev-viewer"]);
		expect(paused).toEqual(["play-change", { playing: false }, "bev-viewer"]);
		expect(layers?.[0]).toBe("layers-change");
		expect(layers?.[1].layers).toContain("lanes");
		expect(layers?.[1].layers).not.toContain("ego");
		expect(more).toEqual([]);
		const { x, y } = await app.agentOnPage(page, 0);
		await page.mouse.move(x, y);
		expect(await told(page)).toEqual([["hover-change", { hover: "1" }, "bev-viewer"]]);
		await page.mouse.move(x, y + 150);
		expect(await told(page)).toEqual([["hover-change", {}, "bev-viewer"]]);
	});

	it("report a click's position; preventDefault prevents its effect", async () => {
		const { page } = await app.openTiny(suite, { link: "z=60" });
		await listen(page);
		const clicks = async () =>
			(await told(page)).filter(([name]) => name === "picture-click");
		const { x, y } = await app.agentOnPage(page, 0);
		const [eastwards = 0, northwards = 0] = await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			return [
				...(viewer?.controller?.state.shown?.agents.centroid.subarray(0, 2) ?? []),
			];
		});
		await page.mouse.click(x, y);
		const [[, detail, target] = [], ...more] = await clicks();
		expect(more).toEqual([]);
		expect(target).toBe("bev-viewer");
		const { selection } = await app.stateOf(page);
		expect(detail).toMatchObject({ object: selection, scene: 0, frame: 0 });
		const world = detail?.world as { x: number; y: number };
		expect(world.x).toBeCloseTo(eastwards, 0);
		expect(world.y).toBeCloseTo(northwards, 0);
		await page.evaluate(() => {
			document.addEventListener("picture-click", (event) => event.preventDefault());
		});
		await page.mouse.click(x, y + 60);
		const [[, beside] = []] = await clicks();
		expect(beside).not.toHaveProperty("object");
		expect((await app.stateOf(page)).selection).toBe(selection);
	});
});

describe("slots", () => {
	it("accept a brand, tools, an overlay and a tab", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await put(page, "brand", "My brand");
		await put(page, "toolbar", "My tool");
		await put(page, "overlay", "My corner");
		for (const text of ["My brand", "My tool", "My corner"])
			expect(await page.getByRole("button", { name: text }).isVisible()).toBe(true);
		expect(await page.getByRole("tab").allTextContents()).toHaveLength(8);
		await put(page, "panel", "Remarks", "Remarks");
		const tab = page.getByRole("tab", { name: "Remarks" });
		const content = page.locator("bev-viewer > [slot=panel]");
		await tab.waitFor();
		expect(await content.isVisible()).toBe(false);
		await tab.click();
		expect(await content.isVisible()).toBe(true);
		expect(await findings(page)).toEqual([]);
		// Keys handled by the element's own controls do not reach the viewer.
		await content.focus();
		await page.keyboard.press("Space");
		expect((await app.stateOf(page)).playing).toBe(false);
		await content.evaluate((own) => own.setAttribute("data-label", "Remarks 2"));
		await page.getByRole("tab", { name: "Remarks 2" }).waitFor();
		await content.evaluate((own) => own.remove());
		await expect.poll(() => page.getByRole("tab").count()).toBe(8);
		await page
			.locator('[role="tab"][aria-selected="true"]', { hasText: "Agents" })
			.waitFor();
		expect(complaints).toEqual([]);
	});
});

describe("the attribute `panels`", () => {
	const parts = {
		brand: (page: Page) => page.locator(".brand"),
		bar: (page: Page) => page.getByRole("button", { name: "Export" }),
		layers: (page: Page) => page.locator("bev-layers"),
		lights: (page: Page) => page.locator("bev-light-list"),
		agents: (page: Page) => page.getByRole("tab", { name: "Agents" }),
		raster: (page: Page) => page.getByRole("tab", { name: "Raster" }),
		predictions: (page: Page) => page.getByRole("tab", { name: "Predictions" }),
		timeline: (page: Page) => page.getByRole("slider", { name: "Frame" }),
		picture: (page: Page) => page.locator("bev-scene-view"),
	} as const;

	async function visible(page: Page): Promise<string[]> {
		const all = Object.entries(parts);
		const seen = await Promise.all(all.map(([, of]) => of(page).isVisible()));
		return all.filter((_, i) => seen[i]).map(([name]) => name);
	}

	it("selects the visible panels, at any time and in any box", async () => {
		const { page, complaints } = await app.openTiny(suite);
		const every = Object.keys(parts);
		expect(await visible(page)).toEqual(every);
		const width = () =>
			page.locator("bev-scene-view").evaluate((view) => view.clientWidth);
		const usual = await width();
		for (const only of [["timeline"], ["bar", "agents"], ["layers", "raster"], []]) {
			await setAttributes(page, { panels: ["picture", ...only].join(" ") });
			expect(await visible(page)).toEqual(
				every.filter((name) => name === "picture" || only.includes(name)),
			);
		}
		expect(await width()).toBe(1280);
		await setAttributes(page, { panels: "raster, predictions" });
		// Keys and selections do not bring back removed panels.
		await app.focusPicture(page);
		await page.keyboard.press("/");
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.select(1n));
		expect(await page.getByRole("tab").allTextContents()).toEqual([
			"Raster",
			"Predictions",
		]);
		expect(await findings(page)).toEqual([]);
		await setAttributes(page, { panels: "timeline sidebar" });
		expect((await app.stateOf(page)).notices).toEqual([
			"panels: unknown name (found sidebar, expected bar, brand, layers, lights, agents, selected, raster, predictions, distributions, plots, notes, edits, cameras, timeline or picture)",
		]);
		await setAttributes(page, { panels: null });
		expect(await visible(page)).toEqual(every);
		expect(await width()).toBe(usual);
		for (const [w, h] of [
			[600, 400],
			[360, 740],
		] as const) {
			await page.setViewportSize({ width: w, height: h });
			await setAttributes(page, { panels: "bar agents" });
			expect(await page.getByRole("button", { name: "Layers" }).isVisible()).toBe(
				false,
			);
			const opener = page.getByRole("button", { name: "Agents" });
			await expect.poll(() => opener.getAttribute("aria-expanded")).toBe("false");
			await opener.click();
			await parts.agents(page).waitFor();
			expect(await parts.timeline(page).isVisible()).toBe(false);
			await setAttributes(page, { panels: "" });
			expect(await visible(page)).toEqual(["picture"]);
			await setAttributes(page, { panels: null });
			await opener.click();
			await expect.poll(() => opener.getAttribute("aria-expanded")).toBe("false");
		}
		expect(complaints).toEqual([]);
	});
});

describe("the element's box", () => {
	it("contains all of the viewer on a page without positioned elements", async () => {
		const { page } = await app.openTiny(suite);
		const boxes = await page.evaluate(async () => {
			const sheet = new CSSStyleSheet();
			sheet.replaceSync(
				"bev-viewer { position: static; height: 400px; width: 700px; }",
			);
			document.adoptedStyleSheets.push(sheet);
			document.body.prepend(
				Object.assign(document.createElement("p"), { innerText: "x" }),
			);
			await new Promise(requestAnimationFrame);
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const frame = viewer?.renderRoot.querySelector(".frame");
			return [viewer, frame].map((one) => JSON.stringify(one?.getBoundingClientRect()));
		});
		expect(boxes[0]).toContain('"width":700,"height":400');
		expect(boxes[1]).toBe(boxes[0]);
	});
});

describe("the part `playhead`", () => {
	it("accepts the page's width, and the bar still seeks", async () => {
		const { page } = await app.openTiny(suite);
		await page.evaluate(() => {
			const sheet = new CSSStyleSheet();
			sheet.replaceSync("bev-viewer::part(playhead) { width: 4px; border-radius: 0; }");
			document.adoptedStyleSheets.push(sheet);
		});
		const slider = page.getByRole("slider", { name: "Frame" });
		const thumb = page.locator("[part=playhead]");
		const middle = async () => {
			const box = await thumb.boundingBox();
			return (box?.x ?? 0) + (box?.width ?? 0) / 2;
		};
		const box = await slider.boundingBox();
		if (!box) throw new Error("there is no bar");
		expect(box.width).toBeGreaterThan(500);
		expect((await thumb.boundingBox())?.width).toBe(4);
		const at = (frame: number) => box.x + 7 + ((box.width - 14) * frame) / 5;
		expect(await middle()).toBeCloseTo(at(0), 0);
		await page.mouse.click(at(3), box.y + box.height / 2);
		expect((await app.stateOf(page)).frame).toBe(3);
		await expect.poll(middle).toBeCloseTo(at(3), 0);
	});
});

describe("landmarks and skip links", () => {
	it("have different names in two viewers of a page", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await page.evaluate(async (src) => {
			const other = document.createElement("bev-viewer");
			other.setAttribute("src", src);
			const named = document.createElement("bev-viewer");
			named.setAttribute("src", src);
			named.setAttribute("label", "Run 7");
			const own = document.querySelector("bev-viewer");
			document.body.replaceChildren(...(own ? [own] : []), other, named);
			await Promise.all([own?.settled, other.settled, named.settled]);
		}, app.TINY_SOURCE);
		const regions = await page.evaluate(() =>
			[...document.querySelectorAll<Viewer>("bev-viewer")].map((viewer) =>
				[...viewer.renderRoot.querySelectorAll('[role="region"]')].map((one) =>
					one.getAttribute("aria-label"),
				),
			),
		);
		const names = ["Top bar", "Layers and lights", "Picture", "Agents", "Timeline"];
		expect(regions).toEqual([
			names,
			names.map((name) => `Viewer 2: ${name}`),
			names.map((name) => `Run 7: ${name}`),
		]);
		// All content is in landmarks of the viewers; the page has none.
		const found = async () =>
			(await findings(page)).filter(
				(line) => !/^(landmark-one-main|page-has-heading-one)/.test(line),
			);
		expect(await found()).toEqual([]);
		// The viewers overlap on the page.
		const press = (of: Locator) => of.evaluate((it: HTMLElement) => it.click());
		await press(page.getByRole("tab", { name: "Predictions" }).first());
		await page.locator("bev-review").waitFor();
		expect(await found()).toEqual([]);
		await press(page.getByRole("button", { name: "Keyboard" }).first());
		await page.getByRole("dialog").first().waitFor();
		expect(await found()).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it("are the first tab stops and visible while focused", async () => {
		const { page } = await app.openTiny(suite);
		const focused = () =>
			page.evaluate(() => {
				let at = document.activeElement;
				while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
				return at?.getAttribute("aria-label") ?? at?.textContent?.trim();
			});
		const skip = page.getByRole("button", { name: "Skip to the picture" });
		const isSeen = () =>
			skip.evaluate((button) => {
				const { left, top } = button.getBoundingClientRect();
				const root = button.getRootNode() as ShadowRoot;
				return root.elementFromPoint(left + 8, top + 8) === button;
			});
		expect(await isSeen()).toBe(false);
		await page.keyboard.press("Tab");
		expect(await focused()).toBe("Skip to the picture");
		expect(await isSeen()).toBe(true);
		await page.keyboard.press("Enter");
		expect(await focused()).toBe("Scene, seen from above");
		await page.getByRole("button", { name: "Skip to the timeline" }).focus();
		await page.keyboard.press("Enter");
		expect(await focused()).toBe("Frame");
		await page.keyboard.press("ArrowRight");
		expect((await app.stateOf(page)).frame).toBe(1);
	});
});
