import { BevError, withoutSecrets } from "../base/errors.js";

/**
 * Returns the URL of `key` below `base`. Segments are percent-encoded; the base's query
 * (for example, a signature) is kept. Rejects keys with empty, "." or ".." segments.
 */
export function below(base: URL, key: string): URL {
	const segments = key.split("/");
	if (segments.some((segment) => ["", ".", ".."].includes(segment))) {
		throw new BevError(
			"invalid_argument",
			`key ${JSON.stringify(key)}: empty, "." or ".." segment`,
			{ key },
		);
	}
	const { href, search, hash } = base;
	const folder = href.slice(0, href.length - search.length - hash.length);
	const path = segments.map(encodeURIComponent).join("/");
	return new URL(`${folder}${folder.endsWith("/") ? "" : "/"}${path}${search}`);
}

/**
 * Resolves `address` against `base`, the page or the script, if there is one. An empty
 * address is refused: it would be the page, or Node's working directory.
 */
export function absolute(address: string | URL, base?: URL): URL {
	const here = base ?? globalThis.document?.baseURI ?? globalThis.location?.href;
	try {
		if (address === "" && base === undefined) throw new TypeError("empty");
		return new URL(address, here);
	} catch (cause) {
		throw new BevError(
			"invalid_argument",
			`URL: invalid (found ${JSON.stringify(withoutSecrets(String(address)))})`,
			{ cause },
		);
	}
}

/**
 * Resolves `relative` against the folder `base`. On the same origin it gets the base's
 * query (for example, a signature), unless `relative` has its own.
 */
export function beside(base: URL, relative: string | URL): URL {
	const folder = new URL(base);
	folder.pathname = folder.pathname.replace(/\/*$/, "/");
	const url = absolute(relative, folder);
	if (url.origin === base.origin && url.search === "") url.search = base.search;
	return url;
}

/**
 * Returns `url` if `fetch` can read it. Otherwise throws `invalid_argument`, without
 * credentials in the message.
 *
 * @param anyScheme whether a custom `fetch` decides about the scheme
 */
export function fetchable(url: URL, anyScheme: boolean): URL {
	const shown = withoutSecrets(url.href);
	const { protocol, username, password } = url;
	if (username !== "" || password !== "") {
		throw new BevError(
			"invalid_argument",
			`${shown}: user name and password in the URL are not supported; use the option headers`,
			{ url: url.href },
		);
	}
	if (anyScheme || protocol === "http:" || protocol === "https:") return url;
	throw new BevError(
		"invalid_argument",
		`${shown}: unsupported scheme (found ${protocol}, expected https: or http:)`,
		{ url: url.href },
	);
}

/** An object's URL as a folder and a key. */
export interface Located {
	readonly folder: URL;
	readonly key: string;
	/**
	 * Whether `below(folder, key)` differs from the URL: an encoded slash, a stray `%`.
	 */
	readonly isOdd: boolean;
}

/** Splits a URL before its last segment. */
export function located(url: URL): Located {
	const cut = url.pathname.lastIndexOf("/") + 1;
	const folder = new URL(url);
	folder.pathname = url.pathname.slice(0, cut);
	const name = decoded(url.pathname.slice(cut));
	const key = name.split("/").filter(isSegment).at(-1) ?? "object";
	const isOdd = key !== name || below(folder, key).href !== withoutFragment(url);
	return { folder, key, isOdd };
}

function isSegment(segment: string): boolean {
	return !["", ".", ".."].includes(segment);
}

function withoutFragment({ href, hash }: URL): string {
	return href.slice(0, href.length - hash.length);
}

/** Decodes a segment; one with a stray `%` is returned unchanged. */
function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
