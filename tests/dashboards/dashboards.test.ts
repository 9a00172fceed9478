import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { launch } from "../support/engines.js";
import { FaultyServer } from "../support/http-server.js";
import { tinyDataset } from "../support/tiny-dataset.js";

/** The directory of a Python environment's programs, with bevscope and the frameworks. */
const BIN = process.env.BEV_PYTHON_BIN;

/** Where pictures of the town are written for the documentation, if anywhere. */
const PICTURES = process.env.BEV_DASHBOARD_PICTURES;
const TOWN = fileURLToPath(new URL("../../build/town", import.meta.url));
const DATA = PICTURES ? "/l5/scenes/town.zarr" : "/town.zarr";

const EXAMPLES = fileURLToPath(new URL("../../examples/dashboards/", import.meta.url));

/** Commands that serve an example at a port of 127.0.0.1. */
const APPS: Readonly<Record<string, (port: number) => readonly string[]>> = {
	streamlit: (port) => [
		...["streamlit", "run", `${EXAMPLES}streamlit_app.py`, "--server.headless=true"],
		...["--server.address=127.0.0.1", `--server.port=${port}`],
		"--browser.gatherUsageStats=false",
	],
	gradio: () => ["python", `${EXAMPLES}gradio_app.py`],
	panel: (port) => [
		...["panel", "serve", `${EXAMPLES}panel_app.py`, "--address=127.0.0.1"],
		`--port=${port}`,
	],
};

/** Path of an app's page. */
const PATHS: Readonly<Record<string, string>> = { panel: "panel_app" };

function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer().once("error", reject);
		server.listen(0, "127.0.0.1", () => {
			const address = server.address();
			const port = typeof address === "object" && address ? address.port : 0;
			server.close(() => resolve(port));
		});
	});
}

/** An app of a framework, with settings and caches in a folder of its own. */
class App {
	#process: ChildProcess | undefined;
	#home = "";
	#said = "";
	origin = "";

	async start(name: string, data: string): Promise<void> {
		const port = await freePort();
		this.#home = await mkdtemp(join(tmpdir(), `bevscope-${name}-`));
		this.origin = `http://127.0.0.1:${port}`;
		const [program = "", ...words] = APPS[name]?.(port) ?? [];
		this.#process = spawn(`${BIN}/${program}`, words, {
			cwd: this.#home,
			env: {
				...process.env,
				...{ HOME: this.#home, BEVSCOPE_DATA: data, PORT: `${port}` },
				...{ GRADIO_ANALYTICS_ENABLED: "False", GRADIO_TEMP_DIR: this.#home },
				...{ PYTHONUNBUFFERED: "1", HF_HUB_OFFLINE: "1" },
			},
		});
		const note = (text: Buffer): void => {
			this.#said += text.toString();
		};
		this.#process.stdout?.on("data", note);
		this.#process.stderr?.on("data", note);
		for (let tries = 0; tries < 240; tries += 1) {
			const answer = await fetch(this.origin).catch(() => undefined);
			if (answer) return;
			await new Promise((resolve) => setTimeout(resolve, 500));
		}
		throw new Error(`${name} does not answer: ${this.#said}`);
	}

	async stop(): Promise<void> {
		const stopped = new Promise((resolve) => this.#process?.once("exit", resolve));
		this.#process?.kill("SIGTERM");
		await stopped;
		await rm(this.#home, { recursive: true, force: true });
	}
}

/** Returns scene and frame that the page's viewer shows; playwright pierces shadow roots. */
async function position(page: Page): Promise<unknown> {
	const viewer = page.locator("bev-viewer");
	if ((await viewer.count()) !== 1) return undefined;
	return viewer.evaluate((element) => {
		const { scene, frame } = element as Viewer;
		return [scene, frame];
	});
}

describe.skipIf(!BIN)("dashboards", () => {
	let browser: Browser;
	let data: FaultyServer;

	beforeAll(async () => {
		const objects = new Map(
			[...tinyDataset()].map(([key, bytes]) => [`/town.zarr/${key}`, bytes] as const),
		);
		[browser, data] = await Promise.all([
			launch(),
			FaultyServer.start({ objects, folders: { "/l5/": TOWN } }),
		]);
	});
	afterAll(async () => {
		await browser?.close();
		await data?.close();
	});

	it.each(Object.keys(APPS))(
		"%s shows a frame, and gets the selection",
		async (name) => {
			const app = new App();
			try {
				await app.start(name, data.origin + DATA);
				const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
				page.setDefaultTimeout(90_000);
				await page.goto(`${app.origin}/${PATHS[name] ?? ""}`);
				const wait = { timeout: 90_000 };
				await expect.poll(() => position(page), wait).toEqual([0, 3]);

				await page.locator("bev-viewer").evaluate((element) => {
					(element as Viewer).selection = "ego";
				});
				await page.getByText("Scene 0, selected: ego").waitFor();

				const input = page.getByLabel("Open scene", { exact: true });
				await input.fill("1");
				await input.press("Enter");
				await expect
					.poll(async () => (await position(page)) as unknown, wait)
					.toEqual([1, expect.any(Number)]);
				await page.getByText("Scene 1, selected: None").waitFor();
				await page.locator("bev-viewer").evaluate(async (element) => {
					await (element as Viewer).settled;
				});
				if (PICTURES)
					await page.screenshot({ path: `${PICTURES}/dashboard-${name}.png` });
				await page.close();
			} finally {
				await app.stop();
			}
		},
	);
});
