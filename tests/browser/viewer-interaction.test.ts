import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	interactionMap,
	interactionTracks,
} from "../../web/tools/examples/interaction.mjs";
import * as app from "./viewer-harness.js";

const MAP = new TextEncoder().encode(interactionMap());
const TRACKS = new TextEncoder().encode(interactionTracks());

const suite = app.useViewer(() => ({
	objects: new Map([
		["/data/maps/DR_Example.osm", MAP],
		["/data/val/DR_Example_val.csv", TRACKS],
	]),
}));

let top = "";
beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "bevscope-"));
});
afterEach(() => rmSync(top, { recursive: true }));

function put(name: string, content: Uint8Array): string {
	const path = join(top, name);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
	return path;
}

async function shown(page: Page): Promise<void> {
	await page.getByText("Scene 0 of 0–1").waitFor();
	await app.settled(page);
	await page.getByRole("switch", { name: "Lanes 20" }).waitFor();
}

describe("tracks of INTERACTION", () => {
	it("open when they are dropped with their map, under the strict policy", async () => {
		const { page, complaints } = await app.openApp(suite);
		const tracks = put("DR_Example_val.csv", TRACKS);
		await app.dropFiles(page, [tracks, put("DR_Example.osm", MAP)]);
		await shown(page);
		expect(complaints).toEqual([]);
	});

	it("open when their folder is dropped", async () => {
		const { page } = await app.openApp(suite);
		put("set/val/DR_Example_val.csv", TRACKS);
		put("set/val/notes.csv", new TextEncoder().encode("a,b\n1,2\n"));
		put("set/maps/DR_Example.osm", MAP);
		await app.dropFiles(page, [join(top, "set")]);
		await shown(page);
	});

	it("open by their URL, with the map that lies in ../maps", async () => {
		const link = "v=1&src=/data/val/DR_Example_val.csv";
		const { page } = await app.openApp(suite, { link });
		await shown(page);
	});

	it("open alone when a file is dropped on the start page, without map", async () => {
		const { page } = await app.openApp(suite);
		await app.dropFiles(page, [put("DR_Example_val.csv", TRACKS)]);
		await page.getByText("Scene 0 of 0–1").waitFor();
		await app.settled(page);
		const controller = await app.controllerOf(page);
		expect(await controller.evaluate(({ state }) => state.mapState)).toBe("absent");
	});

	it("say that they have no ego vehicle, and open with a track as it", async () => {
		const { page } = await app.openApp(suite, {
			link: "v=1&src=/data/val/DR_Example_val.csv",
		});
		await shown(page);
		const ego = page.getByRole("switch", { name: "Ego" });
		await page.getByRole("switch", { name: "Ego none" }).waitFor();
		expect(await ego.isDisabled()).toBe(true);
		await page.getByText("No ego vehicle: select an agent").waitFor();
		await page.getByRole("button", { name: "Camera: Stay" }).click();
		const turning = page.getByRole("button", { name: "Heading up" });
		expect(await turning.isDisabled()).toBe(true);
		await page.keyboard.press("Escape");
		const controller = await app.controllerOf(page);
		const track = await controller.evaluate((it) => {
			const id = it.state.shown?.agents.track_id[0];
			it.select(id);
			return `${id}`;
		});
		await page.getByRole("button", { name: "Make it the ego vehicle" }).click();
		await page.getByRole("switch", { name: "Ego", exact: true }).waitFor();
		await app.settled(page);
		const now = await controller.evaluate(({ state }) => ({
			isVirtual: state.shown?.ego.is_virtual,
			address: state.place?.kind === "address" ? state.place.address : "",
			selection: state.selection,
		}));
		expect(now).toEqual({
			isVirtual: false,
			address: expect.stringMatching(new RegExp(`\\.csv#ego=${track}$`)),
			selection: "ego",
		});
		expect(await ego.isEnabled()).toBe(true);
		await page.getByRole("button", { name: "Open without ego vehicle" }).click();
		await page.getByRole("switch", { name: "Ego none" }).waitFor();
	});

	it("are refused if they lack the track that the URL names", async () => {
		const link = "v=1&src=/data/val/DR_Example_val.csv%23ego=999";
		const { page } = await app.openApp(suite, { link });
		await page.getByText("Scene 0 cannot be read").first().waitFor();
		const why = page.getByText("no track 999 for the ego vehicle (expected one of");
		await why.first().waitFor();
	});

	it("are refused with row and column of what is wrong", async () => {
		const { page } = await app.openApp(suite);
		const wrong = interactionTracks().replace("1001.750", "x");
		const file = put("DR_Example_val.csv", new TextEncoder().encode(wrong));
		await app.dropFiles(page, [file]);
		await page.getByText("Scene 0 cannot be read").first().waitFor();
		await page.getByText("column x: row 1").first().waitFor();
	});
});

/** Predicts what follows frame 10 of the first case as it is recorded, but 2 m beside it. */
function predicted(): { readonly text: string; readonly tracks: number } {
	const [header = "", ...lines] = interactionTracks().trim().split(/\r?\n/);
	const names = header.split(",");
	const rows = lines.map((line) => {
		const cells = line.split(",");
		return (name: string) => cells[names.indexOf(name)] ?? "";
	});
	const first = rows[0]?.("case_id");
	const later = rows.filter(
		(row) => row("case_id") === first && Number(row("frame_id")) > 10,
	);
	const text = later.map((row) =>
		[
			...[row("case_id"), row("track_id"), row("frame_id")],
			...[row("x"), Number(row("y")) + 2],
		].join(","),
	);
	return {
		text: ["case_id,track_id,frame_id,x1,y1", ...text, ""].join("\n"),
		tracks: new Set(later.map((row) => row("track_id"))).size,
	};
}

describe("predictions for INTERACTION", () => {
	it("join the case of their location, and are measured", async () => {
		const link = "v=1&src=/data/val/DR_Example_val.csv";
		const { page } = await app.openApp(suite, { link });
		await shown(page);
		const { text, tracks } = predicted();
		const file = put("DR_Example_sub.csv", new TextEncoder().encode(text));
		await app.dropFiles(page, [file]);
		await app.openTab(page, "Predictions");
		const panel = page.getByRole("region", { name: "Submission DR_Example_sub.csv" });
		await panel.getByText(new RegExp(`1 mode of ${tracks} agents?, `)).waitFor();
		const controller = await app.controllerOf(page);
		const ade = () =>
			controller.evaluate(({ state }) => state.futures?.sets[0]?.here?.measures.ade[0]);
		await expect.poll(ade).toBeCloseTo(2, 3);
	});
});
