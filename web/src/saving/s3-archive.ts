import { BevError } from "../base/errors.js";
import type { ReadOptions, Source } from "../source/source.js";
import { changedMeanwhile, type Destination, sameBytes } from "./destination.js";
import type { Answer, S3Client } from "./s3-client.js";
import { type Bytes, type Headers, S3Upload } from "./s3-upload.js";

/** What a write is conditional on: the object that is there, or its absence. */
function conditionOf(etag: string | undefined): Headers {
	return etag ? { "If-Match": etag } : { "If-None-Match": "*" };
}

function total(answer: Answer): number {
	const found = /\/(\d{1,15})$/.exec(answer.contentRange ?? "");
	return found ? Number(found[1]) : answer.body.length;
}

/** Reads ranges of an object as it was when it was found. */
class S3Object implements Source {
	readonly #client: S3Client;
	readonly #key: string;
	readonly #length: number;
	readonly etag: string;

	private constructor(client: S3Client, key: string, found: Answer) {
		this.#client = client;
		this.#key = key;
		this.#length = total(found);
		this.etag = found.etag ?? "";
	}

	/** Returns the object; undefined if it is absent. */
	static async find(
		client: S3Client,
		key: string,
		signal: AbortSignal | undefined,
	): Promise<S3Object | undefined> {
		const headers = { Range: "bytes=0-0" };
		const request = { method: "GET", key, signal } as const;
		let found = await client.send({ ...request, headers });
		// An empty object has no range
		if (found.status === 416) found = await client.send(request);
		if (found.status === 404) return undefined;
		if (found.status >= 300) throw client.failure(key, found);
		if (found.etag && (found.status !== 206 || found.contentRange)) {
			return new S3Object(client, key, found);
		}
		throw new BevError(
			"unsupported",
			`${client.name}: ${key}: no ETag or Content-Range in the answer (expose them with CORS: ExposeHeaders)`,
			{ key },
		);
	}

	async size(): Promise<number> {
		return this.#length;
	}

	async read(_: string, { range, signal }: ReadOptions = {}): Promise<Uint8Array> {
		const { begin, end } = range ?? { begin: 0, end: this.#length };
		const last = Math.min(end, this.#length) - 1;
		if (last < begin) return new Uint8Array();
		const headers = { Range: `bytes=${begin}-${last}`, "If-Match": this.etag };
		const [client, key] = [this.#client, this.#key];
		const answer = await client.send({ method: "GET", key, headers, signal });
		if (answer.status === 412) throw changedMeanwhile(`${client.name}: ${key}`);
		if (answer.status >= 300) throw client.failure(key, answer);
		const isWhole = answer.status === 200;
		return isWhole ? answer.body.subarray(begin, last + 1) : answer.body;
	}
}

/** An archive that is uploaded in parts of one size, or by one request if it is small. */
class ArchiveUpload {
	readonly #client: S3Client;
	readonly #key: string;
	readonly #condition: Headers;
	#rest: Bytes[] = [];
	#restBytes = 0;
	#sentBytes = 0;
	/** The archive's directory, which has the checksums of all members. */
	#last: Bytes = new Uint8Array();
	#upload: S3Upload | undefined;

	constructor(client: S3Client, key: string, etag: string | undefined) {
		this.#client = client;
		this.#key = key;
		this.#condition = conditionOf(etag);
	}

	async put(bytes: Bytes, partSize: number, signal: AbortSignal | undefined) {
		this.#last = bytes;
		this.#rest.push(bytes);
		this.#restBytes += bytes.length;
		if (this.#restBytes < partSize) return;
		const all = this.#takeRest();
		let at = 0;
		for (; all.length - at >= partSize; at += partSize) {
			this.#upload ??= await S3Upload.begin(this.#client, this.#key, signal);
			await this.#upload.put(all.subarray(at, at + partSize), signal);
			this.#sentBytes += partSize;
		}
		this.#rest = [all.slice(at)];
		this.#restBytes = all.length - at;
	}

	/** Replaces the object, if it is still the one that was found. */
	async publish(signal: AbortSignal | undefined): Promise<void> {
		const rest = this.#takeRest();
		if (this.#upload && rest.length > 0) await this.#upload.put(rest, signal);
		let answer = await this.#send(rest, this.#condition, signal);
		// The service has no conditional writes
		if (answer.status === 501) answer = await this.#send(rest, {}, signal);
		if (answer.status < 300) return;
		const isLost = answer.status === 412 || (this.#upload && answer.status === 404);
		if (!isLost) throw this.#client.failure(this.#key, answer);
		if (await this.#isWritten(this.#sentBytes + rest.length, signal)) return;
		throw new BevError(
			"changed",
			`${this.#client.name}: ${this.#key}: was written by another process`,
			{ key: this.#key },
		);
	}

	async cancel(): Promise<void> {
		await this.#upload?.cancel();
	}

	#send(
		body: Bytes,
		headers: Headers,
		signal: AbortSignal | undefined,
	): Promise<Answer> {
		if (this.#upload) return this.#upload.complete(headers, signal);
		const key = this.#key;
		return this.#client.send({ method: "PUT", key, headers, body, signal });
	}

	#takeRest(): Bytes {
		const out = new Uint8Array(this.#restBytes);
		let at = 0;
		for (const bytes of this.#rest) {
			out.set(bytes, at);
			at += bytes.length;
		}
		this.#rest = [];
		this.#restBytes = 0;
		return out;
	}

	/** Whether the object is what was uploaded: an earlier answer was lost. */
	async #isWritten(size: number, signal: AbortSignal | undefined): Promise<boolean> {
		const found = await S3Object.find(this.#client, this.#key, signal);
		if (!found || (await found.size()) !== size) return false;
		const range = { begin: size - this.#last.length, end: size };
		return sameBytes(await found.read("", { range, signal }), this.#last);
	}
}

/** A data set in one .zip, created or replaced by one conditional request. */
export function s3Archive(
	client: S3Client,
	key: string,
	partSize: number,
): Destination {
	let etag: string | undefined;
	let upload: ArchiveUpload | undefined;
	return {
		name: `${client.name}: ${key}`,
		archive: true,
		replaces: true,
		async existing({ signal } = {}) {
			const found = await S3Object.find(client, key, signal);
			etag = found?.etag;
			// An empty object is what remains of a creation that was interrupted
			return found && (await found.size()) > 0 ? found : undefined;
		},
		async begin() {
			upload = new ArchiveUpload(client, key, etag);
		},
		async put(_, bytes, { signal } = {}) {
			await upload?.put(bytes, partSize, signal);
		},
		async publish({ signal } = {}) {
			await upload?.publish(signal);
			upload = undefined;
		},
		async discard() {
			await upload?.cancel();
			upload = undefined;
		},
	};
}
