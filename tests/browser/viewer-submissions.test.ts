import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { smoothScenes, submission } from "../support/submission.js";
import { dropContents, section, shown } from "../support/submission-page.js";
import { LONG, tfrecords, waymoScenario } from "../support/waymo.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

const DATA = tfrecords(waymoScenario("a", 1000, LONG), waymoScenario("b", 1200, LONG));

/** Futures that are off by some metres to the side. */
function aside(count: number, x: number, by: number) {
	return smoothScenes(count, x).map((agents) =>
		agents.map((agent) => ({
			...agent,
			poses: agent.poses.map(([px, py, yaw]) => [px, py + by, yaw] as const),
		})),
	);
}

/** Equal to A in scenario a, and worse by some metres in b. */
const A = submission([
	{ id: "a", scenes: smoothScenes(4) },
	{ id: "b", scenes: smoothScenes(4, 1200) },
]);
const B = submission(
	[
		{ id: "a", scenes: smoothScenes(4) },
		{ id: "b", scenes: aside(4, 1200, 7) },
	],
	"other",
);

const suite = app.useViewer(() => ({
	objects: new Map([
		["/data/two.tfrecord-00000-of-00001", DATA],
		["/data/a.binproto", A],
		["/data/b.binproto", B],
	]),
}));

const LINK = "v=1&src=/data/two.tfrecord-00000-of-00001&f=11";
const BOTH = `${LINK}&ro=/data/a.binproto|/data/b.binproto`;
const saved = (page: Parameters<typeof section>[0]) =>
	page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.save());
const list = (page: Parameters<typeof section>[0]) =>
	page.getByRole("table", { name: /^Largest by / });

describe("submissions", () => {
	it("are ranked by B - A over all scenes, and a row opens scene and future", async () => {
		const { page, complaints } = await app.openApp(suite, { link: BOTH });
		await section(page, "b.binproto").getByText("4 joint futures").waitFor();
		await page.getByRole("button", { name: "Rank scenarios" }).click();
		const count = page.getByText(/^2 scenarios in 2 of 2 scenes/);
		await count.waitFor();
		expect(await count.textContent()).toContain("; A: a.binproto, B: b.binproto");
		await list(page).getByRole("row").nth(2).waitFor();
		const rows = await list(page).getByRole("row").allTextContents();
		// The worse scenario first: the agents' paths are 7 m aside.
		expect(rows[1]).toMatch(/^\s*1\s*10\s*[4-9]\.\d+ m\s*$/);
		expect(rows[2]).toMatch(/^\s*0\s*10\s*0 m\s*$/);
		expect(await findings(page)).toEqual([]);
		await list(page).getByRole("button").first().click();
		await expect.poll(() => app.stateOf(page).then(({ scene }) => scene)).toBe(1);
		await app.openTab(page, "Predictions");
		await shown(page)
			.getByText(/^future \d of 0–3$/)
			.waitFor();
		await expect.poll(() => saved(page)).toMatch(/fu=\d;second/);
		expect(await saved(page)).toContain("ds=submissions;on=min_ade_b_minus_a");
		expect(complaints).toEqual([]);
	});

	it("have all futures ranked, of both", async () => {
		const { page } = await app.openApp(suite, { link: BOTH });
		await section(page, "b.binproto").getByText("4 joint futures").waitFor();
		await page.getByRole("button", { name: "Rank futures" }).click();
		await page.getByText(/^16 futures in 2 of 2 scenes/).waitFor();
		const first = list(page).getByRole("button").first();
		await first.waitFor();
		expect(await first.getAttribute("aria-label")).toMatch(/^Scene 1, frame 10, B \d$/);
		const number = (await first.getAttribute("aria-label"))?.at(-1);
		await first.click();
		await app.openTab(page, "Predictions");
		await shown(page).getByText(`future ${number} of 0–3`).waitFor();
	});

	it("are measured until a horizon, which the link and the ranking have", async () => {
		const { page } = await app.openApp(suite, { link: BOTH });
		const part = section(page, "b.binproto");
		await part.getByText("4 joint futures").waitFor();
		const mean = () =>
			part.getByRole("row").filter({ hasText: "FDE m" }).locator("td").nth(1);
		await expect.poll(() => mean().textContent()).toMatch(/\d/);
		const whole = Number(await mean().textContent());
		await page
			.getByRole("group", { name: "Measured until" })
			.getByRole("button", { name: "1 s" })
			.click();
		await expect
			.poll(async () => Number(await mean().textContent()))
			.toBeLessThan(whole);
		expect(await part.getByText("Until 1 s").count()).toBe(1);
		await expect.poll(() => saved(page)).toContain("fu=1s");
		await page.getByRole("button", { name: "Rank scenarios" }).click();
		await page.getByText(/B: b\.binproto; until 1 s$/).waitFor();
	});

	it("have a curve of distances over time", async () => {
		const { page } = await app.openApp(suite, { link: `${BOTH}&fu=2` });
		const curve = section(page, "a.binproto").getByRole("img");
		await curve.waitFor();
		expect(await curve.getAttribute("aria-label")).toMatch(
			/^Distance from the recording over 80 steps, mean of the evaluated agents, of 4 futures; least at the last step: \d+\.\d+ m; future 2 at the last step: /,
		);
		expect(await findings(page)).toEqual([]);
	});
});

describe("a file of scores", () => {
	it("is ranked, and compared with another", async () => {
		const { page } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		const head = "scenario_id,agents,evaluated,rollouts,mismatches,ade,min_ade";
		const scores = `${head}\r\na,4,3,32,0,2.5,1.5\r\nb,4,3,32,0,1.5,nan\r\nc,4,3,32,0,9,9\r\n`;
		await dropContents(page, new Map([["m.csv", scores]]));
		await page.getByRole("button", { name: "Rank scenarios" }).click();
		await page.getByText(/^2 scenarios in 2 of 2 scenes; m\.csv$/).waitFor();
		await list(page).getByRole("row").nth(1).waitFor();
		expect(await list(page).getByRole("row").allTextContents()).toHaveLength(2);
		await app.openTab(page, "Predictions");
		await page.getByText(/^Scores: m\.csv/).waitFor();
		await page.getByRole("button", { name: "Remove" }).click();
		await page.getByText(/^Scores: /).waitFor({ state: "detached" });
	});

	it("with an invalid value says which", async () => {
		const { page } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		const scores = "scenario_id,ade\na,bad\n";
		const said = /m\.csv: row 0, ade: not a number \(found bad\)/;
		await dropContents(page, new Map([["m.csv", scores]]), said);
	});
});
