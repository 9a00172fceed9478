import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { deflateRawSync, deflateSync, constants as flush, gzipSync } from "node:zlib";
import { tinyDataset } from "./tiny-dataset.js";
import { zipOf } from "./zip.js";

/**
 * Size of the array `index`: each element is its own position, so that all bytes tell
 * which chunk they belong to.
 */
export const INDEX = { chunks: 24, elements: 2048 } as const;

const CHUNK_BYTES = 2 * INDEX.elements;

/** The agents of the data set. */
export const AGENTS = 24;

function indexArray(): [key: string, bytes: Uint8Array][] {
	const { chunks, elements } = INDEX;
	const metadata = {
		zarr_format: 2,
		shape: [chunks * elements],
		chunks: [elements],
		dtype: "<u2",
		compressor: null,
		filters: null,
		fill_value: 0,
		order: "C",
	};
	const parts = Array.from({ length: chunks }, (_, chunk): [string, Uint8Array] => {
		const begin = chunk * elements;
		const values = Uint16Array.from({ length: elements }, (_, i) => begin + i);
		return [`index/${chunk}`, new Uint8Array(values.buffer)];
	});
	return [["index/.zarray", Buffer.from(JSON.stringify(metadata))], ...parts];
}

/** Where faults happen: at chunks, at all objects of a store, or in an archive. */
export const PLACES = ["chunks", "all", "zip"] as const;
export type Place = (typeof PLACES)[number];

const isDocument = (path: string) => /\/\.z\w+$/.test(path);

/** The store's objects by path, in each place. */
const OBJECTS: ReadonlyMap<string, Buffer> = (() => {
	const store = [
		...tinyDataset({ scenes: 1, framesPerScene: AGENTS / 3 }),
		...indexArray(),
	];
	const all = store.flatMap(([key, bytes]) => [
		[`/chunks/a.zarr/${key}`, Buffer.from(bytes)] as const,
		[`/all/a.zarr/${key}`, Buffer.from(bytes)] as const,
	]);
	return new Map([...all, ["/zip/a.zip", Buffer.from(zipOf(store))]]);
})();

/** Returns the path of the store in a place. */
export function storeIn(place: Place): string {
	return place === "zip" ? "/zip/a.zip" : `/${place}/a.zarr`;
}

type Headers = Readonly<Record<string, string | number>>;

function head(status: number, headers: Headers): Buffer {
	const all = {
		"Access-Control-Allow-Origin": "*",
		"Access-Control-Expose-Headers": "Content-Range, Content-Encoding",
		"Cache-Control": "no-store",
		...headers,
	};
	const lines = Object.entries(all).map(([name, text]) => `${name}: ${text}\r\n`);
	return Buffer.from(`HTTP/1.1 ${status} Any\r\n${lines.join("")}\r\n`);
}

/** A connection of a hostile server, with the current request. */
export class Link {
	method = "";
	path = "";
	query = "";
	/** The requested range; its end is exclusive. */
	range: readonly [begin: number, end: number] | undefined;
	/** Number of requests on this connection. */
	count = 0;
	/** The right answer to the previous request, for faults that delay answers. */
	before: Buffer | undefined;
	readonly #socket: Socket;

	constructor(
		socket: Socket,
		readonly server: HostileServer,
	) {
		this.#socket = socket;
	}

	parse(text: string): void {
		const [method = "", target = ""] = text.split(" ");
		[this.path = "", this.query = ""] = target.split("?");
		this.method = method;
		this.count += 1;
		const range = /\r\nrange: bytes=(\d+)-(\d+)/i.exec(text);
		this.range = range ? [Number(range[1]), Number(range[2]) + 1] : undefined;
	}

	/** The requested object. */
	get body(): Buffer {
		return OBJECTS.get(this.path) ?? Buffer.alloc(0);
	}

	/** The right answer with its whole body, also to HEAD. */
	get full(): Buffer {
		const { body, range } = this;
		if (!range) {
			return Buffer.concat([head(200, { "Content-Length": body.length }), body]);
		}
		const part = body.subarray(...range);
		const last = range[0] + part.length - 1;
		const said = `bytes ${range[0]}-${last}/${body.length}`;
		const headers = { "Content-Length": part.length, "Content-Range": said };
		return Buffer.concat([head(206, headers), part]);
	}

	/** The right answer. */
	get right(): Buffer {
		if (this.method === "HEAD")
			return head(200, { "Content-Length": this.body.length });
		return this.full;
	}

	/** Sends an answer of status 200; to HEAD only its head. */
	async answer(body: Buffer, headers: Headers = {}): Promise<void> {
		const said = head(200, { "Content-Length": body.length, ...headers });
		await this.send(said, ...(this.method === "HEAD" ? [] : [body]));
	}

	async send(...parts: readonly Buffer[]): Promise<void> {
		for (const part of parts) {
			if (this.#socket.destroyed) throw new Error("disconnected");
			if (!this.#socket.write(part)) await this.#drained();
		}
	}

	/** Sends `part` again and again until the client disconnects. */
	async sendForEver(part: Buffer): Promise<void> {
		for (;;) await this.send(part);
	}

	#drained(): Promise<void> {
		const socket = this.#socket;
		return new Promise((resolve) => {
			const done = (): void => {
				socket.off("drain", done).off("close", done);
				resolve();
			};
			socket.on("drain", done).on("close", done);
		});
	}

	/** Closes the connection after what was sent. */
	drop(): void {
		this.#socket.destroySoon();
	}
}

/** Answers a request as it likes. */
export type Fault = (link: Link) => void | Promise<void>;
export type Faults = Readonly<Record<string, Fault>>;

const LATER_MS = 2;
const later = () => new Promise((done) => setTimeout(done, LATER_MS));

/** Sends something, then closes the connection. */
const dropping =
	(of: (link: Link) => Buffer | string): Fault =>
	async (link) => {
		await link.send(Buffer.from(of(link)));
		link.drop();
	};

const replaced = (bytes: Buffer, from: RegExp, to: string) =>
	Buffer.from(bytes.toString("latin1").replace(from, to), "latin1");

const SURPLUS = Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong");
const SURPLUS_CHUNK = Buffer.from(
	`HTTP/1.1 200 OK\r\nContent-Length: ${CHUNK_BYTES}\r\n\r\n${"w".repeat(CHUNK_BYTES)}`,
);

function chunked(link: Link, end = "0\r\n\r\n"): Buffer {
	const parts: Buffer[] = [head(200, { "Transfer-Encoding": "chunked" })];
	if (link.method === "HEAD") return Buffer.concat(parts);
	for (let at = 0; at < link.body.length; at += 1024) {
		const part = link.body.subarray(at, at + 1024);
		parts.push(
			Buffer.from(`${part.length.toString(16)}\r\n`),
			part,
			Buffer.from("\r\n"),
		);
	}
	return Buffer.concat([...parts, Buffer.from(end)]);
}

const moved = (link: Link, to: string) =>
	link.send(head(302, { "Content-Length": 0, Location: to }));

/** A piece of a body that decodes to a MiB of zeros, and may be repeated. */
const ZEROS = deflateRawSync(Buffer.alloc(2 ** 20), {
	finishFlush: flush.Z_FULL_FLUSH,
});
const GZIP = { "Content-Encoding": "gzip" };
const GZIP_HEAD = Buffer.from("1f8b0800000000000003", "hex");
const BOMB = Buffer.concat([GZIP_HEAD, ...Array<Buffer>(512).fill(ZEROS)]);

/** Answers that nobody has asked for, on a connection that stays open. */
export const UNASKED: Faults = {
	twice: (link) => link.send(Buffer.concat([link.right, link.right])),
	twice_later: async (link) => {
		await link.send(link.right);
		await later();
		await link.send(link.right);
	},
	/** The answer before is repeated when the next request is there. */
	before_each: (link) => {
		const { before = Buffer.alloc(0), right } = link;
		link.before = right;
		return link.send(Buffer.concat([before, right]));
	},
	/** Every answer comes one request late. */
	shifted: (link) => {
		const { before, right } = link;
		link.before = right;
		return link.send(before ?? right);
	},
	surplus: (link) => link.send(Buffer.concat([link.right, SURPLUS])),
	surplus_later: async (link) => {
		await link.send(link.right);
		await later();
		await link.send(SURPLUS_CHUNK);
	},
	chunked_surplus: (link) => link.send(Buffer.concat([chunked(link), SURPLUS])),
	head_with_body: (link) => link.send(link.full),
};

/** Answers that each client is expected to understand. */
export const HARMLESS: Faults = {
	right: (link) => link.send(link.right),
	chunked: (link) => link.send(chunked(link)),
	continued: (link) =>
		link.send(Buffer.from("HTTP/1.1 100 Continue\r\n\r\n".repeat(3)), link.right),
	zipped: (link) => link.answer(gzipSync(link.body), GZIP),
	deflated: (link) =>
		link.answer(deflateSync(link.body), { "Content-Encoding": "deflate" }),
	moved: (link) => (link.query ? link.send(link.right) : moved(link, "?moved")),
	hang_up_after_one: (link) => (link.count > 1 ? link.drop() : link.send(link.right)),
	throttled_at_first: (link) => {
		const known = link.server.isKnown(link);
		if (known) return link.send(link.right);
		return link.send(head(429, { "Content-Length": 0, "Retry-After": 0 }));
	},
};

/** Answers that end in an error, or that a client may understand. */
export const BROKEN: Faults = {
	cut: dropping((link) => link.right.subarray(0, -100)),
	cut_head: dropping((link) => link.right.subarray(0, 20)),
	chunked_cut: dropping((link) => chunked(link, "")),
	length_too_long: dropping((link) =>
		replaced(link.right, /(Content-Length: )\d+/, `$1${link.body.length + 3}`),
	),
	length_huge: dropping((link) =>
		replaced(link.right, /(Content-Length: )\d+/, `$1${2 ** 50}`),
	),
	length_negative: dropping((link) =>
		replaced(link.right, /(Content-Length: )\d+/, "$1-5"),
	),
	two_lengths: dropping((link) =>
		replaced(link.right, /(Content-Length: )/, "Content-Length: 9\r\n$1"),
	),
	shorter: (link) => link.answer(link.body.subarray(0, -96)),
	longer: (link) => link.answer(Buffer.concat([link.body, Buffer.alloc(96)])),
	empty: (link) => link.send(head(200, { "Content-Length": 0 })),
	range_unasked: (link) => {
		const { body } = link;
		const said = `bytes 0-${body.length - 1}/${body.length}`;
		const headers = { "Content-Length": body.length, "Content-Range": said };
		const part = link.method === "HEAD" ? Buffer.alloc(0) : body;
		return link.send(head(206, headers), part);
	},
	no_status_line: dropping(() => "wrong\r\n\r\n"),
	many_headers: dropping((link) => {
		const more = Array.from({ length: 5000 }, (_, i) => [`x-${i}`, "y"]);
		return Buffer.concat([head(200, Object.fromEntries(more)), link.body]);
	}),
	long_header: dropping(() => head(200, { x: "y".repeat(200_000) })),
	hang_up: (link) => link.drop(),
	zipped_cut: (link) => link.answer(gzipSync(link.body).subarray(0, -9), GZIP),
	/** Two members, and padding. */
	zipped_in_parts: (link) => {
		const [first, second] = [link.body.subarray(0, 99), link.body.subarray(99)];
		const parts = [gzipSync(first), gzipSync(second), Buffer.alloc(9)];
		return link.answer(Buffer.concat(parts), GZIP);
	},
	not_zipped: (link) => link.answer(link.body, GZIP),
	moved_for_ever: (link) => moved(link, `?${Number(link.query) + 1}`),
	moved_to_a_file: (link) => moved(link, "file:///etc/hostname"),
	moved_with_password: (link) =>
		moved(link, link.server.origin.replace("//", "//u:p@") + link.path),
	throttled: (link) =>
		link.send(head(429, { "Content-Length": 0, "Retry-After": 3600 })),
};

/** Bodies that would fill the memory. HEAD announces them. */
export const BOMBS: Faults = {
	bomb: (link) => link.answer(BOMB, GZIP),
	bomb_without_end: async (link) => {
		await link.send(head(200, GZIP), GZIP_HEAD);
		await link.sendForEver(ZEROS);
	},
	without_end: async (link) => {
		await link.send(head(200, {}));
		await link.sendForEver(Buffer.alloc(2 ** 20));
	},
};

/** A server on 127.0.0.1 that answers the requests of existing objects by a fault. */
export class HostileServer {
	requests = 0;
	connections = 0;
	readonly #fault: Fault;
	readonly #known = new Set<string>();
	readonly #sockets = new Set<Socket>();
	readonly #server = createServer((socket) => {
		this.connections += 1;
		this.#sockets.add(socket);
		socket.on("close", () => this.#sockets.delete(socket));
		socket.on("error", () => {}); // the client has closed it
		this.#serve(socket).catch(() => socket.destroy());
	});

	private constructor(fault: Fault) {
		this.#fault = fault;
	}

	/** Starts on a free port. */
	static async start(fault: Fault): Promise<HostileServer> {
		const server = new HostileServer(fault);
		server.#server.listen(0, "127.0.0.1");
		await once(server.#server, "listening");
		return server;
	}

	get origin(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	/** Returns whether the object was requested before. */
	isKnown({ path }: Link): boolean {
		const known = this.#known.has(path);
		this.#known.add(path);
		return known;
	}

	async close(): Promise<void> {
		for (const socket of this.#sockets) socket.destroy();
		await new Promise((closed) => this.#server.close(closed));
	}

	async #serve(socket: Socket): Promise<void> {
		const link = new Link(socket, this);
		let heard = "";
		for await (const data of socket) {
			heard += (data as Buffer).toString("latin1");
			for (let end = heard.indexOf("\r\n\r\n"); end >= 0; ) {
				link.parse(heard.slice(0, end));
				heard = heard.slice(end + 4);
				end = heard.indexOf("\r\n\r\n");
				this.requests += 1;
				await this.#answer(link);
			}
		}
	}

	async #answer(link: Link): Promise<void> {
		const isKnown = OBJECTS.has(link.path);
		const isSpared = link.path.startsWith("/chunks/") && isDocument(link.path);
		if (isKnown && !isSpared) return this.#fault(link);
		link.before = undefined; // answers stay in order
		return link.send(isKnown ? link.right : head(404, { "Content-Length": 0 }));
	}
}
