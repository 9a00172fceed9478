import { BevError, withoutSecrets } from "../errors.js";

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
export function absolute(address: string | URL, base?: URL): URL {
	const here = base ?? globalThis.document?.baseURI ?? globalThis.location?.href;
	try {
		return new URL(address, here);
	} catch (cause) {
		throw new BevError(
			"invalid_argument",
			`${JSON.stringify(withoutSecrets(String(address)))} is not an address`,
			{ cause },
		);
	}
}

/**
 * The address of `relative` to the folder `base`. On the same origin the base's query (a
 * signature, say) goes with it, unless `relative` has a query of its own.
 */
export function beside(base: URL, relative: string | URL): URL {
	const folder = new URL(base);
	folder.pathname = folder.pathname.replace(/\/*$/, "/");
	const url = absolute(relative, folder);
	if (url.origin === base.origin && url.search === "") url.search = base.search;
	return url;
}

/**
 * Returns `url` if `fetch` can take it. Throws `invalid_argument` otherwise, without the
 * secret that it may hold.
 *
 * @param anyScheme whether a `fetch` of the caller's decides on the scheme
 */
export function fetchable(url: URL, anyScheme: boolean): URL {
	const shown = withoutSecrets(url.href);
	const { protocol, username, password } = url;
	if (username !== "" || password !== "") {
		throw new BevError(
			"invalid_argument",
			`${shown}: user name and password in an address are not supported; use the option headers`,
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

/** An object's address as a folder's and a key. */
export interface Located {
	readonly folder: URL;
	readonly key: string;
	/** Whether `below(folder, key)` is not the address: an encoded slash, a stray `%`. */
	readonly isOdd: boolean;
}

/** Splits an address before its last segment. */
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

/** A stray `%` is a character like any other. */
function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
