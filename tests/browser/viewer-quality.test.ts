import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { fieldOf, TINY, tinyDataset } from "../support/tiny-dataset.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const TOWN = fileURLToPath(new URL("../../build/town", import.meta.url));
const FRAMES = 12;
const ODD = "/odd/scenes/odd.zarr";

const rowOf = (frame: number, agent: number) => frame * TINY.agentsPerFrame + agent;

/** One scene with each anomaly once. */
function oddDataset(): Map<string, Uint8Array> {
	const objects = tinyDataset({ scenes: 1, framesPerScene: FRAMES });
	const time = (frame: number) => fieldOf(objects, "frames", frame, "timestamp");
	for (let frame = 3; frame < FRAMES; frame += 1) {
		const late = time(frame).getBigInt64(0, true) + 900_000_000n;
		time(frame).setBigInt64(0, late, true);
	}
	time(5).setBigInt64(0, time(4).getBigInt64(0, true), true);
	// Frame 6 also has the agents of frame 7, with other track ids.
	const interval = (frame: number) =>
		fieldOf(objects, "frames", frame, "agent_index_interval");
	interval(6).setBigInt64(8, BigInt(rowOf(8, 0)), true);
	interval(7).setBigInt64(0, BigInt(rowOf(8, 0)), true);
	for (const agent of [0, 1, 2]) {
		const track = fieldOf(objects, "agents", rowOf(7, agent), "track_id");
		track.setBigUint64(0, BigInt(4 + agent), true);
	}
	const extent = fieldOf(objects, "agents", rowOf(8, 0), "extent");
	for (const at of [0, 4, 8]) extent.setFloat32(at, 0, true);
	const centroid = fieldOf(objects, "agents", rowOf(9, 1), "centroid");
	centroid.setFloat64(8, 110, true);
	return objects;
}

/** The town's map lies beside it, with other face ids. */
const suite = app.useViewer(() => ({
	folders: { "/odd/": TOWN },
	objects: new Map([...oddDataset()].map(([key, bytes]) => [`${ODD}/${key}`, bytes])),
}));

const unfold = (page: Page) => page.getByRole("button", { name: /^Quality/ }).click();

async function openOdd(theme: "dark" | "light" = "dark"): Promise<Page> {
	const { page, complaints } = await app.openApp(suite, {
		theme,
		link: `v=1&src=${ODD}`,
	});
	await app.settled(page);
	await unfold(page);
	expect(complaints).toEqual([]);
	return page;
}

const marks = (page: Page) => page.locator("bev-timeline .quality li button");

describe("anomalies", () => {
	it("are listed by frame and marked on the timeline", async () => {
		const page = await openOdd();
		const told = async () =>
			(await marks(page).allTextContents()).map((words) => words.replace(/\s+/g, " "));
		await expect
			.poll(told)
			.toEqual([
				"0 Face face-0 controls no lane",
				"1 Face face-1 controls no lane",
				"3 1.00 s since the previous frame",
				"5 Time does not advance",
				"6 0.20 s since the previous frame",
				"7 No agents",
				"8 Track 1 has no size",
				"9 Track 2 jumps 90.0 m",
			]);
		const ticks = page.locator("bev-timeline .ticks svg");
		const shares = await ticks.evaluateAll((all) =>
			all.map((tick) => Number.parseFloat(tick.getAttribute("x") ?? "")),
		);
		const frames = shares.map((share) => Math.round((share * (FRAMES - 1)) / 100));
		expect(frames).toEqual([0, 1, 3, 5, 6, 7, 8, 9]);
		for (const [k, frame] of frames.entries()) {
			await marks(page).nth(k).click();
			await app.settled(page);
			expect(await marks(page).count()).toBe(0);
			await unfold(page);
			expect((await app.stateOf(page)).shown).toBe(frame);
		}
	});

	it("close by an outside click or Escape, which keeps the selection", async () => {
		const page = await openOdd();
		await marks(page).filter({ hasText: "Track 2 jumps" }).click();
		await app.settled(page);
		expect(await app.stateOf(page)).toMatchObject({ shown: 9, selection: "2" });
		await unfold(page);
		await page.keyboard.press("Escape");
		expect(await marks(page).count()).toBe(0);
		expect((await app.stateOf(page)).selection).toBe("2");
		await unfold(page);
		expect(await marks(page).count()).toBeGreaterThan(0);
		await page.locator("bev-layers .kept").click();
		await expect.poll(() => marks(page).count()).toBe(0);
	});

	it("cover no other control", async () => {
		const page = await openOdd();
		const list = await page.getByRole("list", { name: "Quality" }).boundingBox();
		const time = await page.locator("bev-timeline").boundingBox();
		const picture = await page.getByRole("region", { name: "Picture" }).boundingBox();
		if (!list || !time || !picture) throw new Error("something has no box");
		expect(list.y).toBeGreaterThanOrEqual(time.y);
		expect(picture.y + picture.height).toBeLessThanOrEqual(time.y);
	});

	it("include frames without agents", async () => {
		const page = await openOdd();
		await marks(page).filter({ hasText: "No agents" }).click();
		await page.getByText("No agents in this frame").waitFor();
		await page.getByText("0 of 0 agents in this frame").waitFor();
	});

	it("include absent chunks of agents and lights", async () => {
		for (const [array, chunk, what] of [
			["agents", 8, "agents of 2 frames"],
			["traffic_light_faces", 1, "traffic lights of 4 frames"],
		] as const) {
			const match = new RegExp(`odd\\.zarr/${array}/${chunk}$`);
			suite.server.fault({ match, status: 404 });
			const page = await openOdd();
			await marks(page)
				.filter({ hasText: `Absent: ${what}` })
				.waitFor();
			await page.context().close();
			suite.server.reset();
			suite.server.csp = app.APP_CSP;
		}
	});

	it("name a scene's absent chunk of frames", async () => {
		suite.server.fault({ match: /odd\.zarr\/frames\/2$/, status: 404 });
		const { page } = await app.openApp(suite, { link: `v=1&src=${ODD}` });
		await page.getByText("frames/2: missing from the store").first().waitFor();
		expect(await page.getByText("frames/2 is missing from the data set").count()).toBe(
			0,
		);
		expect((await app.stateOf(page)).shown).toBeUndefined();
	});

	it.each(["dark", "light"] as const)("are accessible, %s", async (theme) => {
		expect(await findings(await openOdd(theme))).toEqual([]);
	});
});
