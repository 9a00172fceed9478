import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

/** Served content: folders and objects in memory, by URL path. */
export interface Served {
	readonly folders?: Readonly<Record<string, string>>;
	readonly objects?: ReadonlyMap<string, Uint8Array | string>;
}

/** A failure of one response. */
export interface Failure {
	readonly status?: number;
	readonly body?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly delayMs?: number;
	/** Closes the connection after this many bytes of the body. */
	readonly cutAfter?: number;
	/** Sends only this many bytes, with matching length: a truncated object. */
	readonly truncateTo?: number;
	/** Answers a range request with 200 and the whole object. */
	readonly ignoreRange?: boolean;
	/** Sends no CORS headers. */
	readonly hideFromOthers?: boolean;
	/** Answers with 302 and the URL that this function returns for the path. */
	readonly redirect?: (path: string) => string;
	/** Fails only requests of this method. */
	readonly method?: string;
	/** Sends this many bytes of the body, then stalls until the client disconnects. */
	readonly stallAfter?: number;
	/** Closes the connection instead of answering. */
	readonly reset?: boolean;
	/** Sends the body at this rate. */
	readonly bytesPerSecond?: number;
}

/** A failure of requests whose path matches `match`. */
export interface Fault extends Failure {
	readonly match: RegExp;
	/** Number of failures; unlimited if not given. */
	times?: number;
}

export interface Logged {
	readonly method: string;
	readonly path: string;
	readonly range: string | undefined;
	/** Time of the request, in milliseconds. */
	readonly begun: number;
	/** Time of the response; Infinity until then. */
	ended: number;
	status: number;
	/** Bytes of the body sent so far. */
	bytes: number;
	/** Whether the client disconnected before the end. */
	aborted: boolean;
}

/**
 * CORS headers: none; those that allow other origins to read bodies; those that also
 * expose Content-Range.
 */
export type Cors = "none" | "bodies" | "exposed";

const TYPES: Record<string, string> = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".json": "application/json",
	".wasm": "application/wasm",
};

/** A local static file server that injects failures and logs requests. */
export class FaultyServer {
	readonly log: Logged[] = [];
	cors: Cors = "exposed";
	/** Whether responses have ETags, and 304 is sent for a matching one. */
	etags = false;
	/** Last-Modified of responses, by path. */
	readonly dates = new Map<string, string>();
	/** Content-Security-Policy of every page. */
	csp: string | undefined;
	/** Chooses a failure for a request that no fault matches. */
	chaos: ((request: Logged) => Failure | undefined) | undefined;
	readonly #served: Served;
	readonly #faults: Fault[] = [];
	readonly #replaced = new Map<string, Uint8Array | string>();
	readonly #server = createServer((request, response) => {
		this.#answer(request, response).catch((error) => response.destroy(error as Error));
	});

	private constructor(served: Served) {
		this.#served = served;
	}

	/** Starts on a free port of 127.0.0.1. */
	static async start(served: Served): Promise<FaultyServer> {
		const server = new FaultyServer(served);
		await new Promise<void>((resolve) => {
			server.#server.listen(0, "127.0.0.1", resolve);
		});
		return server;
	}

	get origin(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	fault(fault: Fault): void {
		this.#faults.push(fault);
	}

	/** Replaces an object. */
	put(path: string, bytes: Uint8Array | string): void {
		this.#replaced.set(path, bytes);
	}

	/** Resets faults, log and replaced objects. */
	reset(): void {
		this.#faults.length = 0;
		this.log.length = 0;
		this.#replaced.clear();
		this.etags = false;
		this.dates.clear();
		this.cors = "exposed";
		this.csp = undefined;
		this.chaos = undefined;
	}

	/** Returns the requested paths below `prefix`, in order, without the prefix. */
	asked(prefix: string): string[] {
		const below = this.log.filter(({ path }) => path.startsWith(prefix));
		return below.map(({ path }) => path.slice(prefix.length));
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { pathname } = new URL(request.url ?? "/", "http://localhost");
		const path = decodeURIComponent(pathname);
		const { method = "GET", headers } = request;
		const entry: Logged = {
			method,
			path,
			range: headers.range,
			begun: performance.now(),
			ended: Number.POSITIVE_INFINITY,
			status: 0,
			bytes: 0,
			aborted: false,
		};
		const fault = this.#faultFor(entry);
		if (!fault?.hideFromOthers) this.#allowOthers(response);
		if (method === "OPTIONS") return void response.writeHead(204).end();
		this.log.push(entry);
		response.on("close", () => {
			entry.aborted = !response.writableFinished;
		});
		if (fault?.reset) return void request.socket.destroy();
		if (fault?.redirect) {
			entry.status = 302;
			return void response.writeHead(302, { Location: fault.redirect(path) }).end();
		}
		if (fault?.delayMs) {
			// An abandoned delay must not keep the process alive.
			await new Promise((done) => setTimeout(done, fault.delayMs).unref());
		}
		await this.#send(entry, fault, response, headers["if-none-match"]);
	}

	async #send(
		entry: Logged,
		fault: Failure | undefined,
		response: ServerResponse,
		known: string | undefined,
	): Promise<void> {
		const found = fault?.status ? undefined : await this.#find(entry.path);
		const status = fault?.status ?? (found ? 200 : 404);
		const body = found ?? Buffer.from(fault?.body ?? `status ${status}`);
		const type = TYPES[extname(entry.path)] ?? "application/octet-stream";
		response.setHeader("Content-Type", found ? type : "text/plain");
		response.setHeader("Cache-Control", "no-store");
		if (this.csp && type.startsWith("text/html")) {
			response.setHeader("Content-Security-Policy", this.csp);
		}
		const date = this.dates.get(entry.path);
		if (date) response.setHeader("Last-Modified", date);
		const etag = found && this.etags && etagOf(found);
		if (etag) response.setHeader("ETag", etag);
		if (etag && etag === known) {
			entry.status = 304;
			return void response.writeHead(304).end();
		}
		const part = found && !fault?.ignoreRange ? partOf(body, entry.range) : undefined;
		if (part) response.setHeader("Content-Range", part.contentRange);
		for (const [name, value] of Object.entries(fault?.headers ?? {})) {
			response.setHeader(name, value);
		}
		entry.status = part ? 206 : status;
		this.#finish(entry, fault, part?.body ?? body, response);
	}

	#finish(
		entry: Logged,
		fault: Failure | undefined,
		whole: Buffer,
		response: ServerResponse,
	): void {
		const body = whole.subarray(0, fault?.truncateTo);
		entry.ended = performance.now();
		response.writeHead(entry.status, { "Content-Length": body.length });
		const { cutAfter, stallAfter } = fault ?? {};
		const end = cutAfter ?? stallAfter;
		const sent = body.subarray(0, entry.method === "HEAD" ? 0 : end);
		entry.bytes = sent.length;
		if (cutAfter !== undefined) response.write(sent, () => response.destroy());
		else if (stallAfter !== undefined && sent.length < body.length)
			response.write(sent);
		else if (fault?.bytesPerSecond) trickle(sent, fault.bytesPerSecond, response);
		else response.end(sent);
	}

	#allowOthers(response: ServerResponse): void {
		if (this.cors === "none") return;
		response.setHeader("Access-Control-Allow-Origin", "*");
		response.setHeader("Access-Control-Allow-Headers", "Range");
		if (this.cors === "exposed") {
			response.setHeader("Access-Control-Expose-Headers", "Content-Range, ETag");
		}
	}

	#faultFor(request: Logged): Failure | undefined {
		const fault = this.#faults.find(
			({ match, method, times = 1 }) =>
				times > 0 &&
				match.test(request.path) &&
				(method ?? request.method) === request.method,
		);
		if (fault?.times !== undefined) fault.times -= 1;
		return fault ?? this.chaos?.(request);
	}

	async #find(path: string): Promise<Buffer | undefined> {
		const object = this.#replaced.get(path) ?? this.#served.objects?.get(path);
		if (typeof object === "string") return Buffer.from(object);
		if (object) return Buffer.from(object.buffer, object.byteOffset, object.byteLength);
		for (const [prefix, folder] of Object.entries(this.#served.folders ?? {})) {
			if (!path.startsWith(prefix)) continue;
			const file = join(folder, normalize(`/${path.slice(prefix.length)}`));
			const known = await stat(file).catch(() => undefined);
			if (known?.isFile()) return readFile(file);
		}
		return undefined;
	}
}

/** Sends `body` in ten parts per second; ends early if the client disconnects. */
function trickle(body: Buffer, bytesPerSecond: number, response: ServerResponse): void {
	const size = Math.max(1, Math.ceil(bytesPerSecond / 10));
	let sent = 0;
	const timer = setInterval(() => {
		if (!response.destroyed && sent + size < body.length) {
			response.write(body.subarray(sent, sent + size));
			sent += size;
			return;
		}
		clearInterval(timer);
		response.end(body.subarray(sent));
	}, 100);
}

function etagOf(body: Buffer): string {
	return `"${createHash("sha1").update(body).digest("hex")}"`;
}

function partOf(
	whole: Buffer,
	range: string | undefined,
): { body: Buffer; contentRange: string } | undefined {
	const match = /^bytes=(\d+)-(\d+)$/.exec(range ?? "");
	if (!match) return undefined;
	const [begin, last] = [Number(match[1]), Number(match[2])];
	const body = whole.subarray(begin, last + 1);
	const contentRange = `bytes ${begin}-${begin + body.length - 1}/${whole.length}`;
	return { body, contentRange };
}
