import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the next request that matches fails. */
export interface S3Fault {
	readonly match: RegExp;
	/** Number of failures; default 1. */
	times?: number;
	/** Answers with this status and an error document. */
	readonly status?: number;
	readonly code?: string;
	/** Performs the request, then closes the connection instead of answering. */
	readonly loseAnswer?: boolean;
	/** Closes the connection without performing the request. */
	readonly reset?: boolean;
	/** Never answers. */
	readonly stall?: boolean;
	/** Answers 200 with an error document, as S3 does while it completes an upload. */
	readonly errorInBody?: boolean;
}

/** The signature that every request must carry; must not appear in messages. */
export const SECRET = "PlantedSignature0123";

/** As a bucket allows pages of other origins to write. */
const CORS: Readonly<Record<string, string>> = {
	"Access-Control-Allow-Origin": "*",
	"Access-Control-Allow-Methods": "GET, PUT, POST, DELETE",
	"Access-Control-Allow-Headers": "If-None-Match, If-Match, Range",
	"Access-Control-Expose-Headers": "ETag, Content-Range",
};

/** S3's requests that a saver sends, in memory, with faults. */
export class FakeS3 {
	readonly objects = new Map<string, Uint8Array<ArrayBuffer>>();
	readonly uploads = new Map<string, Map<number, Uint8Array<ArrayBuffer>>>();
	/** Method, path and query of every request. */
	readonly log: string[] = [];
	/** Whether conditional writes are implemented. */
	conditional = true;
	readonly #faults: S3Fault[] = [];
	readonly #server = createServer((request, response) => {
		void this.#answer(request, response);
	});
	#uploadCount = 0;

	static async start(): Promise<FakeS3> {
		const s3 = new FakeS3();
		await new Promise<void>((resolve) => s3.#server.listen(0, "127.0.0.1", resolve));
		return s3;
	}

	get origin(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	fault(fault: S3Fault): void {
		this.#faults.push({ times: 1, ...fault });
	}

	/** Ends all failures. */
	clearFaults(): void {
		this.#faults.length = 0;
	}

	/** Signs as a server that returns presigned URLs. */
	sign = ({
		key,
		query,
	}: {
		key: string;
		query: Readonly<Record<string, string>>;
	}): { url: string } => {
		const search = new URLSearchParams({ ...query, "X-Amz-Signature": SECRET });
		return { url: `${this.origin}/bucket/d.zarr/${key}?${search}` };
	};

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	#take(line: string): S3Fault | undefined {
		const found = this.#faults.find(
			({ match, times = 1 }) => times > 0 && match.test(line),
		);
		if (found) found.times = (found.times ?? 1) - 1;
		return found;
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
		if (request.method === "OPTIONS") return void response.writeHead(204).end();
		const url = new URL(request.url ?? "", this.origin);
		const pieces: Buffer[] = [];
		for await (const piece of request) pieces.push(piece as Buffer);
		const isSigned = url.searchParams.get("X-Amz-Signature") === SECRET;
		url.searchParams.delete("X-Amz-Signature");
		const key = url.pathname.replace("/bucket/d.zarr/", "");
		const line = `${request.method} ${key}${url.search}`;
		this.log.push(line);
		const fault = this.#take(line);
		if (fault?.stall) return;
		if (fault?.reset) return void request.socket.destroy();
		if (fault?.status) return refuse(response, fault.status, fault.code ?? "Made");
		if (!isSigned) return refuse(response, 403, "AccessDenied");
		if (fault?.errorInBody)
			return void response.end("<Error><Code>Made</Code></Error>");
		const body = new Uint8Array(Buffer.concat(pieces));
		const [status, text, etag] = this.#perform(request, key, url.searchParams, body);
		if (fault?.loseAnswer) return void request.socket.destroy();
		if (status >= 300) return refuse(response, status, String(text));
		if (etag) response.setHeader("ETag", etag);
		if (status !== 206) return void response.writeHead(status).end(text);
		const [, first, last] =
			/^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
		const part = (text as Uint8Array).subarray(Number(first), Number(last) + 1);
		const end = Number(first) + part.length - 1;
		response.setHeader("Content-Range", `bytes ${first}-${end}/${text.length}`);
		response.writeHead(206).end(part);
	}

	#perform(
		request: IncomingMessage,
		key: string,
		query: URLSearchParams,
		body: Uint8Array<ArrayBuffer>,
	): [status: number, body: Uint8Array | string, etag?: string] {
		const { range, "if-match": known } = request.headers;
		const isConditional = request.headers["if-none-match"] === "*" || known;
		const uploadId = query.get("uploadId");
		const isWrite = request.method !== "GET";
		if (isWrite && isConditional && !this.conditional) return [501, "NotImplemented"];
		if (!isWrite) {
			const found = this.objects.get(key);
			if (!found) return [404, "NoSuchKey"];
			if (known && known !== etagOf(found)) return [412, "PreconditionFailed"];
			if (range && found.length === 0) return [416, "InvalidRange"];
			return [range ? 206 : 200, found, etagOf(found)];
		}
		if (request.method === "POST" && query.has("uploads")) {
			this.#uploadCount += 1;
			const id = `upload&${this.#uploadCount}`;
			this.uploads.set(id, new Map());
			return [200, `<UploadId>${id.replace("&", "&amp;")}</UploadId>`];
		}
		const parts = uploadId ? this.uploads.get(uploadId) : undefined;
		if (uploadId && !parts) return [404, "NoSuchUpload"];
		if (request.method === "DELETE" && uploadId) {
			this.uploads.delete(uploadId);
			return [204, ""];
		}
		if (request.method === "PUT" && parts) {
			const number = Number(query.get("partNumber"));
			parts.set(number, body);
			return [200, "", `"part&${number}"`];
		}
		if (request.method === "DELETE") {
			this.objects.delete(key);
			return [204, ""];
		}
		const there = this.objects.get(key);
		const isRefused = known ? !there || etagOf(there) !== known : there;
		if (isConditional && isRefused) return [412, "PreconditionFailed"];
		if (request.method === "PUT") {
			this.objects.set(key, body);
			return [200, "", etagOf(body)];
		}
		if (request.method !== "POST" || !parts || !uploadId) return [405, "NotAllowed"];
		const expected = [...parts.keys()].map(
			(number) =>
				`<Part><PartNumber>${number}</PartNumber><ETag>&#34;part&#38;${number}&#34;</ETag></Part>`,
		);
		const list = `<CompleteMultipartUpload>${expected.join("")}</CompleteMultipartUpload>`;
		if (new TextDecoder().decode(body) !== list) return [400, "MalformedXML"];
		this.objects.set(key, new Uint8Array(Buffer.concat([...parts.values()])));
		this.uploads.delete(uploadId);
		return [200, "<CompleteMultipartUploadResult/>"];
	}
}

function etagOf(bytes: Uint8Array): string {
	return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

function refuse(response: ServerResponse, status: number, code: string): void {
	response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
}
