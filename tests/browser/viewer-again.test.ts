import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { tinyDataset } from "../support/tiny-dataset.js";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();

/** Makes the page's folder picker return a folder with the tiny data set. */
async function pickTiny(page: Page): Promise<void> {
	const files = [...tinyDataset()].map(
		([key, bytes]) => [key, Buffer.from(bytes).toString("base64")] as const,
	);
	await page.evaluate(async (all) => {
		const top = await navigator.storage.getDirectory();
		const tiny = await top.getDirectoryHandle("tiny.zarr", { create: true });
		for (const [key, base64] of all) {
			let folder = tiny;
			const path = key.split("/");
			const name = path.pop() ?? "";
			for (const part of path)
				folder = await folder.getDirectoryHandle(part, { create: true });
			const file = await folder.getFileHandle(name, { create: true });
			const writer = await file.createWritable();
			await writer.write(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
			await writer.close();
		}
		Object.assign(window, { showDirectoryPicker: async () => tiny });
	}, files);
	await page.getByRole("button", { name: "Choose a folder" }).click();
	await page.getByText("frame 0 of 0–5").waitFor();
}

/** Waits until the page has stored its state. */
async function kept(page: Page, fragment: RegExp): Promise<void> {
	await expect
		.poll(() => page.evaluate(() => localStorage.getItem("bevscope.folder.state")))
		.toMatch(fragment);
}

const again = (page: Page) =>
	page.getByRole("button", { name: "Open tiny.zarr again" });

describe("a folder that was opened", () => {
	it("opens again after a reload at the same position by one click", async () => {
		const { page, complaints } = await app.openApp(suite);
		await pickTiny(page);
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => it.setScene(1, 4));
		await controller.evaluate((it) => it.setThreshold(0.25));
		await app.settled(page);
		await kept(page, /s=1&f=4.*th=0\.25/);
		await page.reload();
		await again(page).click();
		await page.getByText("frame 4 of 0–5").waitFor();
		await app.settled(page);
		expect(await app.stateOf(page)).toMatchObject({ scene: 1, frame: 4, shown: 4 });
		// Reopened files are stored again.
		await page.reload();
		await again(page).click();
		await page.getByText("frame 4 of 0–5").waitFor();
		expect(complaints).toEqual([]);
	});

	it("stays closed if access is declined, with a message", async () => {
		const { page } = await app.openApp(suite);
		await pickTiny(page);
		await kept(page, /v=1/);
		await page.addInitScript(() => {
			Object.assign(FileSystemHandle.prototype, {
				requestPermission: async () => "denied",
			});
		});
		await page.reload();
		await again(page).click();
		await page.getByText("tiny.zarr: not opened (access was declined)").waitFor();
		expect((await app.stateOf(page)).phase).toBe("empty");
		await again(page).waitFor();
	});

	it("reports a removed folder", async () => {
		const { page } = await app.openApp(suite);
		await pickTiny(page);
		await kept(page, /v=1/);
		await page.evaluate(async () => {
			const top = await navigator.storage.getDirectory();
			await top.removeEntry("tiny.zarr", { recursive: true });
		});
		await page.reload();
		await again(page).click();
		await page.getByRole("button", { name: "Try again" }).waitFor();
		expect((await app.stateOf(page)).phase).toBe("failed");
	});

	it("is forgotten on request", async () => {
		const { page } = await app.openApp(suite);
		await pickTiny(page);
		await kept(page, /v=1/);
		await page.reload();
		await page.getByRole("button", { name: "Forget tiny.zarr" }).click();
		await again(page).waitFor({ state: "detached" });
		await expect
			.poll(() => page.evaluate(() => localStorage.getItem("bevscope.folder.state")))
			.toBe(null);
		await page.reload();
		await page.getByText("Drop a folder or .zip here").waitFor();
		expect(await again(page).count()).toBe(0);
	});

	it("is offered again after dropping; its link is not copied", async () => {
		const top = mkdtempSync(join(tmpdir(), "bevscope-"));
		try {
			for (const [key, bytes] of tinyDataset()) {
				const path = join(top, "tiny.zarr", key);
				mkdirSync(dirname(path), { recursive: true });
				writeFileSync(path, bytes);
			}
			const { page } = await app.openApp(suite);
			await app.dropFiles(page, [join(top, "tiny.zarr")]);
			await page.getByText("frame 0 of 0–5").waitFor();
			await page.getByRole("button", { name: "Copy link" }).click();
			await page
				.getByText("Not copied: the data set is local and has no URL.")
				.waitFor();
			expect(await page.getByText("Copied", { exact: true }).count()).toBe(0);
			await kept(page, /v=1/);
			await page.reload();
			await page
				.getByText("The link contains no data set.", { exact: false })
				.waitFor();
			await again(page).waitFor();
		} finally {
			rmSync(top, { recursive: true });
		}
	});
});
