/** Separates addresses of predictions in `predictions-src` and in links. */
const SEPARATOR = "|";

/** Returns the addresses in a list, without duplicates. */
export function addressesIn(text: string): readonly string[] {
	const parts = text.split(SEPARATOR).map((part) => part.trim());
	return [...new Set(parts.filter((part) => part !== ""))];
}

/** Returns a list of addresses. */
export function joinedAddresses(addresses: readonly string[]): string {
	return addresses.join(SEPARATOR);
}
