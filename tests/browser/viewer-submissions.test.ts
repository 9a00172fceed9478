import { describe, expect, it } from "vitest";
import { smoothScenes, submission } from "../support/submission.js";
import { dropContents, section, shown, strip } from "../support/submission-page.js";
import {
	A,
	BOTH,
	LINK,
	list,
	saved,
	TWO,
	twoSubmissions,
} from "../support/two-submissions.js";
import { LONG, tfrecords, waymoScenario } from "../support/waymo.js";
import { findings } from "./axe.js";
import * as app from "./viewer-harness.js";

/** A, of which a trajectory in b has no x. */
function damaged(): Uint8Array<ArrayBuffer> {
	const bytes = A.slice();
	const last = Buffer.from(bytes.buffer).lastIndexOf("12c002", undefined, "hex");
	bytes[last] = 0x0a; // another field
	return bytes;
}

/** Twelve scenarios, and a submission of all. */
const SCENARIOS = Array.from({ length: 12 }, (_, i) => ({
	id: `m${i}`,
	x: 1000 + 50 * i,
}));
const MANY = submission(
	SCENARIOS.map(({ id, x }) => ({ id, scenes: smoothScenes(2, x) })),
);

const suite = app.useViewer(() => ({
	objects: new Map([
		...twoSubmissions(),
		[
			"/data/many.tfrecord-00000-of-00001",
			tfrecords(...SCENARIOS.map(({ id, x }) => waymoScenario(id, x, LONG))),
		],
		["/data/many.binproto", MANY],
		["/data/damaged.binproto", damaged()],
	]),
}));

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
		await page.getByText(/^Table, order and ranking end there/).waitFor();
		await strip(page).waitFor();
		await expect.poll(() => saved(page)).toContain("fu=1s");
		await page.getByRole("button", { name: "Rank scenarios" }).click();
		const count = page.getByText(
			/^2 scenarios in 2 of 2 scenes; A: a\.binproto until 1 s/,
		);
		await count.waitFor();
		expect(await count.textContent()).toContain(", B: b.binproto until 1 s");
	});

	it("with a damaged scenario are ranked without it, and say so", async () => {
		const link = `${LINK}&ro=/data/damaged.binproto`;
		const { page } = await app.openApp(suite, { link });
		await section(page, "damaged.binproto").getByText("4 joint futures").waitFor();
		await page.getByRole("button", { name: "Rank scenarios" }).click();
		await page.getByText(/^1 scenario in 2 of 2 scenes; damaged\.binproto$/).waitFor();
		await page.getByText(/^1 scenario left out; damaged\.binproto: .*\bb\b/).waitFor();
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

describe("a ranking of many scenes", () => {
	const counted = /^\d+ scenarios in \d+ of 12 scenes/;
	/** Opens the scenes and a submission of all, and begins to rank them. */
	async function rankMany(): Promise<app.Opened> {
		const link =
			"v=1&src=/data/many.tfrecord-00000-of-00001&f=11&ro=/data/many.binproto";
		const opened = await app.openApp(suite, { link });
		const { page } = opened;
		await section(page, "many.binproto").getByText("2 joint futures").waitFor();
		await page.getByRole("button", { name: "Rank scenarios" }).click();
		await page.getByText(counted).waitFor();
		return opened;
	}

	it("goes on while scenes change, and is not begun again by its own rows", async () => {
		const { page, complaints } = await rankMany();
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) => {
			it.setScene(3);
			it.setScene(5);
		});
		const all = page.getByText(/^12 scenarios in 12 of 12 scenes; many\.binproto$/);
		await all.waitFor();
		await list(page).getByRole("button").nth(11).waitFor();
		await list(page).getByRole("button").first().click();
		await expect.poll(() => app.stateOf(page).then(({ scene }) => scene)).not.toBe(5);
		await page.waitForFunction(
			({ state }) =>
				state.mapState === "present" &&
				state.futures?.sets.every(({ curves }) => curves),
			controller,
		);
		for (let i = 0; i < 5; i += 1) {
			await app.drawn(page);
			expect(await all.count()).toBe(1);
		}
		expect(complaints).toEqual([]);
	});

	it("ends when its submission is closed, and when the data set is", async () => {
		const { page, complaints } = await rankMany();
		const controller = await app.controllerOf(page);
		await controller.evaluate((it) =>
			it.rollout.use(async (rollout) => (await rollout.futures()).remove(0)),
		);
		await page.getByText("No submissions").waitFor();
		await app.openTab(page, "Predictions");
		await dropContents(page, new Map([["many.binproto", MANY]]));
		await page.getByRole("button", { name: "Rank scenarios" }).click();
		await page.getByText(/^[1-9]\d* scenarios? in \d+ of 12 scenes/).waitFor();
		await controller.evaluate(
			(it, address) => it.open({ kind: "address", address }),
			TWO,
		);
		await page
			.getByText("many.binproto: 12 scenarios are not in these scenes (m0, m1, m2, …).")
			.waitFor();
		expect(complaints).toEqual([]);
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
		await page.getByText("m.csv: 1 scenario is not in these scenes (c).").waitFor();
		await list(page).getByRole("row").nth(1).waitFor();
		expect(await list(page).getByRole("row").allTextContents()).toHaveLength(2);
		await app.openTab(page, "Predictions");
		await page.getByText(/^Scores: m\.csv/).waitFor();
		await page.getByRole("button", { name: "Remove" }).click();
		await page.getByText(/^Scores: /).waitFor({ state: "detached" });
	});

	it("is compared with any other, and with an open submission", async () => {
		const { page, complaints } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		const scores = (a: number, b: number) => `scenario_id,ade\na,${a}\nb,${b}\n`;
		const files = new Map([
			["m.csv", scores(2, 3)],
			["n.csv", scores(2.5, 4)],
			["o.csv", scores(9, 1)],
		]);
		for (const one of files)
			await dropContents(page, new Map([one]), new RegExp(`${one[0]}: scores of`));
		await app.openTab(page, "Predictions");
		for (const name of files.keys()) await page.getByText(`Scores: ${name}`).waitFor();
		const ranked = (side: string) =>
			page.getByRole("combobox", { name: `Ranked as ${side}` });
		const chosen = (side: string) =>
			ranked(side).evaluate((it: HTMLSelectElement) => it.selectedOptions[0]?.text);
		await expect.poll(() => chosen("A")).toBe("m.csv");
		expect(await chosen("B")).toBe("n.csv");
		await ranked("B").selectOption("o.csv");
		await expect.poll(() => chosen("B")).toBe("o.csv");
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: "Rank scenarios" }).click();
		await page
			.getByText(/^2 scenarios in 2 of 2 scenes; A: m\.csv, B: o\.csv$/)
			.waitFor();
		await page.getByRole("button", { name: /^ADE, B − A/ }).click();
		await expect
			.poll(() => list(page).getByRole("row").allTextContents())
			.toEqual([
				expect.anything(),
				expect.stringMatching(/7/),
				expect.stringMatching(/−2/),
			]);
		await app.openTab(page, "Predictions");
		await dropContents(page, new Map([["a.binproto", A]]), /a\.binproto: opened/);
		await section(page, "a.binproto").getByText("4 joint futures").waitFor();
		await expect.poll(() => ranked("A").locator("option").count()).toBe(4);
		await ranked("A").selectOption("a.binproto");
		await expect.poll(() => chosen("B")).toBe("o.csv");
		expect(complaints).toEqual([]);
	});

	it("with an invalid value says which", async () => {
		const { page } = await app.openApp(suite, { link: LINK });
		await app.settled(page);
		const scores = "scenario_id,ade\na,bad\n";
		const said = /m\.csv: row 0, ade: not a number \(found bad\)/;
		await dropContents(page, new Map([["m.csv", scores]]), said);
	});
});
