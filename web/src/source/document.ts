import { BevError } from "../errors.js";

/** Most bytes of a metadata document: much less than a chunk may have. */
export const MAX_DOCUMENT_BYTES = 2 ** 26;

/** Returns whether `key` names metadata: read before the chunks that it describes. */
export function isDocument(key: string): boolean {
	const name = key.slice(key.lastIndexOf("/") + 1);
	return name.startsWith(".z") || name === "zarr.json";
}

/** Throws `invalid_metadata` if a document has more bytes than one may have. */
export function assertDocument(key: string, bytes: number): void {
	if (bytes <= MAX_DOCUMENT_BYTES) return;
	const said = `found ${bytes} bytes, expected at most ${MAX_DOCUMENT_BYTES}`;
	throw new BevError("invalid_metadata", `${key}: document too large (${said})`, {
		key,
	});
}
