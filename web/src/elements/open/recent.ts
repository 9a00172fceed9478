import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../ui/icons.js";
import { hasSecret, withoutSecrets } from "./address.js";

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

/** Moves `address` to the front, unless it contains a credential. */
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

export interface RecentActions {
	open(address: string): void;
	forget(address: string): void;
	forgetAll(): void;
}

/** Renders recently opened addresses with buttons to open and remove each. */
export function recentList(
	addresses: readonly string[],
	actions: RecentActions,
): TemplateResult | typeof nothing {
	if (addresses.length === 0) return nothing;
	return html`<section role="group" class="recent" aria-labelledby="recent">
		<div class="head"><h2 class="section" id="recent">Recent</h2>
			<button @click=${actions.forgetAll}>Clear</button></div>
		<ul>${addresses.map((address) => {
			const shown = withoutSecrets(address);
			return html`<li><button class="entry" title=${shown} @click=${() => actions.open(address)}>
				<span class="mono">${shown}</span></button>
				<button class="icon-only" aria-label=${`Remove ${shown}`} title="Remove"
					@click=${() => actions.forget(address)}>${icon("close")}</button></li>`;
		})}</ul>
	</section>`;
}
