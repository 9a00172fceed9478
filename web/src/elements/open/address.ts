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
	const address = text.trim().replace(/^(["'])(.*)\1$/, "$2");
	if (/^([a-z]:[\\/]|\\\\|file:|~\/)/i.test(address)) {
		return { kind: "refused", why: DISK };
	}
	const url = address === "" ? undefined : resolved(address, base);
	if (!url) {
		const why = `Invalid URL (found ${address || "nothing"}, expected https://…, hf://…, s3://…, gs://… or a path)`;
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
