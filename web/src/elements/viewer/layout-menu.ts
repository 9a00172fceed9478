import { css, html, nothing, type TemplateResult } from "lit";
import { Disclosure } from "../ui/disclosure.js";
import { icon } from "../ui/icons.js";
import {
	lowered,
	PRESET_WORDS,
	PRESETS,
	type Preset,
	presetChange,
	presetOf,
	single,
} from "./arrangements.js";
import type { Tab } from "./layout-state.js";
import { nextScenes } from "./scene-pictures.js";
import { TAB_NAMES } from "./sides.js";
import type { ViewerHost } from "./viewer-host.js";

export const layoutMenuStyles = css`
.layout-menu { position: absolute; top: calc(var(--_top) - 4px); right: 8px; z-index: 8; display: grid; gap: 2px; width: 300px; padding: 8px; background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; box-shadow: 0 12px 40px rgb(0 0 0 / 0.35); }
.layout-menu button { width: 100%; justify-content: flex-start; padding: 4px 8px; }
.layout-menu button[aria-pressed="true"] { box-shadow: inset 2px 0 var(--_accent); }
.layout-menu .hint { font-size: 12px; text-align: left; }
.layout-menu .name { flex: none; width: 52px; text-align: left; }
.layout-menu h2.section { padding: 4px 8px; }
.layout-menu .below { display: grid; grid-template-columns: 1fr 1fr; gap: 2px; }
@container bev-viewer (max-width: 999px) {
	#open-layout, .layout-menu { display: none; }
}
`;

/** The menu of arrangements: presets, and the tab below the active one. */
export class LayoutMenu {
	readonly #host: ViewerHost;
	readonly #open: Disclosure;

	constructor(host: ViewerHost) {
		this.#host = host;
		this.#open = new Disclosure(host, ".layout-menu, #open-layout");
	}

	/** Renders the button and, if open, the menu. */
	render(): TemplateResult {
		const { open } = this.#open;
		return html`<button class="icon-only" id="open-layout" aria-label="Layout" title="Layout"
			aria-expanded=${open} @click=${() => this.#open.toggle()}>${icon("layout")}</button>
			${open ? this.#menu() : nothing}`;
	}

	#menu(): TemplateResult {
		const { layout } = this.#host;
		const now = presetOf(layout.arrangement);
		const preset = (name: Preset): TemplateResult => {
			const [word, purpose] = PRESET_WORDS[name];
			return html`<button aria-pressed=${name === now} @click=${() => layout.arrange(presetChange(name))}>
				<span class="name">${word}</span><span class="hint">${purpose}</span></button>`;
		};
		const { tabs, tab, lower } = layout;
		return html`<div class="layout-menu" role="group" aria-label="Layout">
			<h2 class="section">Layout</h2>
			${(Object.keys(PRESETS) as Preset[]).map(preset)}
			${
				tabs.length > 1
					? html`<h2 class="section">Second panel, below</h2>
				<div class="below">
					<button aria-pressed=${!lower} @click=${() => layout.arrange(single(tab))}>None</button>
					${tabs
						.filter((one) => one !== tab)
						.map(
							(
								one,
							) => html`<button aria-pressed=${one === lower} @click=${() => this.#lower(one)}>
								${one === "own" ? layout.ownName : TAB_NAMES[one]}</button>`,
						)}
				</div>`
					: nothing
			}
			${this.#scenes()}
		</div>`;
	}

	/** Renders how many scenes are shown side by side. */
	#scenes(): TemplateResult | typeof nothing {
		const { controller, state } = this.#host;
		const { scene, sceneCount, besides } = state;
		const counts = [1, 2, 4].filter((count) => count <= sceneCount);
		if (counts.length < 2) return nothing;
		const show = (count: number): void =>
			controller?.store.patch({ besides: nextScenes(scene, sceneCount, count - 1) });
		return html`<h2 class="section">Scenes side by side</h2>
			<div class="below">${counts.map(
				(
					count,
				) => html`<button aria-pressed=${besides.length + 1 === count} @click=${() => show(count)}>
					${count === 1 ? "One" : `${count} from here on`}</button>`,
			)}</div>`;
	}

	#lower(tab: Tab): void {
		const { layout } = this.#host;
		const change = lowered(layout.arrangement, tab, layout.tabs);
		if (!change) return;
		layout.arrange(change);
		if (!layout.isOpen("details")) layout.toggle("details");
	}
}
