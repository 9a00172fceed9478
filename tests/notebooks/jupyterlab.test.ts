import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { launch } from "../support/engines.js";
import { tinyDataset } from "../support/tiny-dataset.js";

/** The directory of a Python environment's programs, with bevscope and jupyterlab. */
const BIN = process.env.BEV_PYTHON_BIN;

const CELLS = [
	`import bevscope
viewer = bevscope.Viewer("data.zarr", scene=1, frame=20, height=420, theme="dark")
viewer`,
	"viewer.go_to(2, 33)",
	"shot = viewer.screenshot()",
	"print('told', len(shot.png), viewer.scene, viewer.frame, viewer.selection)",
];

/** Returns a free port of 127.0.0.1. */
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

async function writeFiles(folder: string): Promise<void> {
	const size = { scenes: 4, framesPerScene: 90, rowsPerChunk: 300 };
	for (const [key, bytes] of tinyDataset(size)) {
		const path = join(folder, "data.zarr", key);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, bytes);
	}
	const cells = CELLS.map((source, k) => ({
		...{ cell_type: "code", id: `cell-${k}`, source, metadata: {} },
		...{ execution_count: null, outputs: [] },
	}));
	const kernelspec = { name: "python3", display_name: "Python 3", language: "python" };
	const notebook = { cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
	await writeFile(join(folder, "test.ipynb"), JSON.stringify(notebook));
}

/** JupyterLab on 127.0.0.1, in a directory and with settings of its own. */
class Lab {
	#process: ChildProcess | undefined;
	#folder = "";
	origin = "";

	async start(): Promise<void> {
		this.#folder = await mkdtemp(join(tmpdir(), "bevscope-lab-"));
		await writeFiles(this.#folder);
		const port = await freePort();
		this.origin = `http://127.0.0.1:${port}`;
		const settings = [
			...["--no-browser", "--allow-root", "--ip=127.0.0.1", `--port=${port}`],
			...["--IdentityProvider.token=", `--ServerApp.root_dir=${this.#folder}`],
		];
		const home = { HOME: join(this.#folder, "home"), JUPYTER_PREFER_ENV_PATH: "1" };
		this.#process = spawn(`${BIN}/jupyter-lab`, settings, {
			...{ cwd: this.#folder, stdio: "ignore" },
			env: { ...process.env, ...home, PATH: `${BIN}:${process.env.PATH}` },
		});
		for (let tries = 0; tries < 240; tries += 1) {
			if (
				await fetch(`${this.origin}/api`).then(
					({ ok }) => ok,
					() => false,
				)
			)
				return;
			await new Promise((resolve) => setTimeout(resolve, 500));
		}
		throw new Error("JupyterLab does not answer");
	}

	async stop(): Promise<void> {
		const stopped = new Promise((resolve) => this.#process?.once("exit", resolve));
		this.#process?.kill("SIGINT");
		this.#process?.kill("SIGTERM");
		await stopped;
		await rm(this.#folder, { recursive: true, force: true });
	}
}

/** Runs cell `index`, again if the kernel did not take it yet, and waits for its end. */
async function runCell(page: Page, index: number): Promise<void> {
	const cell = page.locator(".jp-CodeCell").nth(index);
	const prompt = cell.locator(".jp-InputPrompt");
	const before = await prompt.textContent();
	await expect
		.poll(
			async () => {
				const now = (await prompt.textContent()) ?? "";
				if (now !== before && /^\[\d+\]:$/.test(now)) return true;
				if (now === "[*]:") return false;
				await cell.locator(".cm-content").click();
				await page.keyboard.press("Control+Enter");
				return false;
			},
			{ timeout: 90_000, interval: 3000 },
		)
		.toBe(true);
}

async function displays(page: Page, scene: number, frame: number): Promise<void> {
	await page.waitForFunction(
		(wanted) => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			return viewer?.scene === wanted.scene && viewer.frame === wanted.frame;
		},
		{ scene, frame },
	);
}

/** Returns the number of colours in the picture. */
function colours(page: Page): Promise<number> {
	return page.evaluate(async () => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		await viewer?.settled;
		const blob = await viewer?.toBlob();
		if (!blob) return 0;
		const image = await createImageBitmap(blob);
		const canvas = new OffscreenCanvas(image.width, image.height);
		const ctx = canvas.getContext("2d");
		ctx?.drawImage(image, 0, 0);
		const pixels = ctx?.getImageData(0, 0, image.width, image.height).data;
		return new Set(new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0))).size;
	});
}

/** The notebook's kernel waits for cells. */
const IDLE = '.jp-Notebook-ExecutionIndicator[data-status="idle"]';

describe.skipIf(!BIN)("notebooks/jupyterlab", () => {
	const lab = new Lab();
	let browser: Browser;

	beforeAll(async () => {
		[browser] = await Promise.all([launch(), lab.start()]);
	});
	afterAll(async () => {
		await browser?.close();
		await lab.stop();
	});

	it("draws, moves traits both ways, and keeps the view when the kernel restarts", async () => {
		const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
		page.setDefaultTimeout(90_000);
		await page.goto(`${lab.origin}/lab/tree/test.ipynb?reset`);
		await runCell(page, 0);
		await displays(page, 1, 20);
		expect(await colours(page)).toBeGreaterThan(10);

		await runCell(page, 1);
		await displays(page, 2, 33);

		await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			viewer?.seek(34);
			if (viewer) viewer.selection = "ego";
		});
		await displays(page, 2, 34);
		// Cells run in order; traits and screenshot arrive between them.
		await runCell(page, 2);
		const told = page.locator(".jp-OutputArea-output", { hasText: "told" });
		await expect
			.poll(
				async () => {
					await runCell(page, 3);
					return (await told.allTextContents()).join("");
				},
				{ timeout: 60_000, interval: 1000 },
			)
			.toMatch(/^told \d{4,} 2 34 ego\s*$/);

		await page.getByRole("menuitem", { name: "Kernel", exact: true }).click();
		await page
			.getByRole("menuitem", { name: /^Restart Kernel…/ })
			.first()
			.click();
		await page.locator(".jp-Dialog .jp-mod-accept").click();
		await page.waitForSelector(IDLE);
		await displays(page, 2, 34);
		expect(await colours(page)).toBeGreaterThan(10);
	});
});
