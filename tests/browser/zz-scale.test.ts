import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync, closeSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { tableParts } from "../../web/test/support/nuscenes-tables.js";
import * as app from "./viewer-harness.js";

const DATA = "/tmp/scale-data";
const suite = app.useViewer(() => ({ folders: { "/scale/": `${DATA}/` } }));

const kib = (text: string, name: string) =>
	Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
function renderers(): string {
	return readdirSync("/proc").flatMap((pid) => {
		try {
			const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
			if (!line.includes("--type=renderer")) return [];
			const text = readFileSync(`/proc/${pid}/status`, "utf8");
			return [`${pid}: peak ${kib(text, "VmHWM") >> 10} MB now ${kib(text, "VmRSS") >> 10} anon ${kib(text, "RssAnon") >> 10}`];
		} catch { return []; }
	}).join("; ");
}
async function picture(page: Page): Promise<void> {
	await (await app.controllerOf(page)).evaluate((it) => it.displayed);
}

async function timed(name: string, files: string[], scenes: string) {
	const { page } = await app.openApp(suite);
	page.setDefaultTimeout(600_000);
	const drag = await app.dragFiles(page, files.map((f) => join(DATA, f)));
	await page.evaluate((text) => {
		(window as any).seen = new Promise((resolve) => {
			addEventListener("drop", () => {
				const begin = performance.now();
				const has = (root: ParentNode): boolean => {
					for (const el of root.querySelectorAll("*")) {
						if (el.shadowRoot && has(el.shadowRoot)) return true;
						if (el.children.length === 0 && el.textContent?.includes(text)) return true;
					}
					return false;
				};
				const look = () => has(document) ? resolve(performance.now() - begin) : setTimeout(look, 20);
				look();
			}, { capture: true, once: true });
		});
	}, scenes);
	await drag.drop();
	const listed = await page.evaluate(() => (window as any).seen);
	const begin = Date.now();
	await picture(page);
	const shown = Date.now() - begin;
	const t = Date.now();
	await page.getByRole("button", { name: scenes }).click();
	await page.getByRole("dialog", { name: "Scenes" }).getByRole("grid", { name: "List of scenes" }).waitFor();
	const grid = Date.now() - t;
	console.log(name, { listed, shown, grid }, renderers());
	await page.keyboard.press("Escape");
	return page;
}

describe("scale", () => {
	const wanted = (process.env.SCALE ?? "").split(",");
	const when = (name: string) => (wanted.includes(name) ? it : it.skip);
	when("many")("many", async () => { await timed("many.db", ["many.db"], "Scene 0 of 0–1999"); }, 900_000);
	when("pickles")("pickles", async () => { await timed("pickles", ["pickles"], "Scene 0 of 0–1999"); }, 900_000);
	when("roads")("roads", async () => { await timed("roads", ["roads"], "Scene 0 of 0–1999"); }, 900_000);
	when("records")("records", async () => { await timed("records", ["made.tfrecord"], "Scene 0 of 0–1999"); }, 900_000);
	for (const name of ["ordered", "indexed"])
		when(name)(name, async () => {
			const page = await timed(name, [`large/${name}.db`], "Scene 0 of 0–129");
			const begin = Date.now();
			for (let i = 0; i < 30; i += 1) {
				await page.getByRole("button", { name: "Next scene" }).click();
				await page.getByText(`Scene ${i + 1} of 0–129`).waitFor();
				await picture(page);
			}
			console.log("30 scenes", Date.now() - begin, renderers());
		}, 900_000);
	when("trainval")("trainval", async () => {
		const folder = join(DATA, "v1.0-trainval");
		if (!existsSync(folder)) {
			mkdirSync(folder);
			const size = { scenes: 850, samples: 40, instances: 76, seen: 18, data: 77 };
			for (const table of ["log", "category", "attribute", "sensor", "calibrated_sensor", "scene", "sample", "instance", "sample_data", "ego_pose", "sample_annotation"]) {
				const fd = openSync(join(folder, `${table}.json`), "w");
				for (const part of tableParts(table, size)) writeSync(fd, part);
				closeSync(fd);
			}
		}
		const page = await timed("trainval", ["v1.0-trainval"], "Scene 0 of 0–849");
		for (let i = 0; i < 20; i += 1) {
			await page.getByRole("button", { name: "Next scene" }).click();
			await page.getByText(`Scene ${i + 1} of 0–849`).waitFor();
			await picture(page);
		}
		console.log("20 scenes", renderers());
		expect(true).toBe(true);
	}, 1_800_000);
});
