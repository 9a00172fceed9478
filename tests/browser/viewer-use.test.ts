import { describe, expect, it } from "vitest";

import * as app from "./viewer-harness.js";

const suite = app.useViewer();

describe("time", () => {
	it("plays to the end and announces the last frame", async () => {
		const { page, complaints } = await app.openTiny(suite);
		await page.getByRole("button", { name: "Play" }).click();
		await page.getByText("frame 5 of 0–5", { exact: true }).waitFor();
		const announcement = "frame 5 of 0 to 5, 0.5 s: 1 vehicle, 1 cyclist, 1 pedestrian";
		await expect
			.poll(() => app.stateOf(page))
			.toMatchObject({ playing: false, announcement });
		await page.getByRole("button", { name: "Play" }).waitFor();
		expect(complaints).toEqual([]);
	});

	it("seeks by pointer; the slider has a text value", async () => {
		const { page } = await app.openTiny(suite);
		const slider = page.getByRole("slider", { name: "Frame" });
		const box = await slider.boundingBox();
		if (!box) throw new Error("the slider has no box");
		const position = { x: box.width * 0.6, y: box.height / 2 };
		await slider.click({ position });
		await app.settled(page);
		expect((await app.stateOf(page)).shown).toBe(3);
		expect(await slider.getAttribute("aria-valuetext")).toBe(
			"frame 3 of 0 to 5, 0.3 s",
		);
		expect(await slider.inputValue()).toBe("3");
	});

	it("starts the slider at the link's frame", async () => {
		const { page } = await app.openTiny(suite, { link: "f=4" });
		expect(await page.getByRole("slider", { name: "Frame" }).inputValue()).toBe("4");
	});
});

describe("keys", () => {
	it("step, seek, change scene and speed", async () => {
		const { page } = await app.openTiny(suite);
		await app.focusPicture(page);
		const after = async (key: string) => {
			await page.keyboard.press(key);
			return app.stateOf(page);
		};
		expect(await after("ArrowRight")).toMatchObject({ frame: 1 });
		expect(await after("Shift+ArrowRight")).toMatchObject({ frame: 5 });
		expect(await after("Home")).toMatchObject({ frame: 0 });
		expect(await after("End")).toMatchObject({ frame: 5 });
		expect(await after("]")).toMatchObject({ scene: 1 });
		expect(await after(".")).toMatchObject({ speed: 2 });
		await app.settled(page);
		// Slow enough to still be playing when checked.
		for (let k = 0; k < 4; k += 1) await page.keyboard.press(",");
		expect(await after(" ")).toMatchObject({ playing: true });
	});

	it("pan, zoom and switch layers", async () => {
		const { page } = await app.openTiny(suite);
		await app.focusPicture(page);
		await page.keyboard.press("f");
		await page.keyboard.press("+");
		await page.keyboard.press("Alt+ArrowRight");
		const { follow, camera } = await app.stateOf(page);
		expect(follow).toBe("heading");
		expect(camera.span).toBeLessThan(110);
		expect(Math.hypot(camera.x, camera.y)).toBeGreaterThan(1);
		await page.keyboard.press("0");
		expect((await app.stateOf(page)).camera).toMatchObject({ x: 0, y: 0, span: 110 });
		await page.keyboard.press("2");
		expect((await app.stateOf(page)).layers).not.toContain("vehicle");
	});

	it("move between agents, select, and go back", async () => {
		const { page } = await app.openTiny(suite);
		await app.focusPicture(page);
		await page.keyboard.press("n");
		const { hover, announcement } = await app.stateOf(page);
		expect(announcement).toContain(` ${hover}`);
		await page.keyboard.press("Enter");
		expect((await app.stateOf(page)).selection).toBe(hover);
		await page.getByRole("heading", { name: "Label probabilities" }).waitFor();
		await page.keyboard.press("Escape");
		expect((await app.stateOf(page)).selection).toBeUndefined();
	});

	it("do not act while a field outside the viewer is focused", async () => {
		const { page } = await app.openTiny(suite);
		await page.evaluate(() => {
			const field = document.createElement("input");
			document.body.append(field);
			field.focus();
		});
		await page.keyboard.press("ArrowRight");
		expect((await app.stateOf(page)).frame).toBe(0);
	});

	it("are listed by ?; / focuses Find", async () => {
		const { page } = await app.openTiny(suite);
		await app.focusPicture(page);
		await page.keyboard.press("?");
		await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
		await page.keyboard.press("Escape");
		await page.keyboard.press("/");
		await page.keyboard.type("14");
		const rows = page.getByRole("grid", { name: "Agents" }).getByRole("row");
		await expect.poll(() => rows.count()).toBe(2);
	});
});

describe("the picture", () => {
	it("shows the clicked agent's record", async () => {
		const { page } = await app.openTiny(suite, { link: "z=60" });
		for (const row of [0, 1, 2]) {
			const at = await app.agentOnPage(page, row);
			await page.mouse.click(at.x, at.y);
			const { selection } = await app.stateOf(page);
			await page.getByText(`track ${selection}`, { exact: true }).waitFor();
		}
		await page.getByText("All fields").click();
		await page.getByText("track_id").waitFor();
	});

	it("pans by dragging and zooms by the wheel", async () => {
		const { page } = await app.openTiny(suite);
		await page.mouse.move(600, 400);
		await page.mouse.down();
		await page.mouse.move(700, 400, { steps: 4 });
		await page.mouse.up();
		const { camera, selection } = await app.stateOf(page);
		expect(camera.x).toBeLessThan(-10);
		expect(selection).toBeUndefined();
		await page.mouse.wheel(0, -400);
		await expect
			.poll(async () => (await app.stateOf(page)).camera.span)
			.toBeLessThan(80);
	});

	it("shows coordinates under the pointer and highlights the table row", async () => {
		const { page } = await app.openTiny(suite, { link: "z=60" });
		const at = await app.agentOnPage(page, 1);
		await page.mouse.move(at.x, at.y);
		await page.getByText(/^x −?\d+\.\d\d y −?\d+\.\d\d$/).waitFor();
		const { hover } = await app.stateOf(page);
		expect(hover).toBeDefined();
		const marked = page.locator("bev-agent-table tr.hover");
		expect(await marked.textContent()).toContain(`${hover}`);
	});

	it("is identical if drawn twice, and differs between frames", async () => {
		const { page } = await app.openTiny(suite, { reducedMotion: true });
		const pixels = () =>
			page.evaluate(() => {
				const viewer = document.querySelector("bev-viewer");
				const picture = viewer?.shadowRoot?.querySelector("bev-scene-view");
				return picture?.shadowRoot?.querySelector("canvas")?.toDataURL();
			});
		await app.still(page);
		const first = await pixels();
		await page.getByRole("button", { name: "Next frame" }).click();
		await app.drawn(page);
		const second = await pixels();
		await page.getByRole("button", { name: "Previous frame" }).click();
		await app.drawn(page);
		expect(await pixels()).toBe(first);
		expect(second).not.toBe(first);
	});
});

describe("thresholds", () => {
	it("hide agents immediately, and name the filter that hides all", async () => {
		const { page } = await app.openTiny(suite);
		await page.getByText("3 of 3 agents in this frame").waitFor();
		await page.getByLabel("Certainty >").fill("0.9");
		await page
			.getByText("Certainty > 0.90 hides all 3 agents", { exact: true })
			.waitFor();
		await page.getByText("0 of 3 agents in this frame").waitFor();
		await page.getByLabel("Certainty >").fill("0.5");
		await page.getByLabel("Distance to ego ≤").fill("15");
		await page.getByText("1 of 3 agents in this frame").waitFor();
	});
});

describe("scenes", () => {
	it("are chosen from the list; the browser's Back returns", async () => {
		const { page } = await app.openTiny(suite);
		await expect.poll(() => page.url()).toContain("src=");
		await page.getByRole("button", { name: /^Scene 0 of 0–1$/ }).click();
		await page.getByRole("row", { name: "Scene 1" }).click();
		await page.getByText("Scene 1 of 0–1").waitFor();
		await page.getByText(/^host-1 · /).waitFor();
		await expect.poll(() => page.url()).toContain("s=1");
		await page.goBack();
		await page.getByText("Scene 0 of 0–1").waitFor();
	});
});

/** Returns a deterministic random number generator: mulberry32. */
function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

describe("a monkey", () => {
	it("survives 300 random keys, clicks, drags and wheel events", async () => {
		const { page, complaints } = await app.openTiny(suite);
		const random = seeded(7);
		const keys =
			"Space ArrowLeft ArrowRight Home End [ ] , . f 0 + - n p Enter Escape 1 2 6 9 Tab ? Escape";
		const names = keys.split(" ");
		const at = (): [number, number] => [random() * 1280, 50 + random() * 740];
		for (let k = 0; k < 300; k += 1) {
			const what = random();
			if (what < 0.6)
				await page.keyboard.press(names[Math.floor(random() * names.length)] ?? "n");
			else if (what < 0.8) await page.mouse.click(...at());
			else if (what < 0.9) await page.mouse.wheel(0, random() * 800 - 400);
			else await page.mouse.move(...at());
		}
		const { phase, scene, frame } = await app.stateOf(page);
		expect(complaints).toEqual([]);
		expect(["ready", "opening", "empty"]).toContain(phase);
		expect(scene).toBeLessThan(2);
		expect(frame).toBeLessThan(6);
	});

	it("terminates the workers of closed data sets", async () => {
		const { page } = await app.openTiny(suite);
		await page.evaluate(async (src) => {
			const viewer = document.querySelector("bev-viewer") as unknown as {
				controller: { open(place: object): Promise<void>; close(): void };
				settled: Promise<void>;
			};
			for (let k = 0; k < 12; k += 1) {
				await viewer.controller.open({ kind: "address", address: src });
				await viewer.settled;
				viewer.controller.close();
			}
		}, app.TINY_SOURCE);
		await expect.poll(() => page.workers().length).toBeLessThanOrEqual(1);
	});
});
