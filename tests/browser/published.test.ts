import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { FaultyServer } from "../support/http-server.js";
import { findings } from "./axe.js";
import { useServers } from "./harness.js";
import { START_STATES, type StartState } from "./states.js";
import { APP_CSP } from "./viewer-harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));
const PROGRAM = at("build/release/bevscope");
const FOLDER = mkdtempSync(join(tmpdir(), "published-"));
const SITE = join(FOLDER, "site");
/** Three levels below the origin. */
const BELOW = "/a/b/town";
const SCENES = 6;

/** A site with results, of the same data. */
const RESULTS = join(FOLDER, "results");

function publish(): void {
	const town = join(FOLDER, "town");
	const size = ["--scenes", `${SCENES}`, "--frames", "60", "--agents-max", "60"];
	execFileSync(PROGRAM, ["town", town, ...size, "--no-aerial"]);
	const texts = ["--title", "A <b>town</b>", "--description", "Made-up drives."];
	const run = (site: string, ...more: string[]): void => {
		const words = ["publish", town, "-o", site, "--app", at("build/app"), ...texts];
		execFileSync(PROGRAM, [...words, ...more, "--quiet"]);
	};
	run(SITE);
	const [csv, rollout] = [join(FOLDER, "model.csv"), join(FOLDER, "drive.zip")];
	writeFileSync(csv, "timestamp,track_id");
	writeFileSync(rollout, "rollout");
	run(RESULTS, "--predictions", csv, "--rollouts", rollout);
}

publish();
afterAll(() => rmSync(FOLDER, { recursive: true }));

const serveSite = (): Promise<FaultyServer> =>
	FaultyServer.start({ folders: { [`${BELOW}/`]: SITE, "/results/": RESULTS } });
const servers = useServers({ own: serveSite, other: serveSite });

interface Opened {
	readonly page: Page;
	/** Errors of the page and its console. */
	readonly complaints: string[];
}

async function open(
	address = `${servers.own.origin}${BELOW}/index.html`,
	options: { width?: number; still?: boolean } = {},
): Promise<Opened> {
	const { width = 1280, still = false } = options;
	const context = await servers.browser.newContext({
		viewport: { width, height: 900 },
		colorScheme: "dark",
		reducedMotion: still ? "reduce" : "no-preference",
	});
	const page = await context.newPage();
	const complaints: string[] = [];
	page.on("pageerror", (error) => complaints.push(String(error)));
	page.on("console", (message) => {
		if (message.type() === "error") complaints.push(message.text());
	});
	await page.goto(address);
	return { page, complaints };
}

const cards = (page: Page) => page.locator(".scenes > li");
const facts = (page: Page) => page.locator(".scenes .facts b");

/** Waits for the moving scene, the facts of all scenes and the first picture. */
async function complete(page: Page): Promise<void> {
	await page.waitForFunction(
		() => document.querySelector<Viewer>("bev-viewer")?.controller?.state.pictured,
	);
	await expect.poll(() => facts(page).count()).toBeGreaterThanOrEqual(SCENES);
	await page.locator('.scenes canvas[data-state="drawn"]').first().waitFor();
}

/** Waits until the viewer that is all of the page shows a scene; returns its number. */
async function viewed(page: Page): Promise<number | undefined> {
	await page.locator("html[data-viewing] bev-viewer").waitFor();
	await page.waitForFunction(
		() => document.querySelector<Viewer>("bev-viewer")?.controller?.state.pictured,
	);
	return page.evaluate(
		() => document.querySelector<Viewer>("bev-viewer")?.controller?.state.scene,
	);
}

describe("browser/published: the start page", () => {
	it("shows data, facts and pictures under a strict policy, without an error", async () => {
		servers.own.csp = APP_CSP;
		const { page, complaints } = await open();
		expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
			"A <b>town</b>",
		);
		await complete(page);
		expect(await cards(page).count()).toBe(SCENES);
		expect(complaints).toEqual([]);
	});

	it("says what it is before a script runs", async () => {
		const context = await servers.browser.newContext({ javaScriptEnabled: false });
		const page = await context.newPage();
		await page.goto(`${servers.own.origin}${BELOW}/index.html`);
		const text = await page.locator("main").textContent();
		expect(text).toContain("Made-up drives.");
		expect(text).toContain(`${SCENES} scenes`);
		await context.close();
	});

	it("opens a scene by its picture, and comes back", async () => {
		const { page } = await open();
		await complete(page);
		await cards(page).nth(2).getByRole("link").click();
		expect(await viewed(page)).toBe(2);
		await page.getByRole("link", { name: "A <b>town</b>" }).click();
		await expect.poll(() => cards(page).count()).toBe(SCENES);
		await page.goBack();
		expect(await viewed(page)).toBe(2);
	});

	it("finds scenes by chips, with the keyboard", async () => {
		const { page } = await open();
		await complete(page);
		const chip = page.getByRole("button", { name: "Many pedestrians" });
		await chip.focus();
		await page.keyboard.press("Enter");
		const told = page.locator(".found");
		await expect.poll(() => told.textContent()).toMatch(/^\d+ scenes? found$/);
		expect(await chip.getAttribute("aria-pressed")).toBe("true");
		const count = Number.parseInt((await told.textContent()) ?? "", 10);
		expect(await cards(page).count()).toBe(count);
		await page.getByRole("button", { name: "All scenes" }).click();
		await expect.poll(() => cards(page).count()).toBe(SCENES);
	});

	it("stops the moving scene, which stands for those who prefer that", async () => {
		const playing = (page: Page) =>
			page.evaluate(
				() => document.querySelector<Viewer>("bev-viewer")?.controller?.state.playing,
			);
		const { page } = await open();
		await complete(page);
		await expect.poll(() => playing(page)).toBe(true);
		await page.getByRole("button", { name: "Pause" }).click();
		await expect.poll(() => playing(page)).toBe(false);
		const still = await open(undefined, { still: true });
		await complete(still.page);
		expect(await playing(still.page)).toBe(false);
		await still.page.getByRole("button", { name: "Play" }).waitFor();
	});
});

/** Brings the start page into a state. */
async function openStart(state: StartState): Promise<Page> {
	const { own } = servers;
	const site = state.hasResults ? "/results" : BELOW;
	if (state.lost) own.fault({ match: state.lost, status: 500 });
	const address = `${own.origin}${site}/index.html`;
	const { page } = await open(address, { width: 360, still: true });
	if (!state.lost) await complete(page);
	for (const name of state.chips ?? [])
		await page.getByRole("button", { name, exact: true }).click();
	const told = page.locator(".found");
	await expect.poll(() => told.textContent()).toMatch(state.told ?? /^$/);
	return page;
}

/** A folder for pictures of the page, as in viewer-states.test.ts. */
const { BEV_PICTURES } = process.env;

describe.each(START_STATES)("browser/published: the $name", (state) => {
	it("satisfies axe and fits from 360 to 2560 pixels, in both themes", async () => {
		const page = await openStart(state);
		for (const width of [360, 1280, 1440, 2560]) {
			await page.setViewportSize({ width, height: 900 });
			for (const colorScheme of ["dark", "light"] as const) {
				await page.emulateMedia({ colorScheme });
				const isFirst = width === 360 || width === 2560;
				const contrast = colorScheme === "light" ? "only" : isFirst;
				const found = isFirst ? await findings(page, { contrast }) : [];
				expect(found, `${width} ${colorScheme}`).toEqual([]);
				if (BEV_PICTURES === undefined) continue;
				await page.waitForTimeout(500);
				const name = `${state.name}-${width}-${colorScheme}.png`.replaceAll(" ", "-");
				await page.screenshot({ path: join(BEV_PICTURES, name), fullPage: true });
			}
			const wide = await page.evaluate(
				() => document.documentElement.scrollWidth - innerWidth,
			);
			expect(wide, `${width}`).toBeLessThanOrEqual(0);
		}
	});
});

describe("browser/published: a site that is replaced", () => {
	it("gives an open page old facts, or a notice, and the next one the new data", async () => {
		const site = join(FOLDER, "replaced");
		const scenesOf = (seed: number): string => {
			const town = join(FOLDER, `town-${seed}`);
			const size = ["--scenes", `${SCENES}`, "--frames", "60", "--seed", `${seed}`];
			execFileSync(PROGRAM, [
				"town",
				town,
				...size,
				"--no-aerial",
				"--force",
				"--quiet",
			]);
			const words = ["publish", town, "-o", site, "--app", at("build/app"), "--quiet"];
			execFileSync(PROGRAM, words);
			const { data } = JSON.parse(readFileSync(join(site, "site.json"), "utf8"));
			return (data as { path: string }[])[0]?.path ?? "";
		};
		const [old, server] = [
			scenesOf(5),
			await FaultyServer.start({ folders: { "/": site } }),
		];
		try {
			const { page } = await open(`${server.origin}/index.html`);
			await complete(page);
			const before = await cards(page).allTextContents();
			const now = scenesOf(6);
			expect(now).not.toBe(old);
			for (const name of ["Many pedestrians", "Hard braking", "Left turn"]) {
				await page.getByRole("button", { name }).click();
				const told = page.locator(".found");
				await expect
					.poll(() => told.textContent())
					.toMatch(/^(\d+ scenes? found|The facts of the scenes could not be read)/);
				const isFound = /found$/.test((await told.textContent()) ?? "");
				for (const card of await cards(page).allTextContents())
					if (isFound) expect(before).toContain(card);
			}
			expect(
				server.log.some(({ path }) => path.includes(now.split("/")[0] ?? "")),
			).toBe(false);
			await page.reload();
			await complete(page);
			expect(await cards(page).allTextContents()).not.toEqual(before);
			await page.close();
		} finally {
			await server.close();
		}
	});
});

describe("browser/published: the first search", () => {
	it("reads columns of scenes, neither tracks nor the states of all objects", async () => {
		const [town, site] = [join(FOLDER, "many"), join(FOLDER, "many-site")];
		const size = ["--scenes", "40", "--frames", "60", "--agents-max", "60"];
		execFileSync(PROGRAM, ["town", town, ...size, "--no-aerial", "--quiet"]);
		const words = ["publish", town, "-o", site, "--app", at("build/app"), "--quiet"];
		execFileSync(PROGRAM, words);
		const server = await FaultyServer.start({ folders: { "/": site } });
		try {
			const { page } = await open(`${server.origin}/index.html`);
			await complete(page);
			const { path } = JSON.parse(readFileSync(join(site, "site.json"), "utf8"))
				.data[0] as { path: string };
			const file = readFileSync(join(site, path, ".bevscope/facts.zip"));
			await page.getByRole("button", { name: "Hard braking" }).click();
			await expect.poll(() => page.locator(".found").textContent()).toMatch(/found$/);
			const all = server.log.filter((one) => one.path.endsWith("facts.zip"));
			const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
			// Directory and metadata take 64 kB, in which columns of so few scenes are.
			expect(file.length).toBeGreaterThan(150_000);
			expect(bytes).toBeLessThan(85_000);
			expect(all.length).toBeLessThan(20);
			expect(
				server.log.filter((one) => one.method === "HEAD" && !all.includes(one)),
			).toEqual([]);
			await page.close();
		} finally {
			await server.close();
		}
	});
});

describe("browser/published: links", () => {
	it("of scenes open the published results, too", async () => {
		const { page } = await open(`${servers.own.origin}/results/index.html`);
		const scene = cards(page).nth(1).getByRole("link");
		const link = decodeURIComponent((await scene.getAttribute("href")) ?? "");
		expect(link).toMatch(/&s=1&pr=results-[0-9a-f]{16}\/predictions\/model\.csv/);
		expect(link).toMatch(/&ro=results-[0-9a-f]{16}\/rollouts\/drive\.zip$/);
		expect(await page.getByRole("link", { name: "drive.zip" }).count()).toBe(1);
	});

	it("of older versions open the current data", async () => {
		const link = "#src=data-0000000000000000/scenes/town.zarr&s=3&f=5";
		const { page } = await open(`${servers.own.origin}${BELOW}/index.html${link}`);
		expect(await viewed(page)).toBe(3);
		expect(page.url()).not.toContain("data-0000000000000000");
	});
});

describe("browser/published: hosts", () => {
	it("may give whole files only", async () => {
		servers.own.chaos = () => ({ ignoreRange: true });
		const { page } = await open();
		await complete(page);
		expect(servers.own.log.some(({ status }) => status === 206)).toBe(false);
	});

	it("may redirect data to another origin", async () => {
		const redirecting = createServer((request, response) => {
			const path = new URL(request.url ?? "/", "http://host").pathname;
			if (path.startsWith(`${BELOW}/data-`)) {
				const location = `${servers.other.origin}${path}`;
				response.writeHead(302, { location }).end();
				return;
			}
			const type = { html: "text/html", js: "text/javascript", css: "text/css" };
			const ending = path.split(".").at(-1) as keyof typeof type;
			const media = type[ending] ?? "application/octet-stream";
			response.writeHead(200, { "content-type": media });
			response.end(readFileSync(join(SITE, path.slice(BELOW.length))));
		});
		const origin = await listening(redirecting);
		try {
			const { page } = await open(`${origin}${BELOW}/index.html`);
			await complete(page);
			expect(servers.other.log.length).toBeGreaterThan(10);
			await page.close();
		} finally {
			redirecting.closeAllConnections();
			redirecting.close();
		}
	});
});

async function listening(server: Server): Promise<string> {
	await new Promise<void>((done) => {
		server.listen(0, "127.0.0.1", done);
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
