const KEY = "bevscope.recent";
const MOST = 6;

/** The addresses opened lately, newest first; none where the browser keeps nothing. */
export function recentAddresses(storage: () => Storage = () => localStorage): string[] {
	try {
		const kept: unknown = JSON.parse(storage().getItem(KEY) ?? "[]");
		if (!Array.isArray(kept)) return [];
		return kept
			.filter((item): item is string => typeof item === "string")
			.slice(0, MOST);
	} catch {
		return []; // storage may be forbidden, and what is in it may be anything
	}
}

/** Puts `address` first. */
export function rememberAddress(
	address: string,
	storage: () => Storage = () => localStorage,
): void {
	const others = recentAddresses(storage).filter((other) => other !== address);
	try {
		storage().setItem(KEY, JSON.stringify([address, ...others].slice(0, MOST)));
	} catch {
		// forbidden or full: the list is a convenience
	}
}
