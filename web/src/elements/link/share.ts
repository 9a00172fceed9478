import { css, html, type TemplateResult } from "lit";
import { baseStyles, dialogStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";

/** Whether a link includes the queries of its addresses. */
export type ShareChoice = "with" | "without";

const shareStyles = css`
.body { display: grid; gap: 16px; padding: 0 16px 16px; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
`;

/** A dialog that asks before what may be a credential is copied into a link. */
export class Share extends BevElement {
	static override styles = [baseStyles, dialogStyles, shareStyles];
	#answer: ((choice: ShareChoice | undefined) => void) | undefined;

	protected watched(): readonly unknown[] {
		return [];
	}

	/** Resolves with the choice; undefined if the dialog is closed without one. */
	ask(): Promise<ShareChoice | undefined> {
		this.#answer?.(undefined);
		const dialog = this.renderRoot.querySelector("dialog");
		return new Promise((resolve) => {
			this.#answer = resolve;
			dialog?.showModal();
		});
	}

	protected override render(): TemplateResult {
		return html`<dialog aria-labelledby="title" @close=${() => this.#settle(undefined)}>
			<header role="presentation"><h2 id="title">The URL may contain a credential</h2></header>
			<div class="body">
				<p>If its query is a credential, anyone with this link can read the data until that expires. If it only selects the data, the link needs it.</p>
				<div class="actions">
					<button class="primary" @click=${() => this.#settle("without")}>Copy without query</button>
					<button class="outlined" @click=${() => this.#settle("with")}>Copy with query</button>
					<button @click=${() => this.#settle(undefined)}>Cancel</button>
				</div>
			</div>
		</dialog>`;
	}

	#settle(choice: ShareChoice | undefined): void {
		const answer = this.#answer;
		this.#answer = undefined;
		this.renderRoot.querySelector("dialog")?.close();
		answer?.(choice);
	}
}
