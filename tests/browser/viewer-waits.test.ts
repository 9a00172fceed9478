import { describe, expect, it } from "vitest";
import * as app from "./viewer-harness.js";

const suite = app.useViewer();
const LINK = { link: `v=1&src=${app.TINY_SOURCE}` };
const BUSY = { status: 503, headers: { "retry-after": "25" }, times: 1 };

describe("a server that requests a wait", () => {
	it("shows the remaining seconds; Retry now repeats the request", async () => {
		suite.server.fault({ match: /agents\/0$/, ...BUSY });
		const { page, complaints } = await app.openApp(suite, LINK);
		const notice = page.getByText(
			/^The server requested a wait of \d+ s \(agents\/0\)$/,
		);
		await notice.waitFor();
		const left = async () => Number((await notice.textContent())?.match(/\d+/)?.[0]);
		const first = await left();
		expect(first).toBeGreaterThan(0);
		await expect.poll(left, { interval: 100 }).toBeLessThan(first);
		expect(await page.getByText("Reading frame 0").count()).toBeGreaterThan(0);
		await page.getByRole("button", { name: "Retry now" }).click();
		await app.settled(page);
		await expect.poll(() => notice.count()).toBe(0);
		expect(await app.stateOf(page)).toMatchObject({ shown: 0, notices: [] });
		const asked = suite.server.log.filter(({ path }) => path.endsWith("agents/0"));
		expect((asked[1]?.begun ?? 0) - (asked[0]?.begun ?? 0)).toBeLessThan(25_000);
		expect(complaints).toEqual([]);
	});

	it("is shown while a data set is opening", async () => {
		suite.server.fault({ match: /agents\/\.zarray$/, ...BUSY });
		const { page } = await app.openApp(suite, LINK);
		await page
			.getByText(/^The server requested a wait of \d+ s \(agents\/\.zarray\)$/)
			.waitFor();
		await page.getByRole("button", { name: "Cancel" }).click();
		await expect.poll(async () => (await app.stateOf(page)).phase).toBe("empty");
	});
});

describe("an unreadable response", () => {
	it("is reported as presumed absent until Retry finds the key", async () => {
		suite.server.csp = undefined;
		const other = await app.serveApp();
		try {
			// Without CORS, absence and denial are indistinguishable.
			const hidden = { status: 404, hideFromOthers: true };
			other.fault({ match: /traffic_light_faces\/\.z|\.zmetadata$/, ...hidden });
			other.fault({ match: /\/\.bevscope-/, ...hidden });
			const link = `v=1&src=${other.origin}${app.TINY_SOURCE}`;
			const { page, complaints } = await app.openApp(suite, { link });
			await page.getByRole("button", { name: "Open it" }).click();
			const words =
				"unreadable response, treated as absent: no traffic lights are displayed";
			await page.getByRole("button", { name: "1 fault in the data" }).click();
			await page.getByText(words).waitFor();
			await app.settled(page);
			const controller = await app.controllerOf(page);
			await controller.evaluate((it) => it.seek(3));
			await app.settled(page);
			other.reset();
			const lights = () =>
				controller.evaluate((it) => [
					it.state.shown?.frame,
					it.state.shown?.lights.length,
				]);
			expect(await lights()).toEqual([3, 0]);
			await page.getByRole("button", { name: "Retry" }).click();
			await expect.poll(async () => (await lights())[1]).toBeGreaterThan(0);
			expect((await lights())[0]).toBe(3);
			expect(await page.getByText(words).count()).toBe(0);
			expect(complaints).toEqual([]);
		} finally {
			await other.close();
		}
	});
});
