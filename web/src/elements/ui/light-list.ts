import { css, html, nothing, type TemplateResult } from "lit";
import { LETTERS, LIGHT_WORDS, lightsOf } from "../lights.js";
import { waitingWords } from "../showing.js";
import type { ViewerState } from "../state.js";
import { baseStyles } from "./base-styles.js";
import { BevElement } from "./bev-element.js";
import { chipStyles } from "./chip-styles.js";

const lightStyles = css`
:host { padding: 16px; }
h2.section { padding-bottom: 8px; }
li { display: flex; align-items: center; gap: 8px; min-height: 26px; }
.id { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.faces { margin-left: auto; color: var(--_ink3); white-space: nowrap; }
`;

/** The traffic lights of the frame on show: letter, colour, id. */
export class LightList extends BevElement {
	static override styles = [baseStyles, chipStyles, lightStyles];

	protected watched(state: ViewerState): readonly unknown[] {
		return [state.shown, state.map, state.playing, waitingWords(state)];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override render(): TemplateResult | typeof nothing {
		const { shown, map } = this.state;
		const waiting = waitingWords(this.state);
		const heading = html`<h2 class="section" id="lights">Traffic lights</h2>`;
		if (!shown)
			return waiting ? html`${heading}<p class="hint">${waiting}</p>` : nothing;
		const lights = lightsOf(shown, map);
		return html`${heading}
			${lights.length === 0 ? html`<p class="hint">None in this frame</p>` : nothing}
			<ul class=${waiting ? "stale" : ""} aria-labelledby="lights">${lights.map(
				({ id, state, faces }) => html`<li>
					<span class="letter ${state}" aria-hidden="true" title=${LIGHT_WORDS[state]}>${LETTERS[state]}</span>
					<span class="id mono" title=${id}>${id}</span>
					<span class="sr">${LIGHT_WORDS[state]}</span>
					<span class="faces mono">${faces} ${faces === 1 ? "face" : "faces"}</span>
				</li>`,
			)}</ul>`;
	}
}
