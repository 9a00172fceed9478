// node scripts/screenshot.mjs URL FILE [WIDTHxHEIGHT] [light|dark]
//
// Opens a page with the viewer in Debian's Chromium, waits until the viewer is ready,
// and writes a PNG. If it does not become ready, prints the page's messages and exits
// with status 1.
import { createRequire } from "node:module";

const require = createRequire(new URL("../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const [url, file, size = "1440x900", colorScheme = "dark"] = process.argv.slice(2);
const [width, height] = size.split("x").map(Number);
const patience = 90_000;

const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage"],
});
const said = [];
try {
	const page = await browser.newPage({ viewport: { width, height }, colorScheme });
	page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
	page.on("pageerror", (error) => said.push(`error: ${error.message}`));
	await page.goto(url, { timeout: patience });
	await page.waitForFunction(
		() => document.querySelector("bev-viewer")?.settled,
		null,
		{
			timeout: patience,
		},
	);
	const settled = page.evaluate(async () => {
		await document.querySelector("bev-viewer").settled;
	});
	let timer;
	const late = new Promise((_, reject) => {
		timer = setTimeout(() => reject(new Error("the viewer did not settle")), patience);
	});
	await Promise.race([settled, late]).finally(() => clearTimeout(timer));
	await page.screenshot({ path: file });
} catch (error) {
	console.error([`${url}: ${error.message}`, ...said].join("\n"));
	process.exitCode = 1;
} finally {
	await browser.close();
}
