import { css, html, nothing, type TemplateResult } from "lit";
import { waitingWords } from "../session/showing.js";
import { frameWith, type ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { chipStyles } from "../ui/chips.js";
import { LETTERS, LIGHT_WORDS, lightsOf } from "./lights.js";

const lightStyles = css`
:host { padding: 16px; }
h2.section { padding-bottom: 8px; }
li button { width: calc(100% + 16px); margin: 0 -8px; gap: 8px; min-height: 26px; justify-content: flex-start; }
li button[aria-pressed="true"] { background: var(--_raise); color: inherit; box-shadow: inset 2px 0 var(--_accent); }
@media (pointer: coarse) { li button { min-height: 44px; } }
.id { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.faces { margin-left: auto; color: var(--_ink3); white-space: nowrap; }
`;

/** The traffic lights of the displayed frame: letter, colour, id. */
export class LightList extends BevElement {
	static override styles = [baseStyles, chipStyles, lightStyles];

	protected watched(state: ViewerState): readonly unknown[] {
		const { map, playing, mapChoice } = state;
		const seen = [frameWith(state, "lights"), waitingWords(state, "lights")];
		return [...seen, map, playing, mapChoice];
	}

	protected override get pace(): number {
		return 100;
	}

	/** Selects a light; clears the selection if it is selected already. */
	#choose(id: string): void {
		const { mapPicker, state } = this.controller ?? {};
		const chosen = state?.mapChoice?.object;
		if (chosen?.kind === "light" && chosen.id === id) mapPicker?.clear();
		else mapPicker?.select({ kind: "light", id });
	}

	/** Outlines the light's lanes in the picture. */
	#hover(id: string | undefined): void {
		this.controller?.mapPicker.hover(id);
	}

	protected override render(): TemplateResult | typeof nothing {
		const { map } = this.state;
		const shown = frameWith(this.state, "lights");
		const waiting = waitingWords(this.state, "lights");
		const heading = html`<h2 class="section" id="lights">Traffic lights</h2>`;
		if (!shown)
			return waiting ? html`${heading}<p class="hint">${waiting}</p>` : nothing;
		const lights = lightsOf(shown, map);
		const chosen = this.state.mapChoice?.object;
		return html`${heading}
			${lights.length === 0 ? html`<p class="hint">None in this frame</p>` : nothing}
			<ul class=${waiting ? "stale" : ""} aria-labelledby="lights">${lights.map(
				({ id, state, faces }) => html`<li>
					<button aria-pressed=${chosen?.kind === "light" && chosen.id === id} title="Show lanes and faces"
						@pointerenter=${() => this.#hover(id)} @pointerleave=${() => this.#hover(undefined)}
						@focus=${() => this.#hover(id)} @blur=${() => this.#hover(undefined)}
						@click=${() => this.#choose(id)}>
					<span class="letter ${state}" aria-hidden="true" title=${LIGHT_WORDS[state]}>${LETTERS[state]}</span>
					<span class="id mono" title=${id}>${id}</span>
					<span class="sr">${LIGHT_WORDS[state]}</span>
					<span class="faces mono">${faces} ${faces === 1 ? "face" : "faces"}</span>
					</button></li>`,
			)}</ul>`;
	}
}
