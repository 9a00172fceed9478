import { css, html, nothing, type TemplateResult } from "lit";
import { segmentsOf } from "../open/places.js";
import { shownAddress } from "../open/secrets.js";

import type { ViewerState } from "../session/state.js";
import { icon } from "../ui/icons.js";
import { counted, formatBytes } from "../ui/words.js";
import { STEP_WORDS, type Steps } from "./steps.js";
import { nextTheme } from "./themes.js";

/** Actions of the top bar. */
export interface TopBarActions {
	choose(): void;
	search(): void;
	save(): void;
	copyLink(): void;
	nextTheme(): void;
	fullScreen(): void;
	help(): void;
	readonly steps: Steps;
}

/** Content of the top bar. */
export interface TopBar {
	readonly state: ViewerState;
	/** Whether the picture is displayed. */
	readonly ready: boolean;
	readonly actions: TopBarActions;
	readonly link: { readonly possible: boolean; readonly copied: boolean };
	readonly fullScreen: boolean;
	readonly scenes: TemplateResult | typeof nothing;
	readonly panels: TemplateResult | typeof nothing;
	readonly skip: TemplateResult | typeof nothing;
	/** The badge of the data's faults. */
	readonly health: TemplateResult | typeof nothing;
	/** Accessible name of the region. */
	readonly label: string;
	/** Whether to show the brand. */
	readonly brand: boolean;
}

export const topBarStyles = css`
.top { grid-area: top; display: flex; align-items: center; gap: 12px; padding: 0 12px 0 16px; background: var(--_panel); border-bottom: 1px solid var(--_line); min-width: 0; }
.brand { flex: none; white-space: nowrap; font-weight: 700; letter-spacing: -0.01em; }
.crumbs { display: flex; gap: 6px; flex: 0 1 auto; min-width: 48px; white-space: nowrap; overflow: hidden; color: var(--_ink2); }
.crumbs > span { overflow: hidden; text-overflow: ellipsis; flex: 0 100 auto; }
.crumbs .sep { color: var(--_ink3); padding-left: 6px; }
.crumbs .last { color: var(--_ink); flex: 0 1 auto; max-width: 240px; }
.top > bev-scenes { flex: 0 1 auto; }
.fill { flex: 1; }
.numbers { color: var(--_ink2); white-space: nowrap; }
.tools, .bar { display: flex; gap: 4px; flex: none; }
.tools button, .bar button { color: var(--_ink2); }
.tools .copied { color: var(--_accent); }
.bar { padding-left: 8px; border-left: 1px solid var(--_line); }
.bar [aria-expanded="true"] { color: var(--_ink); background: var(--_raise); }
.word, #open-more { display: none; }
@container bev-viewer (max-width: 1500px) {
	.crumbs > .far { display: none; }
}
@container bev-viewer (max-width: 1180px) {
	.crumbs > :not(.last), .numbers { display: none; }
}
@container bev-viewer (max-width: 999px) {
	.frame:not(.bare) .tools {
		display: none;
		position: absolute;
		top: var(--_top);
		right: 8px;
		z-index: 8;
		min-width: 180px;
		max-height: calc(100cqh - var(--_top) - 4px);
		overflow: auto;
		flex-direction: column;
		padding: 4px;
		background: var(--_panel);
		border: 1px solid var(--_line);
		border-radius: 6px;
	}
	.frame.more .tools { display: flex; }
	.frame:not(.bare) .tools button { width: 100%; flex: none; padding: 0 12px; justify-content: flex-start; }
	.frame:not(.bare) .word { display: inline; }
	.bar { margin-left: auto; padding: 0; border: 0; }
	#open-more { display: inline-flex; }
	.top > .fill { display: none; }
	.frame.bare .top > .fill { display: block; }
}
@container bev-viewer (max-width: 640px) {
	.brand, .crumbs { display: none; }
	.top { padding: 0 8px; gap: 8px; }
	.frame.bare .brand { display: block; }
}
/* Thumbnail: the menu button opens the bar over the picture. */
@container bev-viewer ((max-height: 359px) and (max-width: 999px)) or ((max-width: 419px) and (max-height: 479px)) {
	.top { display: none; }
	.frame.menu .top, .frame.more .top {
		grid-area: auto;
		display: flex;
		flex-wrap: wrap;
		position: absolute;
		inset: 0 0 auto;
		z-index: 7;
		min-height: 44px;
		padding-right: 48px;
	}
	.frame:not(.bare) .tools { top: 44px; }
}
`;

function crumbs({ place }: ViewerState): TemplateResult | typeof nothing {
	if (!place) return nothing;
	const segments = place.kind === "address" ? segmentsOf(place.address) : [place.name];
	const last = segments.length - 1;
	const shown = segments.slice(-4);
	const skipped = segments.length - shown.length;
	return html`<div class="crumbs" title=${place.kind === "address" ? shownAddress(place.address) : place.name}>
		${shown.map((segment, i) =>
			i + skipped === last
				? html`<span class="last">${segment}</span>`
				: html`<span class="part ${i + skipped < last - 1 ? "far" : ""}">${segment}<span class="sep" aria-hidden="true">/</span></span>`,
		)}
	</div>`;
}

/** Renders bytes and requests so far. */
function numbers({ dataset, bytes, requests }: ViewerState): TemplateResult {
	if (!dataset) return html``;
	return html`<span class="numbers mono">${formatBytes(bytes)} · ${counted(requests, "request")}</span>`;
}

/** Renders the top bar: data source, transfer statistics and tools. */
export function topBar(bar: TopBar): TemplateResult {
	const { state, scenes, panels } = bar;
	return html`<div class="top" role="region" aria-label=${bar.label}>
		${bar.skip}
		${bar.brand ? html`<span class="brand"><slot name="brand">bevscope</slot></span>` : nothing}
		${crumbs(state)} ${scenes}
		<span class="fill"></span>
		${bar.health} ${numbers(state)}
		<div class="tools"><slot name="toolbar"></slot>${tools(bar)}</div>
		${panels}
	</div>`;
}

/** Renders the buttons of undo and redo. */
function stepButtons({ undoes, redoes, undo, redo }: Steps): TemplateResult {
	const [before, after] = [undoes, redoes].map((part) => part && STEP_WORDS[part]);
	return html`<button class="icon-only" aria-label="Undo" title=${before ? `Undo: ${before} (Ctrl Z)` : "Nothing to undo"}
		?disabled=${!before} @click=${undo}>${icon("undo")}<span class="word">Undo</span></button>
	<button class="icon-only" aria-label="Redo" title=${after ? `Redo: ${after} (Ctrl Shift Z)` : "Nothing to redo"}
		?disabled=${!after} @click=${redo}>${icon("redo")}<span class="word">Redo</span></button>`;
}

function tools({ state, ready, actions, link, fullScreen }: TopBar): TemplateResult {
	const word = fullScreen ? "Exit full screen" : "Full screen";
	return html`${
		ready
			? html`${stepButtons(actions.steps)}
				<button class="wide" title="Open other data" @click=${actions.choose}>Open</button>
				${state.dataset?.reader ? html`<button class="wide" title="Search all scenes (G)" @click=${actions.search}>Search</button>` : nothing}
				<button class="wide" title="Export image, video or table (E)" @click=${actions.save}>Export</button>`
			: nothing
	}
	${
		ready && link.possible
			? html`<button class="wide ${link.copied ? "copied" : ""}" title="Copy a link to this view"
				@click=${actions.copyLink}>${link.copied ? "Copied" : "Copy link"}</button>`
			: nothing
	}
	<button class="icon-only" aria-label=${`Theme: ${state.theme}`} title=${`Theme: ${state.theme}; next: ${nextTheme(state.theme)}`}
		@click=${actions.nextTheme}>${icon("theme")}<span class="word">Theme: ${state.theme}</span></button>
	${
		document.fullscreenEnabled
			? html`<button class="icon-only" aria-label=${word} title="${word} (Z)"
				@click=${actions.fullScreen}>${icon(fullScreen ? "shrink" : "grow")}<span class="word">${word}</span></button>`
			: nothing
	}
	<button class="icon-only" aria-label="Keyboard" title="Keyboard (?)" @click=${actions.help}>${icon("help")}<span class="word">Keyboard</span></button>`;
}
