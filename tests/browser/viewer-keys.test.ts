import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** Presses End, then Home; each must have its effect exactly once. */
async function keysWork(page: Page): Promise<void> {
	await page.keyboard.press("End");
	await expect.poll(async () => (await app.stateOf(page)).frame).toBe(5);
	await page.keyboard.press("Home");
	await expect.poll(async () => (await app.stateOf(page)).frame).toBe(0);
	await page.keyboard.press("ArrowRight");
	await expect.poll(async () => (await app.stateOf(page)).frame).toBe(1);
	await page.keyboard.press("Home");
	await expect.poll(async () => (await app.stateOf(page)).frame).toBe(0);
}

/**
 * Closes the focused dialog and presses `key` in the same task, while its control still
 * has the focus. Returns that control and the viewer's state after the key.
 */
function pressInClosed(page: Page, key: string) {
	return page.evaluate((key) => {
		let focused = document.activeElement;
		while (focused?.shadowRoot?.activeElement)
			focused = focused.shadowRoot.activeElement;
		focused?.closest("dialog")?.close();
		const press = { key, bubbles: true, composed: true, cancelable: true };
		focused?.dispatchEvent(new KeyboardEvent("keydown", press));
		const state = document.querySelector<Viewer>("bev-viewer")?.controller?.state;
		return { focused: focused?.tagName, frame: state?.frame, playing: state?.playing };
	}, key);
}

/** Returns a point at the left edge of a part, without a control. */
async function blankOf(page: Page, part: string): Promise<{ x: number; y: number }> {
	const box = await page.locator(part).first().boundingBox();
	if (!box) throw new Error(`${part} is not there`);
	return { x: box.x + 12, y: box.y + box.height / 2 };
}

/** Replaces the page's viewer with two viewers with data, a field and a button. */
async function twoViewers(page: Page): Promise<void> {
	await page.evaluate(`(async () => {
		const { opened } = await import("/support/made-scene.js");
		const viewers = ["a", "b"].map((id) => {
			const viewer = document.createElement("bev-viewer");
			viewer.id = id;
			return viewer;
		});
		const field = document.createElement("input");
		field.id = "field";
		const text = document.createElement("p");
		text.id = "text";
		text.textContent = "words of the page";
		document.querySelector("main").replaceChildren(text, field, ...viewers);
		viewers.forEach((viewer, k) => {
			viewer.style.cssText = "position: fixed; top: 200px; width: 630px; height: 500px; left: " + 640 * k + "px";
		});
		await Promise.all(viewers.map((viewer) => viewer.show("made", opened())));
		await Promise.all(viewers.map((viewer) => viewer.settled));
	})()`);
}

const framesOf = (page: Page) =>
	page.evaluate(() =>
		["a", "b"].map(
			(id) => document.querySelector<Viewer>(`#${id}`)?.controller?.state.frame,
		),
	);

describe("keys of the standalone page", () => {
	it("work after loading, before any click", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await keysWork(page);
		expect(complaints).toEqual([]);
	});

	it.each([
		["the layers", "bev-layers"],
		["the lights", "bev-light-list"],
		["the agents", "bev-agent-table"],
		["the timeline", "bev-timeline"],
		["the top bar", "bev-viewer .top"],
	])("work after a click on an empty area of %s", async (_, part) => {
		const { page } = await app.openTiny(suite);
		const { x, y } = await blankOf(page, part);
		await page.mouse.click(x, y);
		await keysWork(page);
	});

	it("work after a click on the picture and on text of the inspector", async () => {
		const { page } = await app.openTiny(suite, { link: "t=3" });
		const { x, y } = await blankOf(page, "bev-scene-view");
		await page.mouse.click(x, y - 100);
		await keysWork(page);
		await page.evaluate(() =>
			document.querySelector<Viewer>("bev-viewer")?.controller?.select(3n),
		);
		await page.getByText("Distance to ego", { exact: true }).click();
		await keysWork(page);
	});

	it("clear a selection made in the table by Escape", async () => {
		const { page } = await app.openTiny(suite);
		await page.locator("bev-agent-table td.number").first().click();
		await expect
			.poll(async () => (await app.stateOf(page)).selection)
			.not.toBeUndefined();
		await page.keyboard.press("Escape");
		await expect.poll(async () => (await app.stateOf(page)).selection).toBeUndefined();
		await keysWork(page);
	});

	it("act only on an open dialog, and work after it closes", async () => {
		const { page } = await app.openTiny(suite);
		await page.keyboard.press("?");
		const heading = page.getByRole("heading", { name: "Keyboard" });
		await heading.click();
		await page.keyboard.press("End");
		expect((await app.stateOf(page)).frame).toBe(0);
		await page.keyboard.press("Escape");
		await heading.waitFor({ state: "hidden" });
		await keysWork(page);
		await page.keyboard.press("e");
		const dialog = page.getByRole("heading", { name: "Export" });
		await dialog.waitFor();
		await page.keyboard.press("Escape");
		await dialog.waitFor({ state: "hidden" });
		await keysWork(page);
	});

	it.each([
		["End", { frame: 5, playing: false }],
		[" ", { frame: 0, playing: true }],
	])("act at once after a dialog closes: %j", async (key, state) => {
		const { page } = await app.openTiny(suite);
		await page.keyboard.press("e");
		await page.getByRole("heading", { name: "Export" }).waitFor();
		expect(await pressInClosed(page, key)).toEqual({ focused: "SELECT", ...state });
	});

	it("act at once after the page's dialog closes", async () => {
		const { page } = await app.openTiny(suite);
		await page.evaluate(() => {
			const dialog = document.createElement("dialog");
			dialog.append(document.createElement("button"));
			document.body.append(dialog);
			dialog.showModal();
		});
		const state = { frame: 5, playing: false };
		expect(await pressInClosed(page, "End")).toEqual({ focused: "BUTTON", ...state });
	});

	it("are typed into a focused field", async () => {
		const { page } = await app.openTiny(suite);
		const field = page.getByRole("searchbox");
		await field.click();
		await page.keyboard.type("l?/ 3e");
		expect(await field.inputValue()).toBe("l?/ 3e");
		expect(await app.stateOf(page)).toMatchObject({ frame: 0, playing: false });
		expect(await page.locator("dialog[open]").count()).toBe(0);
	});

	it("held down, toggle once", async () => {
		const { page } = await app.openTiny(suite);
		const before = (await app.stateOf(page)).layers;
		await page.keyboard.down("1");
		await page.keyboard.down("1");
		await page.keyboard.up("1");
		const after = (await app.stateOf(page)).layers;
		expect(after.includes("ego")).toBe(!before.includes("ego"));
	});
});

describe("keys of a page with two viewers", () => {
	it("act on the last clicked viewer, never on both", async () => {
		const { page } = await app.openApp(suite);
		await twoViewers(page);
		await page.keyboard.press("ArrowRight");
		expect(await framesOf(page)).toEqual([0, 0]);
		await page.locator("#a .picture").click({ position: { x: 30, y: 100 } });
		await page.keyboard.press("ArrowRight");
		expect(await framesOf(page)).toEqual([1, 0]);
		await page.locator("#b .picture").click({ position: { x: 30, y: 100 } });
		await page.keyboard.press("ArrowRight");
		expect(await framesOf(page)).toEqual([1, 1]);
	});

	it("stay with the viewer whose focused element was removed", async () => {
		const { page } = await app.openApp(suite);
		await twoViewers(page);
		await page.locator("#b .picture").click({ position: { x: 30, y: 100 } });
		await page.evaluate(() => {
			let at = document.activeElement;
			while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
			(at as HTMLElement).blur();
		});
		await page.keyboard.press("ArrowRight");
		expect(await framesOf(page)).toEqual([0, 1]);
	});

	it("return to the page after a click outside of the viewers", async () => {
		const { page } = await app.openApp(suite);
		await twoViewers(page);
		await page.locator("#a .picture").click({ position: { x: 30, y: 100 } });
		await page.locator("#text").click();
		await page.keyboard.press("ArrowRight");
		await page.locator("#field").click();
		await page.keyboard.type("3");
		await page.keyboard.press("End");
		expect(await framesOf(page)).toEqual([0, 0]);
		expect(await page.locator("#field").inputValue()).toBe("3");
	});
});
