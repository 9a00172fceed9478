import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import type { State } from "./state.js";
import { openState, openStateTab, STATES } from "./states.js";
import { PLACES, useTour } from "./tour.js";
import * as app from "./viewer-harness.js";

const suite = useTour();

const TOWN = PLACES[0]?.src ?? "";

/**
 * A folder for pictures of every state, to be looked at: of several window sizes, in both
 * themes. Nothing is written without it.
 */
const { BEV_PICTURES } = process.env;

/**
 * Windows of a phone, at 320 pixels, and of 1280 pixels at 200 and 400 %. Those whose
 * content differs from the previous one's are also examined by axe.
 */
const WINDOWS = [
	{ size: [360, 740], axe: true },
	{ size: [320, 640], axe: false },
	{ size: [640, 400], axe: true },
	{ size: [320, 256], axe: false },
] as const;

const PICTURED = [
	[360, 740],
	[1280, 800],
	[1440, 900],
	[2560, 1440],
] as const;

async function resize(page: Page, state: State, [width, height]: readonly number[]) {
	await page.setViewportSize({ width: width ?? 0, height: height ?? 0 });
	await app.drawn(page);
	await openStateTab(page, state);
}

async function picture(page: Page, state: State, folder: string): Promise<void> {
	mkdirSync(folder, { recursive: true });
	for (const size of PICTURED) {
		await resize(page, state, size);
		for (const theme of ["dark", "light"] as const) {
			await page.emulateMedia({ colorScheme: theme });
			await app.drawn(page);
			await page.waitForTimeout(500);
			const name = `${state.name.replaceAll(/[^a-z]+/g, "-")}-${size[0]}-${theme}.png`;
			await page.screenshot({ path: join(folder, name) });
		}
	}
}

describe.each(STATES)("$name", (state) => {
	it("satisfies axe in both themes, and fits small windows", async () => {
		const { page, complaints } = await openState(suite, TOWN, state);
		// Themes differ in colours only.
		for (const [colorScheme, contrast] of [
			["dark", true],
			["light", "only"],
		] as const) {
			await page.emulateMedia({ colorScheme });
			await app.drawn(page);
			expect(await findings(page, { contrast }), colorScheme).toEqual([]);
		}
		for (const { size, axe } of WINDOWS) {
			await resize(page, state, size);
			expect(await app.outside(page), String(size)).toEqual([]);
			expect(await app.overflow(page), String(size)).toEqual([0, 0]);
			const found = axe ? await findings(page, { contrast: false }) : [];
			expect(found, String(size)).toEqual([]);
		}
		expect(complaints).toEqual([]);
	});

	if (BEV_PICTURES === undefined) return;
	it("is pictured", async () => {
		const { page } = await openState(suite, TOWN, state);
		await picture(page, state, BEV_PICTURES);
	});
});
