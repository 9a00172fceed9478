import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Viewer } from "../../../web/src/elements/viewer/viewer.js";
import { pack } from "../../../web/tools/pack.mjs";
import { serve as serveData, useServers } from "../../browser/harness.js";
import { FaultyServer } from "../../support/http-server.js";
import type { Project } from "./projects.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const run = promisify(execFile);

/** Warnings of a build, as bundlers write them. */
const WARNING = /\bwarn(ing)?\b/i;

/** Packs both packages for the tests of a file; returns the tarballs. */
async function packAll(name: string): Promise<string[]> {
	const folder = at(`build/${name}-packed`);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	return [pack(at("web"), folder), pack(at("web/viewer"), folder)];
}

/**
 * A directory for a project, with the packages of a lock file (`scripts/build consumers`)
 * and those of the tarballs.
 */
export async function projectOf(
	{ name, files }: Pick<Project, "name" | "files">,
	{ from, tarballs }: { from?: string; tarballs: readonly string[] },
): Promise<string> {
	const folder = at(`build/consumers-projects/${name.replaceAll(/\W+/g, "-")}`);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	// Hard links: bundlers must not find the packages outside of the project.
	const packages = at(`build/${from}/node_modules`);
	if (from) await run("cp", ["--archive", "--link", packages, folder]);
	for (const tarball of tarballs) {
		const target = tarball.includes("bevscope-viewer") ? "bevscope-viewer" : "bevscope";
		const own = join(folder, "node_modules", target);
		await mkdir(own);
		await run("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
	}
	const all = { "package.json": '{ "type": "module" }', ...files };
	for (const [path, text] of Object.entries(all)) {
		await mkdir(dirname(join(folder, path)), { recursive: true });
		await writeFile(join(folder, path), text);
	}
	return folder;
}

/** Environment of the tools: no colours, no statistics sent. */
export const ENVIRONMENT = {
	...process.env,
	NODE_PATH: "",
	NODE_ENV: "",
	NO_COLOR: "1",
	NEXT_TELEMETRY_DISABLED: "1",
	PARCEL_WORKERS: "1",
};

function scriptOf(folder: string, [script = "", ...args]: readonly string[]): string[] {
	const own = script.startsWith("./") ? script : join("node_modules", script);
	return [join(folder, own), ...args];
}

/** Builds a project; returns the warnings. */
async function build(project: Project, folder: string): Promise<string[]> {
	const lines: string[] = [];
	for (const command of project.build ?? []) {
		const options = { cwd: folder, env: ENVIRONMENT, maxBuffer: 2 ** 26 };
		const said = await run(process.execPath, scriptOf(folder, command), options);
		lines.push(...`${said.stdout}\n${said.stderr}`.split("\n"));
	}
	return lines.filter((line) => WARNING.test(line));
}

/** A port that is free now. */
async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

interface Site {
	readonly origin: string;
	close(): Promise<void>;
}

/** Starts the development server, and waits until it answers. */
async function develop(command: readonly string[], folder: string): Promise<Site> {
	const port = `${await freePort()}`;
	const [script = "", ...args] = scriptOf(folder, command);
	const server = spawn(
		process.execPath,
		[script, ...args.map((arg) => (arg === "PORT" ? port : arg))],
		{ cwd: folder, env: ENVIRONMENT, stdio: "ignore" },
	);
	const ended = new Promise<void>(
		(resolve) => void server.once("exit", () => resolve()),
	);
	const origin = `http://127.0.0.1:${port}`;
	const answers = () =>
		fetch(origin).then(
			({ ok }) => ok,
			() => false,
		);
	const close = async () => {
		server.kill();
		await ended;
	};
	try {
		await expect.poll(answers, { timeout: 180_000 }).toBe(true);
	} catch (error) {
		await close();
		throw error;
	}
	return { origin, close };
}

async function siteOf({ site }: Project, folder: string): Promise<Site> {
	if (typeof site !== "string") return develop(site.server, folder);
	return FaultyServer.start({ folders: { "/": `${join(folder, site)}/` } });
}

/** What a project's page has read and drawn. */
export interface Seen {
	readonly read: unknown;
	/** The viewer's worker. */
	readonly worker: string | undefined;
	/** Number of different colours in the picture. */
	readonly colours: number;
}

/** Waits for the data and the picture of a project's page. */
async function look(page: Page): Promise<Seen> {
	await page.waitForFunction(
		() => "reading" in globalThis && document.querySelector("bev-viewer:defined"),
	);
	return page.evaluate(async () => {
		const { reading } = globalThis as unknown as { reading: Promise<unknown> };
		const viewer = document.querySelector<Viewer>("bev-viewer");
		await viewer?.settled;
		const blob = (await viewer?.toBlob()) ?? new Blob();
		const bitmap = await createImageBitmap(blob);
		const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
		const context = canvas.getContext("2d");
		context?.drawImage(bitmap, 0, 0);
		const pixels = context?.getImageData(0, 0, bitmap.width, bitmap.height).data;
		const colours = new Set(new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0))).size;
		const data = viewer?.data as { capabilities?: { worker: string } } | undefined;
		return { read: await reading, worker: data?.capabilities?.worker, colours };
	});
}

/** Development servers reload the page when they find another dependency. */
async function lookAgain(page: Page): Promise<Seen> {
	try {
		return await look(page);
	} catch (error) {
		if (!/navigation|context was destroyed/.test(String(error))) throw error;
		return look(page);
	}
}

/**
 * Builds and opens a project with the data at `src`, which is of another origin. Fails for
 * warnings that are not expected, and for console messages except 404 of optional data.
 */
async function visit(
	project: Project,
	folder: string,
	{ browser, src }: { browser: Browser; src: string },
): Promise<Seen> {
	const warnings = await build(project, folder);
	const site = await siteOf(project, folder);
	try {
		const page = await browser.newPage();
		page.on("pageerror", (error) => warnings.push(String(error)));
		page.on("console", (message) => {
			const ours = !message.location().url.startsWith(new URL(src).origin);
			if (ours && ["warning", "error"].includes(message.type()))
				warnings.push(message.text());
		});
		const { page: path = "/index.html" } = project;
		await page.goto(`${site.origin}${path}?data=${encodeURIComponent(src)}`);
		const seen = await lookAgain(page);
		const { expected } = project;
		const told = warnings.filter((line) => !expected?.test(line));
		expect(told).toEqual([]);
		return seen;
	} finally {
		await site.close();
	}
}

/** The data's server, and what was packed. */
export interface Consumers {
	readonly from: string;
	/** Tarballs of bevscope and bevscope-viewer. */
	readonly tarballs: readonly string[];
	/** The data set's address. */
	readonly src: string;
}

/** Tests that each project reads and draws; `from` is the directory of its packages. */
export function pagesOf(projects: readonly Project[], from: string): Consumers {
	const suite = useServers({ data: () => serveData() });
	let tarballs: readonly string[] = [];
	const started = {
		from,
		get tarballs() {
			return tarballs;
		},
		get src() {
			return `${suite.data.origin}/tiny.zarr`;
		},
	};
	beforeAll(async () => {
		if (!existsSync(at(`build/${from}/node_modules`)))
			throw new Error(`build/${from} is not installed: run scripts/build ${from}`);
		tarballs = await packAll(from);
	});
	describe("consumers: reads in a worker and draws a picture with", () => {
		it.each(projects.map((project) => [project.name, project] as const))(
			"%s",
			async (_, project) => {
				const folder = await projectOf(project, started);
				const seen = await visit(project, folder, {
					browser: suite.browser,
					src: started.src,
				});
				expect(seen.read).toEqual({ east: 3, agents: 3, worker: "module", notes: [] });
				expect(seen.worker).toBe("module");
				expect(seen.colours).toBeGreaterThan(20);
			},
		);
	});
	return started;
}

/** A program without a page. */
export interface Program {
	readonly name: string;
	readonly script: string;
	/** What runs it, below node_modules, and its arguments. Default: Node. */
	readonly command?: readonly string[];
}

/** Reads a frame, without closing the data set. */
export const NODE: Program = {
	name: "node",
	script: `
		import { ChunkedDataset } from "bevscope";
		const dataset = await ChunkedDataset.open(process.argv[2]);
		const { ego, agents } = await dataset.frame(0, 3);
		console.log(JSON.stringify({ east: ego.translation[0], agents: agents.centroid.length / 2 }));
	`,
};

/** Runs a program with the data's address; returns its output. Fails if it warns. */
export async function runScript(
	{ from, tarballs, src }: Consumers,
	{ name, script, command = [] }: Program,
): Promise<string> {
	const files = { "main.mjs": script };
	const folder = await projectOf({ name, files }, { from, tarballs });
	const [program, ...args] = command;
	const path = program ? join(folder, "node_modules", program) : process.execPath;
	const options = { cwd: folder, env: ENVIRONMENT, timeout: 60_000 };
	const said = await run(path, [...args, "main.mjs", src], options);
	expect(said.stderr).toBe("");
	return said.stdout;
}
