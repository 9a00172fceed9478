// Usage: node page.mjs FOLDER PAGE DATA
//
// Serves FOLDER, and the folder DATA as /town/, opens PAGE in Chromium, waits until its
// viewer shows a frame, and prints how many agents this has. Fails if the console has an
// error or a warning.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";

const web = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = web("playwright-core");
const [folder, page, data] = process.argv.slice(2);

const TYPES = {
	".html": "text/html",
	".js": "text/javascript",
	".wasm": "application/wasm",
};

const server = createServer(({ url }, response) => {
	const { pathname } = new URL(url, "http://host");
	const path = normalize(decodeURIComponent(pathname));
	const file = path.startsWith("/town/")
		? join(data, path.slice("/town/".length))
		: join(folder, path);
	const size = statSync(file, { throwIfNoEntry: false });
	if (!size?.isFile()) return response.writeHead(404).end();
	const type = TYPES[extname(file)] ?? "application/octet-stream";
	response.writeHead(200, { "Content-Type": type, "Content-Length": size.size });
	createReadStream(file).pipe(response);
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));

const browser = await chromium.launch({
	executablePath: process.env.BEV_CHROMIUM ?? "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu"],
});
try {
	const tab = await browser.newPage();
	const said = [];
	tab.on("console", (message) => {
		// Data sets need no statistics, notes and icon; the browser reports each 404.
		if (/error|warning/.test(message.type()) && !/404/.test(message.text()))
			said.push(message.text());
	});
	tab.on("pageerror", (error) => said.push(error.message));
	await tab.goto(`http://127.0.0.1:${server.address().port}/${page}`);
	const agents = await tab.locator("bev-viewer").evaluate(async (viewer) => {
		await customElements.whenDefined("bev-viewer");
		await viewer.settled;
		return viewer.controller.state.shown?.agents.length;
	});
	if (said.length > 0) throw new Error(said.join("\n"));
	if (!(agents > 0)) throw new Error(`${page}: ${agents} agents`);
	console.log(`${page}: ${agents} agents`);
} finally {
	await browser.close();
	server.close();
}
