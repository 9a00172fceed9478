/**
 * Query parameters that select public data, a version or a form of it. Any other may be a
 * credential: servers give theirs any name.
 */
const HARMLESS =
	/^(v|ver|version|versionid|rev|revision|ref|branch|alt|dl|raw|download|format|page)=[\w.-]{0,32}$/i;

/** Names of credentials, which change while the data stays the same. */
const CREDENTIAL =
	/^(x-(amz|goog|oss|ms)-.*|awsaccesskeyid|googleaccessid|signature|sig|sv|se|sp|st|.*token|auth.*|.*api-?_?key|key|key-pair-id|policy|expires|secret|password|pwd|jwt|code|session.*)=/i;

interface Parts {
	/** The address up to its query, without user info. */
	readonly path: string;
	/** Parameters of the query. */
	readonly query: readonly string[];
	/** The folder in an archive, with its `#`. */
	readonly folder: string;
}

function partsOf(address: string): Parts {
	const [, path = "", query = "", fragment = ""] =
		/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
	return {
		path: path.replace(/^([a-z][a-z0-9+.-]*:[\\/]*|[\\/]{2,})[^\\/]*@/i, "$1"),
		query: query.split("&").filter((pair) => pair !== ""),
		folder: fragment.includes("=") ? "" : fragment,
	};
}

/**
 * Returns `address` without what may be secret, to be displayed, stored or shared: without
 * user info, the query's parameters that are not known to be harmless, and a fragment of
 * parameters.
 */
export function shownAddress(address: string): string {
	const { path, query, folder } = partsOf(address);
	const kept = query.filter((pair) => HARMLESS.test(pair));
	return `${path}${kept.length > 0 ? `?${kept.join("&")}` : ""}${folder}`;
}

/** Returns whether a part of an address may be secret. */
export function hasSecret(address: string): boolean {
	return shownAddress(address) !== address;
}

/**
 * Returns the parameters of an address's query that `shownAddress` removes, except those
 * named as credentials: they may select the data.
 */
export function unknownQuery(address: string): string {
	return partsOf(address)
		.query.filter((pair) => !HARMLESS.test(pair) && !CREDENTIAL.test(decoded(pair)))
		.join("&");
}

function decoded(pair: string): string {
	try {
		return decodeURIComponent(pair);
	} catch {
		return pair; // a stray % is literal
	}
}
