import { hasSecret, shownAddress } from "../open/secrets.js";
import { addressesIn, joinedAddresses } from "../review/addresses.js";
import type { LinkState } from "./link.js";

/** Link fields that contain addresses. */
const ADDRESSES = ["src", "map", "predictions", "rollout", "sensors"] as const;

/** Returns the addresses of a field; predictions and submissions can be several. */
function addressesOf(
	key: (typeof ADDRESSES)[number],
	{ [key]: text = "" }: LinkState,
): readonly string[] {
	return /^[pr]/.test(key) ? addressesIn(text) : [text];
}

/** Returns whether a part of an address in `link` may be secret. */
export function carriesSecret(link: LinkState): boolean {
	return ADDRESSES.some((key) => addressesOf(key, link).some((one) => hasSecret(one)));
}

/** Returns `link` without the parts of its addresses that may be secret. */
export function withoutCredentials(link: LinkState): LinkState {
	const plain = ADDRESSES.map((key) => [
		key,
		link[key] &&
			joinedAddresses(addressesOf(key, link).map((one) => shownAddress(one))),
	]);
	return { ...link, ...Object.fromEntries(plain) };
}
