import { BevError } from "../errors.js";

/**
 * The address of `key` below `base`: segments percent-encoded, the base's query (a
 * signature, say) kept. Refuses keys that would leave the base.
 */
export function below(base: URL, key: string): URL {
	const segments = key.split("/");
	if (segments.some((segment) => ["", ".", ".."].includes(segment))) {
		throw new BevError(
			"invalid_argument",
			`key ${JSON.stringify(key)}: empty, "." or ".." segments are refused`,
			{ key },
		);
	}
	const { href, search, hash } = base;
	const folder = href.slice(0, href.length - search.length - hash.length);
	const path = segments.map(encodeURIComponent).join("/");
	return new URL(`${folder}${folder.endsWith("/") ? "" : "/"}${path}${search}`);
}

/** `address` made absolute where there is a page or a script to be relative to. */
export function absolute(address: string | URL): URL {
	const here = globalThis.document?.baseURI ?? globalThis.location?.href;
	try {
		return new URL(address, here);
	} catch (cause) {
		throw new BevError(
			"invalid_argument",
			`${JSON.stringify(String(address))} is not an address`,
			{ cause },
		);
	}
}
