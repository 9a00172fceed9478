import { css, html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../session/controller.js";
import { Disclosure } from "../ui/disclosure.js";
import { icon } from "../ui/icons.js";
import { type Fault, faultsOf } from "./faults.js";
import type { ViewerHost } from "./viewer-host.js";

export const healthStyles = css`
#health { flex: none; color: var(--_warn-ink); padding: 0 8px; }
.health-card { position: absolute; top: calc(var(--_top) - 4px); left: 50%; transform: translateX(-50%); z-index: 8; display: flex; flex-direction: column; width: min(480px, calc(100cqw - 16px)); max-height: calc(100cqh - var(--_top) - 8px); background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; box-shadow: 0 12px 40px rgb(0 0 0 / 0.35); }
.health-card header { display: flex; align-items: center; justify-content: space-between; padding: 8px 8px 8px 16px; }
.health-card ul { overflow: auto; min-height: 0; }
.health-card li { display: grid; gap: 4px; padding: 8px 16px 12px; border-top: 1px solid var(--_line); overflow-wrap: anywhere; }
.health-card strong { font-weight: 600; }
.health-card .acts { display: flex; gap: 8px; }
`;

/** The badge that counts the faults of the data, and the card that lists them. */
export class Health {
	readonly #host: ViewerHost;
	readonly #open: Disclosure;

	constructor(host: ViewerHost) {
		this.#host = host;
		this.#open = new Disclosure(host, ".health-card, #health");
	}

	/** Renders the badge and, if open, the card; nothing without faults. */
	render(): TemplateResult | typeof nothing {
		const { state, controller } = this.#host;
		const faults = faultsOf(state);
		const { length } = faults;
		if (length === 0 || !controller) return nothing;
		const words = `${length} ${length === 1 ? "fault" : "faults"} in the data`;
		return html`<button id="health" title=${words} aria-label=${words} aria-expanded=${this.#open.open}
			@click=${() => this.#open.toggle()}>${icon("warning")}<span class="mono">${length}</span></button>
			<span class="sr" role="status">${words}</span>
			${this.#open.open ? this.#card(faults, controller) : nothing}`;
	}

	#card(faults: readonly Fault[], controller: ViewerController): TemplateResult {
		return html`<div class="health-card" role="group" aria-label="Health of the data">
			<header role="presentation"><h2 class="section">Health of the data</h2>
				<button class="icon-only" aria-label="Close" @click=${() => this.#open.close()}>${icon("close")}</button></header>
			<ul>${faults.map((fault) => faultItem(fault, controller))}</ul>
		</div>`;
	}
}

function faultItem(fault: Fault, controller: ViewerController): TemplateResult {
	const { what, why, advice, retry, notice } = fault;
	const dismiss = (): void => {
		if (notice !== undefined) controller.dismiss(notice);
		else controller.dismissAbsence();
	};
	const again = (): void => {
		// If it fails again, it is told again.
		if (notice !== undefined) controller.dismiss(notice);
		if (retry === "reopen") void controller.reopen();
		else controller.retryUnread();
	};
	const isDismissible = notice !== undefined || retry === "reopen";
	return html`<li><strong>${what}</strong>
		${why ? html`<span>${why}</span>` : nothing}
		${advice.map((line) => html`<span class="hint">${line}</span>`)}
		<span class="acts">
			${retry ? html`<button class="outlined" @click=${again}>Retry</button>` : nothing}
			${isDismissible ? html`<button @click=${dismiss}>Dismiss</button>` : nothing}
		</span></li>`;
}
