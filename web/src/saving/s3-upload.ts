import { BevError } from "../base/errors.js";
import type { Answer, S3Client } from "./s3-client.js";

/** Default of `S3Options.partSize`. */
export const PART_SIZE = 2 ** 23;

export type Bytes = Uint8Array<ArrayBuffer>;

/** Headers of a request. */
export type Headers = Readonly<Record<string, string>>;

/** Escapes text for XML. */
function escaped(text: string): string {
	return text.replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

const ENTITIES: Headers = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Returns the text of an XML document's element; undefined if it has none. */
function elementOf(xml: string, name: string): string | undefined {
	const text = new RegExp(`<${name}>([^<]{1,2000})</${name}>`).exec(xml)?.[1];
	return text?.replace(/&([a-z]+);/g, (whole, entity) => ENTITIES[entity] ?? whole);
}

/** An object that is uploaded in parts, which readers see when it is complete. */
export class S3Upload {
	readonly #client: S3Client;
	readonly #key: string;
	readonly #uploadId: string;
	readonly #tags: string[] = [];

	private constructor(client: S3Client, key: string, uploadId: string) {
		this.#client = client;
		this.#key = key;
		this.#uploadId = uploadId;
	}

	/** Begins an upload. */
	static async begin(
		client: S3Client,
		key: string,
		signal: AbortSignal | undefined,
	): Promise<S3Upload> {
		const query = { uploads: "" };
		const begun = await client.send({ method: "POST", key, query, signal });
		const uploadId = elementOf(begun.text(), "UploadId");
		if (begun.status >= 300 || !uploadId) throw client.failure(key, begun);
		return new S3Upload(client, key, uploadId);
	}

	/** Uploads the next part. All but the last have the same length. */
	async put(body: Bytes, signal: AbortSignal | undefined): Promise<void> {
		const [client, key] = [this.#client, this.#key];
		const query = {
			partNumber: String(this.#tags.length + 1),
			uploadId: this.#uploadId,
		};
		const answer = await client.send({ method: "PUT", key, query, body, signal });
		if (answer.status >= 300) throw client.failure(key, answer);
		if (!answer.etag) {
			throw new BevError(
				"unsupported",
				`${client.name}: ${key}: no ETag in the answer (expose it with CORS: ExposeHeaders)`,
				{ key },
			);
		}
		this.#tags.push(answer.etag);
	}

	/** Publishes the object. Returns the answer, which may be a refusal. */
	complete(headers: Headers, signal: AbortSignal | undefined): Promise<Answer> {
		const list = this.#tags.map(
			(tag, i) =>
				`<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
		);
		const body = new TextEncoder().encode(
			`<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`,
		);
		const [key, query] = [this.#key, { uploadId: this.#uploadId }];
		return this.#client.send({ method: "POST", key, query, headers, body, signal });
	}

	/** Removes the parts, which cost storage; failures are ignored. */
	async cancel(): Promise<void> {
		const [key, query] = [this.#key, { uploadId: this.#uploadId }];
		await this.#client.send({ method: "DELETE", key, query }).catch(() => {});
	}
}
