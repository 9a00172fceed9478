import { hasSecret } from "./secrets.js";

const KEY = "bevscope.recent";
const MAX_ADDRESSES = 6;

/** Returns recently opened addresses, newest first; empty if storage is unavailable. */
export function recentAddresses(storage: () => Storage = () => localStorage): string[] {
	try {
		const kept: unknown = JSON.parse(storage().getItem(KEY) ?? "[]");
		if (!Array.isArray(kept)) return [];
		return kept
			.filter((item): item is string => typeof item === "string" && !hasSecret(item))
			.slice(0, MAX_ADDRESSES);
	} catch {
		return []; // storage is forbidden, or its content invalid
	}
}

type Addresses = readonly string[];

function keep(addresses: Addresses, storage: () => Storage): void {
	try {
		storage().setItem(KEY, JSON.stringify(addresses.slice(0, MAX_ADDRESSES)));
	} catch {
		// Forbidden or full: the list is optional.
	}
}

/** Moves `address` to the front, unless a part of it may be secret. */
export function rememberAddress(
	address: string,
	storage: () => Storage = () => localStorage,
): void {
	if (hasSecret(address)) return;
	const others = recentAddresses(storage).filter((other) => other !== address);
	keep([address, ...others], storage);
}

/** Removes `address` from the list. */
export function forgetAddress(
	address: string,
	storage: () => Storage = () => localStorage,
): void {
	keep(
		recentAddresses(storage).filter((other) => other !== address),
		storage,
	);
}

/** Empties the list. */
export function forgetAddresses(storage: () => Storage = () => localStorage): void {
	keep([], storage);
}
