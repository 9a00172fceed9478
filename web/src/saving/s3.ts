import type { AbortOptions } from "../api.js";
import { BevError } from "../errors.js";
import { type Destination, existsAlready } from "./destination.js";
import { type Answer, S3Client, type S3Options } from "./s3-client.js";

export type { S3Options, SignedRequest, SignRequest } from "./s3-client.js";

const PART_SIZE = 2 ** 23;

const CREATE = { "If-None-Match": "*" };

type Bytes = Uint8Array<ArrayBuffer>;

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
	return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Escapes text for XML. */
function escaped(text: string): string {
	return text.replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

const ENTITIES: Readonly<Record<string, string>> = {
	amp: "&",
	lt: "<",
	gt: ">",
	quot: '"',
	apos: "'",
};

/** Returns the text of an XML document's element; undefined if it has none. */
function elementOf(xml: string, name: string): string | undefined {
	const text = new RegExp(`<${name}>([^<]{1,2000})</${name}>`).exec(xml)?.[1];
	return text?.replace(/&([a-z]+);/g, (whole, entity) => ENTITIES[entity] ?? whole);
}

/** Creates objects that are never overwritten with other bytes. */
class S3Writer {
	readonly #client: S3Client;
	readonly #partSize: number;
	/** False once the service has refused conditional writes. */
	#conditional = true;

	constructor(client: S3Client, partSize: number) {
		this.#client = client;
		this.#partSize = partSize;
	}

	async put(key: string, bytes: Bytes, signal: AbortSignal | undefined): Promise<void> {
		const isLarge = bytes.length > this.#partSize;
		for (;;) {
			const conditional = this.#conditional;
			const headers = conditional ? CREATE : {};
			const answer = isLarge
				? await this.#upload(key, bytes, headers, signal)
				: await this.#client.send({ method: "PUT", key, headers, body: bytes, signal });
			if (answer.status < 300) return;
			if (answer.status === 501 && conditional) {
				this.#conditional = false;
				continue;
			}
			// Written by an earlier attempt whose answer was lost, or by somebody else
			if (answer.status === 412) return this.#compare(key, bytes, signal);
			throw this.#client.failure(key, answer);
		}
	}

	async #compare(
		key: string,
		bytes: Bytes,
		signal: AbortSignal | undefined,
	): Promise<void> {
		const found = await this.#client.send({ method: "GET", key, signal });
		if (found.status === 200 && sameBytes(found.body, bytes)) return;
		if (found.status !== 200) throw this.#client.failure(key, found);
		throw new BevError(
			"changed",
			`${this.#client.name}: ${key}: has other bytes (written by another process, or by an earlier saver; use a new key)`,
			{ key },
		);
	}

	/** Uploads an object in parts. Returns the answer to the request that completes it. */
	async #upload(
		key: string,
		bytes: Bytes,
		headers: Readonly<Record<string, string>>,
		signal: AbortSignal | undefined,
	): Promise<Answer> {
		const client = this.#client;
		const begun = await client.send({
			method: "POST",
			key,
			query: { uploads: "" },
			signal,
		});
		const uploadId = elementOf(begun.text(), "UploadId");
		if (begun.status >= 300 || !uploadId) throw client.failure(key, begun);
		try {
			const tags = await this.#parts(key, bytes, uploadId, signal);
			const list = tags.map(
				(tag, i) =>
					`<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
			);
			const body = new TextEncoder().encode(
				`<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`,
			);
			const query = { uploadId };
			const done = await client.send({
				method: "POST",
				key,
				query,
				headers,
				body,
				signal,
			});
			// The answer to an earlier attempt was lost: the upload is complete
			if (done.status === 404) {
				await this.#compare(key, bytes, signal);
				return { ...done, status: 200 };
			}
			if (done.status >= 300) await this.#cancel(key, uploadId);
			return done;
		} catch (error) {
			await this.#cancel(key, uploadId);
			throw error;
		}
	}

	async #parts(
		key: string,
		bytes: Bytes,
		uploadId: string,
		signal: AbortSignal | undefined,
	): Promise<string[]> {
		const tags: string[] = [];
		for (let at = 0; at < bytes.length; at += this.#partSize) {
			const query = { partNumber: String(tags.length + 1), uploadId };
			const body = bytes.subarray(at, at + this.#partSize);
			const answer = await this.#client.send({
				method: "PUT",
				key,
				query,
				body,
				signal,
			});
			if (answer.status >= 300) throw this.#client.failure(key, answer);
			if (!answer.etag) {
				throw new BevError(
					"unsupported",
					`${this.#client.name}: ${key}: no ETag in the answer (expose it with CORS: ExposeHeaders)`,
					{ key },
				);
			}
			tags.push(answer.etag);
		}
		return tags;
	}

	/** Removes the parts of an upload, which cost storage; failures are ignored. */
	async #cancel(key: string, uploadId: string): Promise<void> {
		await this.#client
			.send({ method: "DELETE", key, query: { uploadId } })
			.catch(() => {});
	}
}

/**
 * A data set below a prefix of Amazon S3 or a compatible service. Requests are signed by
 * `options.sign`, in the page or by a server that returns presigned URLs; keys passed to it
 * are relative to the prefix.
 *
 * Objects are created by conditional requests (`If-None-Match`), in parts above `partSize`.
 * Server errors and cut connections are retried; an object whose answer was lost is
 * compared. Readers see the data set once `.zgroup` is written, after all chunks. A failed
 * commit can be repeated: equal objects are kept.
 */
export function toS3(options: S3Options): Destination {
	const client = new S3Client(options);
	const writer = new S3Writer(client, options.partSize ?? PART_SIZE);
	return {
		name: client.name,
		concurrency: 6,
		async begin({ signal }: AbortOptions = {}) {
			const key = ".zmetadata"; // written last
			const found = await client.send({ method: "GET", key, signal });
			if (found.status === 200) throw existsAlready(client.name);
			if (found.status !== 404) throw client.failure(key, found);
		},
		put: (key, bytes, { signal } = {}) => writer.put(key, bytes, signal),
		async publish() {},
	};
}
