import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import type * as Bevscope from "../../web/src/index.js";
import { launch } from "../support/engines.js";
import { GOLDENS } from "../support/goldens.js";
import { FaultyServer } from "../support/http-server.js";
import { tinyDataset } from "../support/tiny-dataset.js";

/** The built package, which the tests load. */
const DIST = fileURLToPath(new URL("../../web/dist", import.meta.url));

/** The policy that the package supports. */
export const STRICT_CSP =
	"default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self'";

/**
 * Starts a server of the built package (`/dist/`), an empty page (`/page.html`), the
 * tiny data set (`/tiny.zarr/`), the goldens' inputs (`/goldens/`), and additional
 * objects and folders.
 */
export function serve(
	extra: Readonly<Record<string, Uint8Array | string>> = {},
	more: Readonly<Record<string, string>> = {},
): Promise<FaultyServer> {
	if (!existsSync(`${DIST}/index.js`)) {
		throw new Error("web/dist is not built: run npm --prefix web run build");
	}
	const objects = new Map<string, Uint8Array | string>(Object.entries(extra));
	objects.set("/page.html", "<!doctype html><title>page</title>");
	for (const [key, bytes] of tinyDataset()) objects.set(`/tiny.zarr/${key}`, bytes);
	const folders: Record<string, string> = { "/dist/": DIST, ...more };
	if (GOLDENS) folders["/goldens/"] = `${GOLDENS}/inputs`;
	return FaultyServer.start({ folders, objects });
}

/** A browser and named servers, for the tests of one file. */
export type Started<Name extends string> = { readonly browser: Browser } & {
	readonly [name in Name]: FaultyServer;
};

/**
 * Starts a browser and servers before the following tests, and stops them afterwards.
 * After each test, closes all pages and resets the servers.
 */
export function useServers<Name extends string>(
	starts: Readonly<Record<Name, () => Promise<FaultyServer>>>,
	startBrowser = () => launch(),
): Started<Name> {
	const started = new Map<string, FaultyServer | Browser>();
	const servers = () =>
		[...started.values()].filter((one) => one instanceof FaultyServer);
	const browser = () => started.get("browser") as Browser | undefined;
	beforeAll(async () => {
		const all = Object.entries<() => Promise<FaultyServer | Browser>>(starts);
		const starting = [...all, ["browser", startBrowser] as const].map(
			async ([name, start]) => void started.set(name, await start()),
		);
		await Promise.all(starting);
	});
	afterEach(async () => {
		for (const context of browser()?.contexts() ?? []) await context.close();
		for (const server of servers()) server.reset();
	});
	afterAll(async () => {
		await Promise.all([...started.values()].map((one) => one.close()));
	});
	const all = { browser: undefined, ...starts };
	const get = (name: string) => {
		const one = started.get(name);
		if (!one) throw new Error(`${name} has not started`);
		return one;
	};
	const getters = Object.keys(all).map((name) => [name, { get: () => get(name) }]);
	return Object.defineProperties({}, Object.fromEntries(getters)) as Started<Name>;
}

/** Opens a page on `server`, and collects its errors. */
export async function openPage(
	browser: Browser,
	server: FaultyServer,
	path = "/page.html",
): Promise<{ page: Page; complaints: string[] }> {
	const page = await browser.newPage();
	const complaints: string[] = [];
	const complain = (text: string) => {
		// Firefox also reports its own request for an icon.
		if (!text.includes("/favicon.ico")) complaints.push(text);
	};
	page.on("pageerror", (error) => complain(String(error)));
	page.on("console", (message) => {
		if (message.type() === "error") complain(message.text());
	});
	await page.goto(server.origin + path);
	return { page, complaints };
}

/** Arguments of a function that runs in the page. */
export interface Given {
	readonly lib: typeof Bevscope;
	/** Address of the data set. */
	readonly url: string;
}

/**
 * Runs `work` in the page or one of its frames, with the package loaded from `script`.
 */
export async function runInPage<T>(
	page: Page | Frame,
	work: (given: Given) => Promise<T>,
	url: string,
	script = "/dist/index.js",
): Promise<T> {
	// A string, since the test runner would transform `import()`.
	const lib = await page.evaluateHandle(
		`import(new URL(${JSON.stringify(script)}, location.href).href)`,
	);
	return page.evaluate(work as (given: unknown) => Promise<T>, { lib, url });
}
