import { describe, expect, it } from "vitest";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const NOTE = {
	...{ id: "one", scene: 0, frames: [1, 2], track: "1" },
	...{ text: "<b>brakes</b> late", tags: ["braking"] },
	time: "2026-01-31T12:00:00.000Z",
};
const DOCUMENT = {
	...{ format: "bevscope-notes", version: 1, data: "tiny.zarr" },
	notes: [NOTE],
};

const suite = app.useViewer();

describe("notes.json beside the data", () => {
	it("is shown as text, edited as an own copy, and never deleted", async () => {
		suite.server.put("/data/notes.json", JSON.stringify(DOCUMENT));
		const { page, complaints } = await app.openTiny(suite, { link: "tb=notes" });
		const panel = page.locator("bev-notes");
		await panel.getByText("<b>brakes</b> late").waitFor();
		await panel.getByText("From notes.json beside the data").waitFor();
		expect(await panel.getByRole("button", { name: /^Delete note/ }).count()).toBe(0);
		expect(await findings(page)).toEqual([]);
		await panel.getByRole("button", { name: /^Edit note/ }).click();
		await panel.getByRole("textbox", { name: "Note" }).fill("brakes early");
		await panel.getByRole("button", { name: "Save note" }).click();
		await panel.getByText("brakes early").first().waitFor();
		await panel.getByRole("button", { name: /^Delete note/ }).click();
		await panel.getByText("<b>brakes</b> late").waitFor();
		expect(complaints).toEqual([]);
	});

	it("has pins at its places, whose text appears below the pointer", async () => {
		const placed = { ...DOCUMENT, notes: [{ ...NOTE, place: [0, 0] }] };
		suite.server.put("/data/notes.json", JSON.stringify(placed));
		const { page } = await app.openTiny(suite, {
			link: "tb=notes&w=free&x=0&y=0&z=40",
		});
		expect(await page.locator("bev-notes .pin").textContent()).toBe("1");
		const controller = await app.controllerOf(page);
		const layers = () =>
			controller.evaluate((it) => it.state.pageLayers.map(({ name }) => name));
		expect(await layers()).toEqual(["numbers of notes"]);
		const box = await page.locator("bev-scene-view").first().boundingBox();
		if (!box) throw new Error("no picture");
		await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 - 15);
		await page.locator(".note-tip").getByText("<b>brakes</b> late").waitFor();
		await page.mouse.move(box.x + 20, box.y + box.height - 20);
		await page.locator(".note-tip").waitFor({ state: "detached" });
		await controller.evaluate((it) => it.setScene(1));
		await expect.poll(layers).toEqual([]);
	});

	it("is told of if it is broken", async () => {
		suite.server.put("/data/notes.json", "<!doctype html>");
		const { page } = await app.openTiny(suite);
		await page.getByRole("button", { name: "1 fault in the data" }).click();
		await page.getByText("notes.json is not shown").waitFor();
	});
});
