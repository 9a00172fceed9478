// A server of files that counts what it sends, as hosts of static sites serve: with ranges and
// compressed text, or as `python3 -m http.server` does, with neither. Both answer 304 to what
// the browser has.
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
	".css": "text/css",
	".html": "text/html",
	".js": "text/javascript",
	".json": "application/json",
	".mjs": "text/javascript",
	".svg": "image/svg+xml",
	".wasm": "application/wasm",
};

/** Returns what a path is part of. */
function partOf(path) {
	if (/^\/viewer-|\.(html|css|js)$|\/$/.test(path)) return "page";
	if (path.endsWith("facts.zip")) return "facts";
	if (path.includes("semantic_map")) return "map";
	return /\/\d[\d.]*$|\/c\//.test(path) ? "chunks" : "documents";
}

/** Serves a folder from this machine. `marks` has what was sent before each path `/mark/NAME`. */
export async function serve(folder, { whole = false } = {}) {
	const zipped = new Map();
	const sent = {};
	const marks = {};
	const count = (path, bytes) => {
		for (const part of [partOf(path), "all"]) {
			sent[part] ??= { requests: 0, bytes: 0 };
			sent[part].requests += 1;
			sent[part].bytes += bytes;
		}
	};
	const zip = (file) => {
		if (!zipped.has(file)) zipped.set(file, gzipSync(readFileSync(file)));
		return zipped.get(file);
	};
	const server = createServer((request, response) => {
		const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
		if (path.startsWith("/mark/")) {
			marks[path.slice(6)] = structuredClone(sent);
			response.writeHead(204).end();
			return;
		}
		const file = join(
			folder,
			normalize(path.endsWith("/") ? `${path}index.html` : path),
		);
		const size = statSync(file, { throwIfNoEntry: false });
		if (!size?.isFile()) {
			count(path, 0);
			response.writeHead(404).end();
			return;
		}
		const type = TYPES[extname(file)];
		const headers = {
			"content-type": type ?? "application/octet-stream",
			"last-modified": size.mtime.toUTCString(),
		};
		if (!whole) headers["accept-ranges"] = "bytes";
		const seen = request.headers["if-modified-since"];
		if (seen === headers["last-modified"] && !request.headers.range) {
			count(path, 0);
			response.writeHead(304, headers).end();
			return;
		}
		if (request.method === "HEAD") {
			count(path, 0);
			response.writeHead(200, { ...headers, "content-length": size.size }).end();
			return;
		}
		if (type && !whole) {
			const body = zip(file);
			count(path, body.length);
			response.writeHead(200, { ...headers, "content-encoding": "gzip" }).end(body);
			return;
		}
		const range = whole
			? null
			: /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "");
		let [begin, end] = [0, size.size];
		if (range?.[1]) {
			begin = Number(range[1]);
			if (range[2]) end = Math.min(end, Number(range[2]) + 1);
		} else if (range) begin = Math.max(0, end - Number(range[2]));
		if (begin >= end && size.size > 0) {
			count(path, 0);
			response.writeHead(416, { "content-range": `bytes */${size.size}` }).end();
			return;
		}
		count(path, end - begin);
		headers["content-length"] = end - begin;
		if (range) headers["content-range"] = `bytes ${begin}-${end - 1}/${size.size}`;
		response.writeHead(range ? 206 : 200, headers);
		if (begin === end) response.end();
		else createReadStream(file, { start: begin, end: end - 1 }).pipe(response);
	});
	await new Promise((done) => server.listen(0, "127.0.0.1", done));
	return {
		origin: `http://127.0.0.1:${server.address().port}`,
		sent,
		marks,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
