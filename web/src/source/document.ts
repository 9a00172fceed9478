import { BevError } from "../base/errors.js";

/** Maximum size of a metadata document, much smaller than a chunk's. */
export const MAX_DOCUMENT_BYTES = 2 ** 26;

/** Returns whether `key` names a metadata document. */
export function isDocument(key: string): boolean {
	const name = key.slice(key.lastIndexOf("/") + 1);
	return name.startsWith(".z") || name === "zarr.json";
}

/** Throws `invalid_metadata` if a document of `bytes` bytes is too large. */
export function assertDocument(key: string, bytes: number): void {
	if (bytes <= MAX_DOCUMENT_BYTES) return;
	const said = `found ${bytes} bytes, expected at most ${MAX_DOCUMENT_BYTES}`;
	throw new BevError("invalid_metadata", `${key}: document too large (${said})`, {
		key,
	});
}

/**
 * Returns whether consolidated metadata lists a document; undefined if the bytes are
 * not consolidated metadata.
 */
export function listedIn(zmetadata: Uint8Array, key: string): boolean | undefined {
	try {
		const { metadata } = JSON.parse(new TextDecoder().decode(zmetadata)) as {
			metadata?: unknown;
		};
		if (typeof metadata !== "object" || metadata === null) return undefined;
		return Object.hasOwn(metadata, key);
	} catch {
		return undefined;
	}
}
