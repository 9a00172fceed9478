import { BevError } from "../base/errors.js";
import { pause } from "../source/retry.js";
import type { ArrayStore, StoredObject } from "./array-store.js";
import { type Answer, S3Client, type S3Options } from "./s3-client.js";
import type { Headers } from "./s3-upload.js";

/** Tag of an object that does not exist. */
const ABSENT = "absent";

/** Statuses with which the service refuses a conditional write that it has not done. */
const REFUSED = [409, 412, 429, 503];

const MAX_PAUSE = 50;

class S3Arrays implements ArrayStore {
	readonly name: string;
	readonly #client: S3Client;
	/** For writes that must not be repeated when their answer is lost. */
	readonly #once: S3Client;
	#checked = false;

	constructor(options: S3Options) {
		this.#client = new S3Client(options);
		this.#once = new S3Client({ ...options, retries: 0 });
		this.name = this.#client.name;
	}

	async read(key: string, signal?: AbortSignal): Promise<StoredObject> {
		const found = await this.#client.send({ method: "GET", key, signal });
		if (found.status === 404) return { tag: ABSENT };
		if (found.status !== 200) throw this.#client.failure(key, found);
		if (found.etag) return { bytes: found.body, tag: found.etag };
		const message = `${this.name}: ${key}: no ETag (CORS must expose it)`;
		throw new BevError("unsupported", message, { key });
	}

	async replace(
		key: string,
		body: Uint8Array<ArrayBuffer>,
		tag: string | undefined,
	): Promise<boolean> {
		if (tag === undefined) {
			const answer = await this.#client.send({ method: "PUT", key, body });
			if (answer.status < 300) return true;
			throw this.#client.failure(key, answer);
		}
		await this.#checkConditions();
		const headers: Headers =
			tag === ABSENT ? { "If-None-Match": "*" } : { "If-Match": tag };
		const status = await this.#put(key, body, headers);
		if (status < 300) return true;
		await pause(1 + Math.random() * MAX_PAUSE, undefined);
		return false;
	}

	async remove(key: string): Promise<void> {
		const answer = await this.#client.send({ method: "DELETE", key });
		if (answer.status < 300 || answer.status === 404) return;
		throw this.#client.failure(key, answer);
	}

	/** Returns the status of a write: success, or that it was not done. */
	async #put(
		key: string,
		body: Uint8Array<ArrayBuffer>,
		headers: Headers,
	): Promise<number> {
		let answer: Answer;
		try {
			answer = await this.#once.send({ method: "PUT", key, headers, body });
		} catch (error) {
			const { status } = error as { status?: number };
			if (status !== undefined && REFUSED.includes(status)) return status;
			throw error;
		}
		// 404: removed since it was read
		if (answer.status < 300 || answer.status === 404) return answer.status;
		if (REFUSED.includes(answer.status)) return answer.status;
		throw this.#client.failure(key, answer);
	}

	/** Refuses services that ignore the conditions of writes: writers would lose rows. */
	async #checkConditions(): Promise<void> {
		if (this.#checked) return;
		const key = `.bevscope/conditional-${crypto.randomUUID()}`;
		const body = new TextEncoder().encode("conditional writes?");
		const headers = { "If-None-Match": "*" };
		await this.#client.send({ method: "PUT", key, headers, body });
		const again = await this.#client.send({ method: "PUT", key, headers, body });
		await this.remove(key);
		if (again.status !== 412) {
			const message = `${this.name}: the service ignores If-None-Match (found status ${again.status}, expected 412)`;
			throw new BevError("unsupported", message);
		}
		this.#checked = true;
	}
}

/**
 * Arrays below a prefix of Amazon S3 or a compatible service; `options` as of `toS3`. An
 * object is replaced on condition that it still is what was read (`If-Match`), so that
 * machines can write the same arrays. CORS must allow `If-Match`, `If-None-Match` and the
 * methods PUT and DELETE, and expose `ETag`.
 *
 * Objects are not listed: `info` has no stored chunks, an array cannot be created in place
 * of another one, or made smaller. If the answer to a write is lost, the call rejects with
 * code `network`, and the write may have been done.
 */
export function s3Arrays(options: Omit<S3Options, "zip" | "partSize">): ArrayStore {
	return new S3Arrays(options);
}
