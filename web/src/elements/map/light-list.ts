import { css, html, nothing, type TemplateResult } from "lit";
import { waitingWords } from "../session/showing.js";
import { frameWith, type ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { chipStyles } from "../ui/chips.js";
import { group, groupStyles } from "../ui/group.js";
import { compared } from "../ui/table.js";
import { counted } from "../ui/words.js";
import { namesOfLights } from "./light-names.js";
import { LETTERS, LIGHT_WORDS, type Light, lightsOf } from "./lights.js";

const lightStyles = css`
li button { width: 100%; gap: 8px; min-height: 24px; padding: 0 4px; justify-content: flex-start; text-align: left; }
li button[aria-pressed="true"] { background: var(--_raise); color: inherit; box-shadow: inset 2px 0 var(--_accent); }
@media (pointer: coarse) { li button { min-height: 44px; } }
.name { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.id { margin-left: auto; color: var(--_ink3); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 40%; flex: none; }
.own .name::after { content: ""; display: inline-block; width: 7px; height: 7px; margin-left: 6px; border-radius: 50%; background: var(--_ego); }
.hint { padding: 0 4px; }
`;

/** The traffic lights of the displayed frame: letter, colour, arm and id. */
export class LightList extends BevElement {
	static override styles = [baseStyles, groupStyles, chipStyles, lightStyles];

	protected watched(state: ViewerState): readonly unknown[] {
		const { map, playing, mapChoice, timeline, egoLight, folded } = state;
		const seen = [frameWith(state, "lights"), waitingWords(state, "lights")];
		return [...seen, map, playing, mapChoice, timeline, egoLight, folded];
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
		const { map, egoLight } = this.state;
		const shown = frameWith(this.state, "lights");
		const waiting = waitingWords(this.state, "lights");
		if (!shown && !waiting) return nothing;
		const names = namesOfLights(this.state);
		const nameOf = (id: string): string => names.get(id) ?? id;
		const lights = (shown ? lightsOf(shown, map) : []).sort(
			(a, b) =>
				Number(b.id === egoLight) - Number(a.id === egoLight) ||
				compared(nameOf(a.id), nameOf(b.id), false),
		);
		const none = shown ? "None in this frame" : waiting;
		return group(this.controller, {
			...{ id: "lights", name: "Lights", words: String(lights.length) },
			content: html`${lights.length === 0 ? html`<p class="hint">${none}</p>` : nothing}
				<ul class=${waiting ? "stale" : ""} aria-labelledby="lights">${lights.map((light) => this.#light(light, nameOf(light.id)))}</ul>`,
		});
	}

	#light({ id, state, faces }: Light, name: string): TemplateResult {
		const chosen = this.state.mapChoice?.object;
		const isOwn = id === this.state.egoLight;
		const words = name === id ? `Light ${id}` : `${name}: light ${id}`;
		return html`<li>
			<button class=${isOwn ? "own" : ""} aria-pressed=${chosen?.kind === "light" && chosen.id === id}
				title="${words}${isOwn ? ", the ego's light" : ""}. Show lanes and faces"
				@pointerenter=${() => this.#hover(id)} @pointerleave=${() => this.#hover(undefined)}
				@focus=${() => this.#hover(id)} @blur=${() => this.#hover(undefined)}
				@click=${() => this.#choose(id)}>
			<span class="letter ${state}" aria-hidden="true" title=${LIGHT_WORDS[state]}>${LETTERS[state]}</span>
			${name === id ? nothing : html`<span class="name">${name}</span>`}
			<span class="sr">${LIGHT_WORDS[state]}${isOwn ? ", the ego's light" : ""}</span>
			<span class="id mono" title=${id}>${id}</span>
			<span class="faces sr">${counted(faces, "face")}</span>
			</button></li>`;
	}
}
