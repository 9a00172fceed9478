import { resolved } from "./places.js";

/** The interpretation of a typed or pasted address. */
export type Typed =
	| { readonly kind: "address"; readonly address: string }
	/** A viewer link's fragment; its addresses are resolved against the link. */
	| { readonly kind: "link"; readonly fragment: string }
	| { readonly kind: "refused"; readonly why: string };

const DISK = "A page cannot open disk paths. Drop the folder here, or choose it.";

const USER =
	"Browsers reject URLs with a user name and password. Sign in on that site, then open the URL without them.";

/** Returns the https form of an object store address. */
function httpsForm(text: string): string | undefined {
	const [, scheme, bucket, key] = /^(s3|gs):\/\/([^/]+)\/(.*)$/i.exec(text) ?? [];
	if (!scheme || !bucket || key === undefined) return undefined;
	return scheme.toLowerCase() === "gs"
		? `https://storage.googleapis.com/${bucket}/${key}`
		: `https://${bucket}.s3.amazonaws.com/${key}`;
}

/**
 * Returns the fragment of a viewer link, with absolute addresses; undefined for other
 * URLs.
 */
function linkIn(url: URL): string | undefined {
	const pairs = new URLSearchParams(url.hash.slice(1));
	if (!pairs.has("src")) return undefined;
	for (const key of ["src", "m", "pr"]) {
		const address = pairs.get(key);
		const absolute = address && resolved(address, url.href);
		if (absolute) pairs.set(key, absolute.href);
	}
	return pairs.toString();
}

/** Parses the input of an address field on the page at `base`. */
export function typed(text: string, base: string): Typed {
	const trimmed = text.trim().replace(/^(["'])(.*)\1$/, "$2");
	if (/^([a-z]:[\\/]|\\\\|file:|~\/)/i.test(trimmed)) {
		return { kind: "refused", why: DISK };
	}
	const address = httpsForm(trimmed) ?? trimmed;
	const url = address === "" ? undefined : resolved(address, base);
	if (!url) {
		const why = `Invalid URL (found ${trimmed || "nothing"}, expected https://… or a path)`;
		return { kind: "refused", why };
	}
	if (url.username !== "" || url.password !== "") return { kind: "refused", why: USER };
	const fragment = linkIn(url);
	return fragment === undefined
		? { kind: "address", address }
		: { kind: "link", fragment };
}

/** Returns whether a path looks like a local file path. */
export function isDiskPath(address: string): boolean {
	return /^\/(home|Users|mnt|media|Volumes|root|tmp|var|private)\//.test(
		address.trim(),
	);
}

export { DISK as DISK_ADVICE };

/** Query keys of credentials: signatures, tokens, keys. */
const SECRET =
	/^(x-(amz|goog|oss|ms)-.*|awsaccesskeyid|googleaccessid|signature|sig|sv|se|sp|st|token|access_?token|id_token|auth.*|api-?_?key|key|key-pair-id|policy|expires|secret|password|pwd|jwt|code|session.*)$/i;

/** Returns whether an address contains a credential in its query or user info. */
export function hasSecret(address: string, base = "https://host/"): boolean {
	try {
		const url = new URL(address, base);
		if (url.username !== "" || url.password !== "") return true;
		return [...url.searchParams.keys()].some((name) => SECRET.test(name));
	} catch {
		return false;
	}
}

/** Returns `address` for display, without user info and credential values. */
export function withoutSecrets(address: string): string {
	const plain = address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, "$1");
	return plain.replace(/([?&])([^=&#]+)=[^&#]*/g, (pair, mark: string, name: string) =>
		SECRET.test(decoded(name)) ? `${mark}${name}=…` : pair,
	);
}

/** Returns `address` for sharing, without its credentials. */
export function stripped(address: string): string {
	const [, before = "", query, hash = ""] =
		/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
	const kept = (query ?? "")
		.split("&")
		.filter((pair) => pair !== "" && !SECRET.test(decoded(pair.replace(/=.*$/s, ""))));
	const plain = before.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, "$1");
	return `${plain}${kept.length > 0 ? `?${kept.join("&")}` : ""}${hash}`;
}

function decoded(name: string): string {
	try {
		return decodeURIComponent(name);
	} catch {
		return name; // a stray % is literal
	}
}
