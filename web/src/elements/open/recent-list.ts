import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../ui/icons.js";
import { shownAddress } from "./secrets.js";

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
			const shown = shownAddress(address);
			return html`<li><button class="entry" title=${shown} @click=${() => actions.open(address)}>
				<span class="mono">${shown}</span></button>
				<button class="icon-only" aria-label=${`Remove ${shown}`} title="Remove"
					@click=${() => actions.forget(address)}>${icon("close")}</button></li>`;
		})}</ul>
	</section>`;
}
