// The settings of docs/hosting-nginx.md and docs/hosting-caddy.md serve data to pages of
// other origins. What is not installed is skipped; `scripts/build proxies` brings both.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "bev-static-"));
const stops = [];

after(async () => {
	for (const stop of stops) await stop();
	rmSync(work, { recursive: true });
});

/** The path of an installed program, or of one that scripts/build brought. */
function find(name) {
	const brought = ["sbin", "bin"].map((folder) => `${root}build/proxies/usr/${folder}`);
	const folders = [...process.env.PATH.split(":"), "/usr/sbin", ...brought];
	return folders.map((folder) => join(folder, name)).find(existsSync);
}

/** A page's first block in a language. */
function block(page, language) {
	const text = readFileSync(join(root, "docs", page), "utf8");
	return new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "ms").exec(text)[1];
}

async function freePort() {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address();
	server.close();
	await once(server, "close");
	return port;
}

/** Starts a server, and waits until it answers; it ends after the tests. */
async function start(program, words, port) {
	const child = spawn(program, words, {
		stdio: "ignore",
		env: { ...process.env, HOME: work },
	});
	const ended = once(child, "exit");
	stops.push(async () => {
		child.kill("SIGTERM");
		await ended;
	});
	for (let tries = 0; tries < 100; tries += 1) {
		const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
		if (answer) return;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	throw new Error(`${program} does not answer`);
}

/** Checks what pages of another origin need. */
async function check(base) {
	const headers = { Origin: "https://example.org", Range: "bytes=2-4" };
	const ask = (key, init) => fetch(`${base}/${key}`, init);
	const allowed = (answer) => answer.headers.get("Access-Control-Allow-Origin");

	const group = await ask(".zgroup", { headers: { Origin: "https://example.org" } });
	assert.deepEqual([group.status, allowed(group)], [200, "*"]);
	assert.equal(await group.text(), '{"zarr_format": 2}');

	const part = await ask("agents/0", { headers });
	assert.deepEqual([part.status, allowed(part), await part.text()], [206, "*", "234"]);
	assert.equal(part.headers.get("Content-Range"), "bytes 2-4/10");
	assert.match(
		part.headers.get("Access-Control-Expose-Headers"),
		/Content-Range, ETag/,
	);
	assert.equal(part.headers.get("Content-Encoding"), null);
	assert(part.headers.get("ETag"));

	const absent = await ask("agents/1", { headers });
	assert.deepEqual([absent.status, allowed(absent)], [404, "*"]);

	const asked = await ask("agents/0", { method: "OPTIONS", headers });
	assert.deepEqual([asked.status, allowed(asked)], [204, "*"]);
	assert.equal(asked.headers.get("Access-Control-Allow-Headers"), "Range");
}

const data = join(work, "data", "sample.zarr");
mkdirSync(join(data, "agents"), { recursive: true });
writeFileSync(join(data, ".zgroup"), '{"zarr_format": 2}');
writeFileSync(join(data, "agents", "0"), "0123456789");

const nginx = find("nginx");
test("nginx serves data with the location of its page", { skip: !nginx }, async () => {
	const port = await freePort();
	const location = block("hosting-nginx.md", "nginx").replace(
		"root /srv;",
		`root ${work};`,
	);
	const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
	const config = `daemon off; pid ${work}/nginx.pid; error_log ${work}/error.log;
		${process.getuid() === 0 ? "user root;" : ""}
		events {}
		http {
			access_log off;
			${paths.map((name) => `${name}_temp_path ${work}/${name};`).join(" ")}
			server { listen 127.0.0.1:${port}; ${location} }
		}`;
	writeFileSync(join(work, "nginx.conf"), config);
	await start(nginx, ["-c", join(work, "nginx.conf"), "-e", `${work}/error.log`], port);
	await check(`http://127.0.0.1:${port}/data/sample.zarr`);
});

const caddy = find("caddy");
test("Caddy serves data with the file of its page", { skip: !caddy }, async () => {
	const port = await freePort();
	const file = block("hosting-caddy.md", "caddy")
		.replace(":8080", `http://127.0.0.1:${port}`)
		.replace("root * /srv", `root * ${work}`);
	writeFileSync(join(work, "Caddyfile"), `{\n\tadmin off\n}\n${file}`);
	await start(
		caddy,
		["run", "--adapter", "caddyfile", "--config", join(work, "Caddyfile")],
		port,
	);
	await check(`http://127.0.0.1:${port}/data/sample.zarr`);
});
