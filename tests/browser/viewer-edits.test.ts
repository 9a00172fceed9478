import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { PatchEdit } from "../../web/src/dataset/patch.js";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

/** A scene of 40 frames: everything moves 1 m east in each; tracks 1 to 3 at the north. */
const LONG = "/data/long.zarr";

const suite = app.useViewer(() => {
	const objects = new Map<string, Uint8Array | string>();
	const size = { scenes: 1, framesPerScene: 40, rowsPerChunk: 64 };
	for (const [key, bytes] of tinyDataset(size)) objects.set(`${LONG}/${key}`, bytes);
	return { objects };
});

const REMOVE: PatchEdit = { op: "remove", scene: 0, track: 1 };

async function open(link: string, options: app.OpenOptions = {}) {
	const at = `v=1&src=${LONG}&${link}`;
	const opened = await app.openApp(suite, { ...options, link: at });
	await app.settled(opened.page);
	return opened;
}

const panel = (page: Page) => page.locator("bev-edits");
const edits = (page: Page) => panel(page).getByRole("listitem");
const button = (page: Page, name: string) =>
	panel(page).getByRole("button", { name, exact: true });

/** Waits until the edits are applied and drawn. */
async function settled(page: Page): Promise<void> {
	await page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.settled);
}

/** Where a track is displayed: metres in world, and pixels of the page. */
async function placeOf(page: Page, track: number | "ego") {
	await settled(page);
	const found = await page.evaluate((of) => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		const { agents, ego } = viewer?.controller?.state.shown ?? {};
		if (!viewer || !agents || !ego) throw new Error("no frame");
		const i = of === "ego" ? -1 : agents.track_id.indexOf(BigInt(of));
		if (of !== "ego" && i < 0) return undefined;
		const [x = 0, y = 0] = of === "ego" ? ego.centroid : agents.centroid.slice(2 * i);
		const yaw = (of === "ego" ? ego.yaw : agents.yaw[i]) ?? 0;
		const { left, top } = viewer.getBoundingClientRect();
		const pixel = viewer.project(x, y) ?? { x: 0, y: 0 };
		return { x, y, yaw, left: left + pixel.x, top: top + pixel.y };
	}, track);
	return found;
}

async function must(page: Page, track: number | "ego") {
	const found = await placeOf(page, track);
	if (!found) throw new Error(`track ${track} is not displayed`);
	return found;
}

async function drag(page: Page, from: readonly number[], by: readonly number[]) {
	const [x = 0, y = 0] = from;
	const [dx = 0, dy = 0] = by;
	await page.mouse.move(x, y);
	await page.mouse.down();
	for (let k = 1; k <= 8; k += 1)
		await page.mouse.move(x + (dx * k) / 8, y + (dy * k) / 8);
	await page.mouse.up();
}

/** Starts editing, with the panel. */
async function edit(page: Page): Promise<void> {
	await app.focusPicture(page);
	await page.keyboard.press("w");
	await button(page, "Edit").waitFor();
	expect(await button(page, "Edit").getAttribute("aria-pressed")).toBe("true");
}

const picture = (page: Page) =>
	page.evaluate(() => {
		const viewer = document.querySelector("bev-viewer");
		const view = viewer?.shadowRoot?.querySelector("bev-scene-view");
		return view?.shadowRoot?.querySelector("canvas")?.toDataURL();
	});

describe("what if", () => {
	it("a drag moves an agent, which undo and redo follow", async () => {
		const { page, complaints } = await open("f=12");
		await edit(page);
		const before = await must(page, 2);
		await drag(page, [before.left, before.top], [0, -60]);
		await expect.poll(() => edits(page).allTextContents()).toHaveLength(1);
		const after = await must(page, 2);
		expect(after.x).toBeCloseTo(before.x, 1);
		expect(after.y).toBeGreaterThan(before.y + 3);
		expect(await edits(page).textContent()).toMatch(
			/^\s*Track 2: moved [\d.]+ m from frame 12/,
		);
		const closest = panel(page).getByRole("row", { name: /^Closest to the ego/ });
		await closest.waitFor();
		expect(await findings(page)).toEqual([]);
		await page.keyboard.press("Control+z");
		expect((await must(page, 2)).y).toBe(before.y);
		await expect.poll(() => edits(page).count()).toBe(0);
		await page.keyboard.press("Control+Shift+z");
		expect((await must(page, 2)).y).toBeCloseTo(after.y, 6);
		// The selected one's knob turns it.
		const metres = await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const [a, b] = [viewer?.project(0, 0), viewer?.project(1, 0)];
			return (b?.x ?? 0) - (a?.x ?? 0);
		});
		const length = await page.evaluate(() => {
			const { shown } =
				document.querySelector<Viewer>("bev-viewer")?.controller?.state ?? {};
			return shown?.agents.extent[3 * shown.agents.track_id.indexOf(2n)] ?? 0;
		});
		const far = (length / 2) * metres + 20;
		const knob = [
			after.left + far * Math.cos(after.yaw),
			after.top - far * Math.sin(after.yaw),
		];
		await drag(page, knob, [
			after.left - (knob[0] ?? 0),
			after.top - far - (knob[1] ?? 0),
		]);
		await expect.poll(() => edits(page).textContent()).toContain("turned");
		expect((await must(page, 2)).yaw).toBeCloseTo(Math.PI / 2, 1);
		expect(complaints).toEqual([]);
	});

	it("a drag beside agents moves the picture, a click selects", async () => {
		const { page } = await open("f=12");
		await edit(page);
		const at = await must(page, 2);
		await page.mouse.click(at.left, at.top);
		const controller = await app.controllerOf(page);
		expect(await controller.evaluate((it) => String(it.state.selection))).toBe("2");
		await drag(page, [at.left + 120, at.top + 150], [40, 0]);
		expect(await controller.evaluate((it) => it.state.follow)).toBe("free");
		expect(await edits(page).count()).toBe(0);
		// Not editing, a drag of an agent moves the picture, too.
		await page.keyboard.press("Escape");
		await page.keyboard.press("Escape");
		expect(await button(page, "Edit").getAttribute("aria-pressed")).toBe("false");
		const now = await must(page, 2);
		await drag(page, [now.left, now.top], [0, 60]);
		expect(await edits(page).count()).toBe(0);
	});

	it("a link shows the same picture in another browser", async () => {
		const { page } = await open("f=12");
		await edit(page);
		const at = await must(page, 3);
		await drag(page, [at.left, at.top], [30, -40]);
		await button(page, "Add agent").click();
		const place = await must(page, 3);
		await expect.poll(() => edits(page).count()).toBe(2);
		await button(page, "Edit").click();
		await settled(page);
		await expect.poll(() => page.url()).toContain("wi=");
		const link = new URL(page.url()).hash.slice(1);
		const seen = await picture(page);
		const other = await app.openApp(suite, { link });
		await settled(other.page);
		expect((await must(other.page, 3)).y).toBe(place.y);
		await expect.poll(() => picture(other.page)).toBe(seen);
		expect(
			await other.page.getByRole("tab", { name: "What if" }).getAttribute("title"),
		).toBe("2 edits of the data");
		expect(other.complaints).toEqual([]);
	});

	it("keys move, turn, stop and remove the selection", async () => {
		const { page, complaints } = await open("f=12&t=2", { theme: "light" });
		await edit(page);
		await app.focusPicture(page);
		const before = await must(page, 2);
		await page.keyboard.press("Shift+ArrowUp");
		await page.keyboard.press("ArrowLeft");
		await page.keyboard.press("Alt+ArrowLeft");
		const after = await must(page, 2);
		expect(after.x - before.x).toBeCloseTo(
			Math.cos(before.yaw) - 0.1 * Math.sin(before.yaw),
			2,
		);
		expect(after.yaw - before.yaw).toBeCloseTo(Math.PI / 180, 3);
		expect(await edits(page).count()).toBe(1);
		await page.keyboard.press("s");
		await page.keyboard.press("]");
		await expect.poll(() => edits(page).allTextContents()).toHaveLength(3);
		await page.keyboard.press("Delete");
		expect(await placeOf(page, 2)).toBeUndefined();
		await panel(page)
			.getByRole("button", { name: /^Remove: Track 2: removed/ })
			.click();
		expect(await placeOf(page, 2)).toBeDefined();
		await button(page, "Reset").click();
		expect((await must(page, 2)).x).toBe(before.x);
		expect(complaints).toEqual([]);
	});

	it("shows the recording, saves the patch and opens it again", async () => {
		const { page, complaints } = await open("f=12&t=1");
		await edit(page);
		await button(page, "Remove").click();
		expect(await placeOf(page, 1)).toBeUndefined();
		await button(page, "Recording").click();
		expect(await placeOf(page, 1)).toBeDefined();
		await button(page, "Recording").click();
		expect(await placeOf(page, 1)).toBeUndefined();
		const save = button(page, "Save patch");
		const [name, bytes] = await app.downloaded(page, () => save.click());
		expect(name).toBe("patch.json");
		const patch = JSON.parse(bytes.toString());
		expect(patch).toEqual({ format: "bevscope-patch", version: 1, edits: [REMOVE] });
		await button(page, "Reset").click();
		expect(await placeOf(page, 1)).toBeDefined();
		const folder = mkdtempSync(join(tmpdir(), "bevscope-"));
		try {
			const path = join(folder, "mine.json");
			writeFileSync(path, bytes);
			await app.dropFiles(page, [path]);
			await page.getByText("mine.json: 1 edit; see What if").waitFor();
			expect(await placeOf(page, 1)).toBeUndefined();
			writeFileSync(path, bytes.toString().replace('"track":1', '"track":77'));
			await app.dropFiles(page, [path]);
			await page
				.getByText(/^mine.json: patch: edits\[0\]: scene 0: track 77/)
				.waitFor();
			expect(await placeOf(page, 1)).toBeUndefined();
		} finally {
			rmSync(folder, { recursive: true });
		}
		expect(complaints).toEqual([]);
	});

	it("sets traffic lights at 360 px", async () => {
		const { page, complaints } = await open("f=12", { width: 360, height: 740 });
		await page.locator("#open-details").click();
		await app.openTab(page, "What if");
		await button(page, "Edit").click();
		await button(page, "Dark").click();
		await expect.poll(() => edits(page).count()).toBeGreaterThan(0);
		await settled(page);
		const states = await page.evaluate(() => {
			const { shown } =
				document.querySelector<Viewer>("bev-viewer")?.controller?.state ?? {};
			return [...(shown?.lights.state ?? [])];
		});
		expect(new Set(states)).toEqual(new Set([1]));
		expect(await app.overflow(page)).toEqual([0, 0]);
		expect(await findings(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it("is a method of the page; undefined shows the recording", async () => {
		const { page, complaints } = await open("f=12");
		const set = (patch: unknown) =>
			page.evaluate(async (of) => {
				const viewer = document.querySelector<Viewer>("bev-viewer");
				return viewer?.setPatch((of ?? undefined) as never).then(
					() => "done",
					(error: Error) => error.message,
				);
			}, patch ?? null);
		const patch = { format: "bevscope-patch", version: 1, edits: [REMOVE] };
		expect(await set(patch)).toBe("done");
		expect(await placeOf(page, 1)).toBeUndefined();
		expect(await set({ ...patch, edits: [{ op: "fly" }] })).toMatch(
			/^patch: edits\[0\]/,
		);
		expect(await placeOf(page, 1)).toBeUndefined();
		expect(await set(undefined)).toBe("done");
		expect(await placeOf(page, 1)).toBeDefined();
		expect(complaints).toEqual([]);
	});
});

/** Opens a function that drives straight on, at the speed of the sample's history. */
async function setModel(page: Page, wait = 0): Promise<void> {
	await page.evaluate(async (milliseconds) => {
		type Inputs = Record<string, { data: Float64Array; dims: readonly number[] }>;
		const straight = async ({ yaw, centroid }: Inputs) => {
			await new Promise((done) => setTimeout(done, milliseconds));
			const count = yaw?.dims[0] ?? 0;
			Object.assign(globalThis, { seen: Array.from(centroid?.data ?? []) });
			const data = Float64Array.from({ length: 2 * count }, (_, k) => (k + 1) % 2);
			return { positions: { data, dims: [count, 1, 2] } };
		};
		const viewer = document.querySelector<Viewer>("bev-viewer");
		await viewer?.setModel(straight as never, { name: "straight" });
	}, wait);
}

const model = (page: Page) => page.getByRole("region", { name: "Model" });

describe("a model in an edited scene", () => {
	it("predicts the edit", async () => {
		const { page, complaints } = await open("f=12");
		await setModel(page);
		await model(page).getByText("Live", { exact: true }).waitFor();
		const seen = () =>
			page.evaluate(() => (globalThis as { seen?: number[] }).seen ?? []);
		const [x = 0, y = 0] = await seen();
		await page.evaluate(() =>
			document.querySelector<Viewer>("bev-viewer")?.setPatch({
				...{ format: "bevscope-patch", version: 1 },
				edits: [{ op: "move", scene: 0, track: "ego", by: [0, 9] }],
			}),
		);
		await expect.poll(seen).toEqual([x, y + 9]);
		await model(page).getByText("Live", { exact: true }).waitFor();
		const drawn = await page.evaluate(() => {
			const { review } =
				document.querySelector<Viewer>("bev-viewer")?.controller?.state ?? {};
			return review?.drawn[0]?.lines.modes.points[1];
		});
		expect(drawn).toBe(y + 9);
		expect(complaints).toEqual([]);
	});

	it("drives through it; of two at once the second counts, also while editing", async () => {
		const { page, complaints } = await open("f=5");
		await setModel(page, 20);
		await model(page).getByText("Live", { exact: true }).waitFor();
		const patch = (metres: number) =>
			page.evaluate(
				(by) =>
					document.querySelector<Viewer>("bev-viewer")?.setPatch({
						...{ format: "bevscope-patch", version: 1 },
						edits: [{ op: "move", scene: 0, track: "ego", by: [0, by] }],
					}),
				metres,
			);
		await patch(4);
		const start = async () => {
			await model(page).getByRole("button", { name: "Unroll" }).click();
			await model(page)
				.getByText(/^Unrolling from frame 5/)
				.waitFor();
		};
		const { y } = await must(page, "ego");
		await start();
		await model(page).getByRole("button", { name: "Stop" }).click();
		await start();
		await model(page).getByText("Unrolled 35 frames from frame 5").waitFor();
		const rollout = page.getByRole("region", { name: "Rollout" });
		// It drives as the edited ego vehicle does, with which it is compared.
		const row = rollout.getByRole("row", { name: /^Displacement/ });
		await expect.poll(() => row.textContent()).toMatch(/0\.00\s*0\.00/);
		expect(y).toBe(4);
		await start();
		await patch(8);
		await model(page)
			.getByText(/^Stopped from frame 5/)
			.waitFor();
		expect((await must(page, "ego")).y).toBe(8);
		await expect.poll(() => row.textContent()).not.toMatch(/0\.00\s*0\.00/);
		await start();
		await model(page).getByText("Unrolled 35 frames from frame 5").waitFor();
		expect(complaints).toEqual([]);
	});
});
