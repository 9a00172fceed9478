// node scripts/pictures.mjs [NAME]...
//
// Writes the pictures of README.md and docs/ in docs/images: the viewer with the synthetic
// town in Debian's Chromium, as WebP. NAME chooses some of them. Needs what
// `scripts/build program app town` makes.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { animatedWebP } from "./webp.mjs";

const require = createRequire(new URL("../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const TOWN = "/data/scenes/town.zarr";

/** The viewer's page, in a state of a link. */
const viewer = (link) => `/#src=${TOWN}&${link}`;

/** Two models' predictions of frames 70 to 99: constant velocity, and constant turn rate. */
async function predict() {
	const { controller } = document.querySelector("bev-viewer");
	const { dataset } = controller.state;
	const frames = Array.from({ length: 30 }, (_, k) => 70 + k);
	const models = { "constant velocity": [], "constant turn rate": [] };
	const [timestamps, tracks] = [[], []];
	const seen = new Map();
	for (const number of frames) {
		const { agents, timestamp } = await dataset.frame(0, number);
		for (let i = 0; i < agents.length; i += 1) {
			const [x, y] = agents.velocity.subarray(2 * i, 2 * i + 2);
			const id = agents.track_id[i];
			const rate = seen.has(id) ? (agents.yaw[i] - seen.get(id)) * 10 : 0;
			seen.set(id, agents.yaw[i]);
			timestamps.push(timestamp);
			tracks.push(BigInt(id));
			for (const [name, turn] of [
				["constant velocity", 0],
				["constant turn rate", rate],
			]) {
				let [px, py, angle] = [0, 0, 0];
				for (let k = 0; k < 50; k += 1) {
					px += 0.1 * (x * Math.cos(angle) - y * Math.sin(angle));
					py += 0.1 * (x * Math.sin(angle) + y * Math.cos(angle));
					angle += 0.1 * turn;
					models[name].push(px, py);
				}
			}
		}
	}
	document.querySelector("bev-viewer").predictions = Object.entries(models).map(
		([name, coords]) => ({
			name,
			from: {
				timestamps: BigInt64Array.from(timestamps),
				track_ids: BigInt64Array.from(tracks),
				confidences: new Float64Array(tracks.length).fill(1),
				coords: Float64Array.from(coords),
			},
		}),
	);
}

const EMBED = `<!doctype html><meta charset="utf-8">
<style>
	body { font: 17px/1.5 system-ui, sans-serif; margin: 28px auto; max-width: 900px; color: #1b1f24 }
	h1 { font-size: 26px; margin: 0 0 8px } p { margin: 0 0 14px }
	div { display: grid; gap: 14px; grid-template-columns: 3fr 2fr }
	bev-viewer { height: 380px; border: 1px solid #dde1e7; border-radius: 8px; overflow: hidden }
</style>
<script type="module" src="/bevscope/cdn/viewer.js"></script>
<h1>Waiting at a red light</h1>
<p>Both pictures are viewers of one group: moving one moves the other.</p>
<div>
	<bev-viewer src="${TOWN}" frame="84" theme="light" group="a" panels="picture" label="Scene"></bev-viewer>
	<bev-viewer src="${TOWN}" frame="84" theme="light" group="a" panels="picture" follow="heading" label="Ego"></bev-viewer>
</div>
<p style="margin-top:14px">Press play in one of them, or step with the arrow keys.</p>`;

const TRAIN = `<!doctype html><style>
	body { margin: 12px; background: #0e1116 }
	main { display: grid; grid-template-columns: repeat(8, 112px); gap: 6px }
	canvas { display: block }
</style><main></main>
<script type="module">
	import { AgentDataset, ChunkedDataset, imageData } from "/bevscope/index.js";
	const dataset = await ChunkedDataset.open("${TOWN}");
	const root = new URL("/data/", location.href).href;
	const text = await (await fetch("/config.js")).text();
	const { config } = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
	const agents = await AgentDataset.create(config, dataset, { root, image: "rgba" });
	await agents.index();
	for (let k = 0; k < 16; k += 1) {
		const image = imageData(await agents.sample((k * 7919 + 5) % agents.length));
		const canvas = document.createElement("canvas");
		Object.assign(canvas, { width: image.width, height: image.height });
		canvas.getContext("2d").putImageData(image, 0, 0);
		document.querySelector("main").append(canvas);
	}
	document.body.dataset.ready = "yes";
</script>`;

const tab = (name) => (page) => page.getByRole("tab", { name }).click();

async function search(page) {
	await page.getByRole("group", { name: "Scene, seen from above" }).focus();
	await page.keyboard.press("g");
	const box = page.getByRole("combobox", { name: "Filter" });
	await box.waitFor();
	await page.getByRole("combobox", { name: "Table" }).selectOption("tracks");
	await box.fill("class == 'PEDESTRIAN' and closest_ego < 10");
	await box.press("Enter");
	const hits = page.getByRole("listbox", { name: "Hits" }).getByRole("option");
	await hits.nth(2).waitFor();
	await page.waitForTimeout(6000);
}

async function compare(page) {
	await tab("Predictions")(page);
	await page.evaluate(predict);
	await page.waitForFunction(
		() => document.querySelector("bev-viewer").controller.state.review.comparison,
	);
	await page.getByLabel("Listed predictions").selectOption("worse");
	await page.waitForTimeout(1500);
}

/** Waits until the start page has drawn its scenes. */
async function pictured(page) {
	await page.waitForFunction(
		() => document.querySelectorAll('.scenes canvas[data-state="drawn"]').length === 4,
	);
	await page.locator(".scenes .facts b").first().waitFor();
}

/** Pictures by name: the page's address or text, its size, theme, and what is done in it. */
const PICTURES = {
	viewer: { url: viewer("s=0&f=84&t=ego"), size: [1280, 800] },
	embed: { html: EMBED, size: [960, 560], theme: "light" },
	sample: { url: viewer("s=0&f=84&t=ego"), size: [1180, 720], act: tab("Raster") },
	train: { html: TRAIN, size: [962, 254] },
	find: { url: viewer("s=0&f=84"), size: [1180, 740], act: search },
	compare: { url: viewer("s=0&f=84&t=ego"), size: [1280, 900], act: compare },
	published: { url: "/published/index.html", size: [1280, 900], act: pictured },
};

/** The town playing: the ego vehicle turns left in the fourth scene. */
const PLAYING = { scene: 3, begin: 116, end: 186, size: [760, 460] };

/** The programs of the gallery in docs/.vitepress/theme/gallery.data.mjs. */
const GALLERY = [
	...["cursor", "predict", "find", "scatter", "clip", "speed", "near", "raster"],
	...["overlay", "events", "jump", "theme", "scenes", "worker"],
];

const THEMES = ["dark", "light"];

/** Starts the server; returns its origin and a function that ends it. */
async function serve() {
	const args = ["serve", at("build/town"), "--app", at("build/app")];
	const server = spawn(at("build/release/bevscope"), args);
	const [line] = await new Promise((resolve, reject) => {
		server.stdout.once("data", (text) => resolve(/http:\/\/\S+/.exec(text)));
		server.once("exit", () => reject(new Error("the server ended")));
	});
	return { origin: new URL(line).origin, end: () => server.kill() };
}

/** Opens a page of the server that has the package, and `html` as its text. */
async function open(
	browser,
	origin,
	{ url, html, size: [width, height], theme = "dark" },
) {
	const page = await browser.newPage({
		viewport: { width, height },
		colorScheme: theme,
	});
	page.on("pageerror", (error) => console.error(error.message));
	await page.route(`${origin}/bevscope/**`, (route) =>
		route.fulfill({
			path: at(`web/dist/${new URL(route.request().url()).pathname.slice(10)}`),
		}),
	);
	await page.route(`${origin}/published/**`, (route) => {
		const { pathname } = new URL(route.request().url());
		return route.fulfill({ path: at(`build/${pathname}`) });
	});
	await page.route(`${origin}/config.js`, (route) =>
		route.fulfill({ path: at("examples/web/config.js") }),
	);
	await page.route(`${origin}/page.html`, (route) =>
		route.fulfill({ body: html, contentType: "text/html" }),
	);
	await page.goto(origin + (url ?? "/page.html"));
	if (html === TRAIN) await page.waitForSelector("[data-ready]");
	else
		await page.evaluate(async () => {
			await customElements.whenDefined("bev-viewer");
			for (const one of document.querySelectorAll("bev-viewer")) await one.settled;
		});
	return page;
}

/** Encodes a screenshot of the page as WebP, by the browser. */
async function webp(page, quality) {
	const png = (await page.screenshot()).toString("base64");
	const text = await page.evaluate(
		async ([data, quality]) => {
			const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
			const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
			const canvas = new OffscreenCanvas(image.width, image.height);
			canvas.getContext("2d").drawImage(image, 0, 0);
			const blob = await canvas.convertToBlob({ type: "image/webp", quality });
			const out = new Uint8Array(await blob.arrayBuffer());
			return btoa(Array.from(out, (byte) => String.fromCharCode(byte)).join(""));
		},
		[png, quality],
	);
	return Buffer.from(text, "base64");
}

function write(name, bytes, limit) {
	if (bytes.length > limit)
		throw new Error(`${name}: ${bytes.length} bytes (limit ${limit})`);
	writeFileSync(join(at("docs/images"), `${name}.webp`), bytes);
	console.log(`${name}.webp: ${(bytes.length / 1000).toFixed(0)} kB`);
}

async function play(browser, origin) {
	const { scene, begin, end, size } = PLAYING;
	const url = viewer(`s=${scene}&f=${begin}&t=ego&w=position&z=60`);
	const page = await open(browser, origin, { url, size });
	const frames = [];
	for (let frame = begin; frame < end; frame += 1) {
		await page.evaluate(
			async ([scene, number]) => {
				const viewer = document.querySelector("bev-viewer");
				await viewer.goTo(scene, number);
				await new Promise((done) =>
					requestAnimationFrame(() => requestAnimationFrame(done)),
				);
			},
			[scene, frame],
		);
		frames.push(await webp(page, 0.6));
	}
	write("playing", animatedWebP(frames, { size, milliseconds: 100 }), 1_500_000);
}

/** Writes a picture of a program of the gallery, as it looks after its first drawing. */
async function showProgram(browser, origin, program, theme) {
	const folders = {
		"/examples/": "examples/",
		"/packages/": "build/examples/node_modules/",
		"/bevscope/": "web/dist/",
	};
	const page = await browser.newPage({
		viewport: { width: 720, height: 520 },
		colorScheme: theme,
	});
	for (const [prefix, folder] of Object.entries(folders)) {
		await page.route(`${origin}${prefix}**`, (route) => {
			const path = new URL(route.request().url()).pathname.slice(prefix.length);
			return route.fulfill({ path: at(folder + path) });
		});
	}
	const query = `program=${program}&bare&data=${TOWN}`;
	await page.goto(`${origin}/examples/web/index.html?${query}`);
	await page.locator("main:not([aria-busy])").waitFor();
	if (program === "clip") {
		await page.getByRole("button", { name: "Record" }).click();
		await page.getByAltText("The recorded frames").waitFor();
		await page.getByRole("link").scrollIntoViewIfNeeded();
	}
	await page.waitForTimeout(1500);
	write(`gallery/${theme}/${program}`, await webp(page, 0.7), 60_000);
	await page.close();
}

for (const theme of THEMES)
	mkdirSync(at(`docs/images/gallery/${theme}`), { recursive: true });
const about = [
	"--title",
	"A synthetic town",
	"--description",
	"Made-up drives in a town.",
];
execFileSync(at("build/release/bevscope"), [
	...["publish", at("build/town"), "-o", at("build/published"), ...about],
	...["--app", at("build/app"), "--quiet"],
]);
const { origin, end } = await serve();
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
try {
	const names = process.argv.slice(2);
	const isWanted = (name) => names.length === 0 || names.includes(name);
	for (const [name, picture] of Object.entries(PICTURES)) {
		if (!isWanted(name)) continue;
		const page = await open(browser, origin, picture);
		await picture.act?.(page);
		await page.waitForTimeout(1000);
		write(name, await webp(page, 0.85), 150_000);
		await page.close();
	}
	if (isWanted("playing")) await play(browser, origin);
	for (const theme of isWanted("gallery") ? THEMES : [])
		for (const program of GALLERY) await showProgram(browser, origin, program, theme);
} finally {
	await browser.close();
	end();
}
