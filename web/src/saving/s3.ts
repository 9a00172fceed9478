import type { AbortOptions } from "../api.js";
import { BevError } from "../base/errors.js";
import { type Destination, sameBytes } from "./destination.js";
import { s3Archive } from "./s3-archive.js";
import { type Answer, S3Client, type S3Options } from "./s3-client.js";
import { type Bytes, type Headers, PART_SIZE, S3Upload } from "./s3-upload.js";

export type { S3Options, SignedRequest, SignRequest } from "./s3-client.js";

/** Creates objects that are never overwritten with other bytes. */
class S3Writer {
	readonly #client: S3Client;
	readonly #partSize: number;
	/** Empty once the service has refused conditional writes. */
	#condition: Headers = { "If-None-Match": "*" };

	constructor(client: S3Client, partSize: number) {
		this.#client = client;
		this.#partSize = partSize;
	}

	async put(key: string, bytes: Bytes, signal: AbortSignal | undefined): Promise<void> {
		const isLarge = bytes.length > this.#partSize;
		for (;;) {
			const headers = this.#condition;
			const answer = isLarge
				? await this.#upload(key, bytes, headers, signal)
				: await this.#client.send({ method: "PUT", key, headers, body: bytes, signal });
			if (answer.status < 300) return;
			if (answer.status === 501 && headers["If-None-Match"]) {
				this.#condition = {};
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
		headers: Headers,
		signal: AbortSignal | undefined,
	): Promise<Answer> {
		const upload = await S3Upload.begin(this.#client, key, signal);
		try {
			for (let at = 0; at < bytes.length; at += this.#partSize) {
				await upload.put(bytes.subarray(at, at + this.#partSize), signal);
			}
			const done = await upload.complete(headers, signal);
			// The answer to an earlier attempt was lost: the upload is complete
			if (done.status === 404) {
				await this.#compare(key, bytes, signal);
				return { ...done, status: 200 };
			}
			if (done.status >= 300) await upload.cancel();
			return done;
		} catch (error) {
			await upload.cancel();
			throw error;
		}
	}
}

/**
 * A data set below a prefix of Amazon S3 or a compatible service. Requests are signed by
 * `options.sign`, in the page or by a server that returns presigned URLs; keys passed to it
 * are relative to the prefix.
 *
 * Objects are created by conditional requests (`If-None-Match`), in parts above `partSize`.
 * Server errors and cut connections are retried; an object whose answer was lost is
 * compared. Readers see the data set once `.zgroup` (version 3: `zarr.json`) is written,
 * after all chunks. A failed commit can be repeated: equal objects are kept.
 *
 * With `options.zip`, the data set is one .zip, which can be replaced and appended to: by
 * one request, conditional on what was there before (`If-Match`). If another writer was
 * faster, the commit fails with code `changed`.
 */
export function toS3(options: S3Options): Destination {
	const client = new S3Client(options);
	const partSize = options.partSize ?? PART_SIZE;
	if (options.zip !== undefined) return s3Archive(client, options.zip, partSize);
	const writer = new S3Writer(client, partSize);
	return {
		name: client.name,
		concurrency: 6,
		async existing({ signal }: AbortOptions = {}) {
			const read = async (key: string, given: AbortOptions = {}) => {
				const found = await client.send({ method: "GET", key, signal: given.signal });
				if (found.status === 200) return found.body;
				if (found.status === 404) return undefined;
				throw client.failure(key, found);
			};
			// Written last
			const found =
				(await read(".zmetadata", { signal })) ?? (await read("zarr.json", { signal }));
			return found && { read };
		},
		async begin() {},
		put: (key, bytes, { signal } = {}) => writer.put(key, bytes, signal),
		async publish() {},
	};
}
