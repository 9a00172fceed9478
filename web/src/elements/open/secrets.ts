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
