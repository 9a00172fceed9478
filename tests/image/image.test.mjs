// The container image, from the steps of the Dockerfile: its server, viewer, program and
// Python package. Needs root or sudo, debootstrap and a Debian mirror.
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { asRoot, Image, runInCheckout, stagesOf } from "./dockerfile.mjs";

const checkout = fileURLToPath(new URL("../../", import.meta.url));
const work = `${checkout}build/image-test`;
const town = `${checkout}build/town`;
const data = "/data/scenes/town.zarr";
let image;
let container;

/** Runs JavaScript in the container's network; returns what it prints. */
const client = (code) =>
	asRoot([
		...container.words,
		process.execPath,
		"--input-type=module",
		"-e",
		code,
	]).trim();

/** Status and start of the server's answer. */
const get = (path, host) =>
	JSON.parse(
		client(`import { get } from "node:http";
			const options = { port: 8000, path: "${path}", headers: { Host: "${host}" } };
			get(options, async (answer) => {
				const text = (await answer.toArray()).join("");
				console.log(JSON.stringify([answer.statusCode, text.slice(0, 99)]));
			});`),
	);

const python = (code, options) => image.run(["python3", "-c", code], options).trim();

/** Python that prints how many agents the town's frame 84 has. */
const agents = (url) =>
	`import bevscope; print(len(bevscope.open("${url}").frame(0, 84)["agents.centroid"]))`;

before(async () => {
	const [build, runtime] = stagesOf(`${checkout}Dockerfile`);
	runInCheckout(build, checkout);
	asRoot(["rm", "-rf", work]);
	mkdirSync(work, { recursive: true });
	image = new Image(runtime, `${work}/root`, checkout);
	container = await image.start(town);
});

after(() => asRoot(["rm", "-rf", work]));

test("the image serves /data with the viewer, to the names of this machine", (t) => {
	t.diagnostic(`the image: ${Math.round(image.size / 1e6)} MB`);
	assert.equal(container.url, "http://127.0.0.1:8000/");
	assert.equal(image.settings.EXPOSE, "8000");
	for (const host of [
		"127.0.0.1:8000",
		"localhost:8000",
		"localhost:9000",
		"10.1.2.3:80",
	]) {
		const [status, page] = get("/", host);
		assert.equal(status, 200, host);
		assert.match(page, /^<!doctype html>/i);
	}
	assert.deepEqual(get("/", "elsewhere.example:8000")[0], 421);
	assert.match(
		get("/data/scenes/town.zarr/.zgroup", "localhost:8000")[1],
		/zarr_format/,
	);
});

test("the viewer shows a frame", () => {
	const png = `${work}/viewer.png`;
	const script = `${checkout}scripts/screenshot.mjs`;
	const page = `${container.url}#src=${data}&f=84`;
	asRoot([...container.words, process.execPath, script, page, png]);
	assert(existsSync(png));
});

test("the Python package reads a frame from the server, and from the folder", () => {
	const served = python(agents(`${container.url.slice(0, -1)}${data}`), {
		inside: container,
	});
	assert.match(served, /^[1-9]\d*$/);
	assert.equal(python(agents(data), { data: town }), served);
});

test("the health check passes while the server runs", async () => {
	const words = JSON.parse(image.settings.HEALTHCHECK.replace(/^CMD /, ""));
	image.run(words, { inside: container });
	assert.equal(await container.stop(), 0); // SIGTERM as its first process
	assert.throws(() => image.run(words), /Connection refused/);
});

test("another command runs in place of the server, not as root", () => {
	assert.match(image.run(["bevscope", "info", data], { data: town }), /frames/);
	assert.equal(image.run(["id", "-u"]).trim(), "10001");
	image.run(["bevscope", "town", "/data/new", "--scenes", "1", "--no-aerial"]);
	assert.throws(() => image.run(["touch", "/usr/local/bin/new"]), /Permission denied/);
});
