// The files of deploy/: the unit of systemd, and nginx and Caddy in front of the server,
// with a password and TLS. BEVSCOPE is the program. What is not installed is skipped;
// `scripts/build proxies` brings nginx and Caddy.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
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
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ask } from "./ask.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bevscope = process.env.BEVSCOPE;
const PASSWORD = "planted-password";
const SITE = "data.example.org";
const BIG = Buffer.alloc(3 << 20, "0123456789abc");
const work = mkdtempSync(join(tmpdir(), "bev-deploy-"));
const data = join(work, "data");
const stops = [];

const text = (name) => readFileSync(join(root, "deploy", name), "utf8");

const run = (program, ...words) =>
	execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** The path of an installed program, or of one that scripts/build brought. */
function find(name) {
	const folders = [
		...process.env.PATH.split(":"),
		"/usr/sbin",
		`${root}build/proxies/usr/sbin`,
		`${root}build/proxies/usr/bin`,
	];
	return folders.map((folder) => join(folder, name)).find(existsSync);
}

/** Starts a program; it ends after the tests. */
function start(program, words, options) {
	const child = spawn(program, words, options);
	const ended = once(child, "exit");
	stops.push(async () => {
		child.kill("SIGTERM");
		await ended;
	});
	return child;
}

/** Starts the server; returns its port. */
async function serve(...options) {
	const words = ["serve", data, "--app", data, ...options];
	const child = start(bevscope, words, { stdio: ["ignore", "pipe", "inherit"] });
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const { value: url } = await lines.next();
	return new URL(url).port;
}

/** A port that was free a moment ago. */
async function freePort() {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address();
	server.close();
	await once(server, "close");
	return port;
}

/** Replaces all occurrences, of which there must be one. */
function replace(config, from, to) {
	assert(config.includes(from), from);
	return config.replaceAll(from, to);
}

before(() => {
	mkdirSync(data);
	writeFileSync(join(data, "f"), "0123456789");
	writeFileSync(join(data, "big"), BIG);
	const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
	const subject = ["-subj", `/CN=${SITE}`, "-addext", `subjectAltName=DNS:${SITE}`];
	run(
		"openssl",
		...words,
		...subject,
		"-keyout",
		`${work}/key.pem`,
		"-out",
		`${work}/cert.pem`,
	);
});

after(async () => {
	for (const stop of stops) await stop();
	rmSync(work, { recursive: true });
});

test("the unit's command is understood, serves its folder, and ends with status 0", async () => {
	const unit = text("bevscope.service");
	const options = /^Environment="BEVSCOPE_OPTIONS=(.*)"$/m.exec(unit)[1];
	const command = /^ExecStart=(.*)$/m.exec(unit)[1];
	assert.equal(command, `bevscope serve \${BEVSCOPE_DATA} $BEVSCOPE_OPTIONS`);
	const words = replace(options, "--port 8000", "--port 0").split(" ");
	const server = spawn(bevscope, ["serve", data, ...words]);
	const errors = server.stderr.toArray();
	const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
	const { value: url } = await lines.next();
	const answer = await fetch(new URL("/data/f", url));
	assert.equal(await answer.text(), "0123456789");
	server.kill("SIGTERM");
	assert.deepEqual(await once(server, "exit"), [0, null]);
	assert.match(
		Buffer.concat(await errors).toString(),
		/"GET \/data\/f HTTP\/1\.1" 200 10 /,
	);
});

test("systemd accepts the unit, and finds little that it could do besides", (context) => {
	const analyze = find("systemd-analyze");
	if (!analyze) return context.skip("systemd-analyze is not installed");
	// A word without slash is looked for in the folders of the system only.
	const unit = replace(
		text("bevscope.service"),
		"ExecStart=bevscope",
		`ExecStart=${bevscope}`,
	);
	const path = join(work, "bevscope.service");
	writeFileSync(path, unit);
	const { status, stdout, stderr } = spawnSync(analyze, ["verify", path], {
		encoding: "utf8",
	});
	assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: "", stderr: "" });
	// The exposure is 1.2 of 10; an option that systemd ignores would raise it.
	run(analyze, "security", "--offline=yes", "--threshold=15", path);
});

/** What a proxy must do, whichever it is. */
async function check(port) {
	const site = { port, cert: join(work, "cert.pem"), host: SITE };
	const viewer = { Origin: "https://viewer.example.org" };
	const basic = (password) => ({
		Authorization: `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`,
	});
	const known = { ...basic(PASSWORD), ...viewer };
	const get = (path, headers, options) => ask({ ...site, path, headers, ...options });

	const refused = await get("/data/f", viewer);
	assert.equal(refused.status, 401);
	assert.equal(refused.headers["access-control-allow-origin"], viewer.Origin);
	assert.match(refused.headers["www-authenticate"], /^Basic/);
	assert.equal((await get("/data/f", basic("wrong"))).status, 401);
	assert.equal((await get("/", {})).status, 401);

	const whole = await get("/data/f", known);
	assert.deepEqual([whole.status, whole.body], [200, "0123456789"]);
	assert.equal(whole.headers["access-control-allow-origin"], viewer.Origin);
	assert.equal(whole.headers["access-control-allow-credentials"], "true");
	assert.match(whole.headers["access-control-expose-headers"], /Content-Range/);
	assert.equal(whole.headers["cache-control"], "no-cache");
	assert.match(whole.headers.vary, /Origin/);
	assert.ok(whole.headers["strict-transport-security"]);

	const part = await get("/data/f", { ...known, Range: "bytes=2-5" });
	assert.deepEqual([part.status, part.body], [206, "2345"]);
	assert.equal(part.headers["content-range"], "bytes 2-5/10");
	const same = await get("/data/f", { ...known, "If-None-Match": whole.headers.etag });
	assert.equal(same.status, 304);
	const big = await get("/data/big", { ...known, "Accept-Encoding": "gzip" });
	assert.equal(big.headers["content-encoding"], undefined);
	assert.equal(big.body, BIG.toString());
	const absent = await get("/data/.zmetadata", known);
	assert.equal(absent.status, 404);
	assert.equal(absent.headers["access-control-allow-origin"], viewer.Origin);

	const preflight = await get(
		"/data/f",
		{ ...viewer, "Access-Control-Request-Headers": "authorization" },
		{ method: "OPTIONS" },
	);
	assert.equal(preflight.status, 204);
	assert.equal(preflight.headers["access-control-allow-origin"], viewer.Origin);
	assert.match(
		preflight.headers["access-control-allow-headers"],
		/Authorization.*Range/,
	);
	const foreign = await get("/data/f", {
		...basic(PASSWORD),
		Origin: "https://evil.example",
	});
	assert.equal(foreign.headers["access-control-allow-origin"], undefined);

	const health = await get("/healthz", {});
	assert.deepEqual([health.status, JSON.parse(health.body).status], [200, "ready"]);
	assert.match((await get("/metrics", {})).body, /^bevscope_http_requests_total/m);
	assert.equal(
		(await get("/metrics", known, { localAddress: "127.0.0.2" })).status,
		403,
	);
}

/** Waits until a port accepts connections. */
async function awaitPort(port, child) {
	while (child.exitCode === null) {
		try {
			return await ask({
				port,
				path: "/healthz",
				cert: join(work, "cert.pem"),
				host: SITE,
			});
		} catch (error) {
			if (error.code !== "ECONNREFUSED") throw error;
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}
	throw new Error(`ended with status ${child.exitCode}`);
}

test("nginx accepts its file, and protects the server as it says", async (context) => {
	const nginx = find("nginx");
	if (!nginx) return context.skip("nginx is not installed");
	const [port, plain] = [await freePort(), await freePort()];
	let site = text("nginx.conf");
	const hasIpv6 = (networkInterfaces().lo ?? []).some(
		({ family }) => family === "IPv6",
	);
	site = hasIpv6
		? replace(site, "listen [::]:", "listen [::1]:")
		: site.replaceAll(/^\s*listen \[::\].*\n/gm, "");
	for (const [from, to] of [
		["127.0.0.1:8000", `127.0.0.1:${await serve("--host", SITE)}`],
		["listen 80;", `listen 127.0.0.1:${plain};`],
		["listen 443 ", `listen 127.0.0.1:${port} `],
		[`/etc/letsencrypt/live/${SITE}/fullchain.pem`, join(work, "cert.pem")],
		[`/etc/letsencrypt/live/${SITE}/privkey.pem`, join(work, "key.pem")],
		["/etc/nginx/bevscope.htpasswd", join(work, "htpasswd")],
	]) {
		site = replace(site, from, to);
	}
	site = site.replaceAll("[::1]:80;", `[::1]:${plain};`);
	site = site.replaceAll("[::1]:443 ", `[::1]:${port} `);
	writeFileSync(join(work, "site.conf"), site);
	writeFileSync(
		join(work, "htpasswd"),
		`ann:${run("openssl", "passwd", "-apr1", PASSWORD)}`,
	);
	const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
		.map((name) => `${name}_temp_path ${work}/${name};`)
		.join(" ");
	writeFileSync(
		join(work, "nginx.conf"),
		`daemon off; pid ${work}/pid; error_log stderr warn; user root; events {}
		http { access_log off; ${temporary} include ${work}/site.conf; }\n`,
	);
	const words = ["-p", work, "-e", "stderr", "-c", join(work, "nginx.conf")];
	const tried = spawnSync(nginx, ["-t", ...words], { encoding: "utf8" });
	assert.equal(tried.status, 0, tried.stderr);
	assert.doesNotMatch(tried.stderr, /warn/);
	const child = start(nginx, words, { stdio: ["ignore", "ignore", "inherit"] });
	await awaitPort(port, child);
	await check(port);
	const moved = await ask({ port: plain, path: "/data/f?x=1", host: SITE });
	assert.equal(moved.status, 301);
	assert.equal(moved.headers.location, `https://${SITE}/data/f?x=1`);
});

test("Caddy accepts its file, and protects the server as it says", async (context) => {
	const caddy = find("caddy");
	if (!caddy) return context.skip("Caddy is not installed");
	const port = await freePort();
	const hash = run(caddy, "hash-password", "--plaintext", PASSWORD).trim();
	let site = text("Caddyfile");
	for (const [from, to] of [
		[
			`\n${SITE} {`,
			`\n{\n\tadmin off\n\tauto_https disable_redirects\n}\n
https://${SITE}:${port} {
	bind 127.0.0.1
	tls ${work}/cert.pem ${work}/key.pem`,
		],
		["ann HASH", `ann ${hash}`],
		["127.0.0.1:8000 {", `127.0.0.1:${await serve("--host", SITE)} {`],
	]) {
		site = replace(site, from, to);
	}
	writeFileSync(join(work, "Caddyfile"), site);
	const env = {
		...process.env,
		XDG_DATA_HOME: work,
		XDG_CONFIG_HOME: work,
		HOME: work,
	};
	const words = ["--adapter", "caddyfile", "--config", join(work, "Caddyfile")];
	const tried = spawnSync(caddy, ["validate", ...words], { env, encoding: "utf8" });
	assert.equal(tried.status, 0, tried.stderr);
	const child = start(caddy, ["run", ...words], { env, stdio: "ignore" });
	await awaitPort(port, child);
	await check(port);
});
