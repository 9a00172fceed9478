import { css, html, nothing, type TemplateResult } from "lit";
import { segmentsOf } from "../pure/places.js";
import { formatBytes } from "../pure/problem.js";
import type { ViewerState } from "../state.js";
import { icon } from "./icons.js";

/** What the top bar's controls do. */
export interface TopBarActions {
	choose(): void;
	find(): void;
	save(): void;
	copyLink(): void;
	nextTheme(): void;
	help(): void;
}

export const topBarStyles = css`
.tools .copied { color: var(--_accent); }
.word { display: none; }
@container bev-viewer (max-width: 899px) {
	.numbers { display: none; }
	.frame:not(.bare) .tools {
		display: none;
		position: absolute;
		top: var(--_top);
		right: 8px;
		z-index: 7;
		min-width: 180px;
		flex-direction: column;
		padding: 4px;
		background: var(--_panel);
		border: 1px solid var(--_line);
		border-radius: 6px;
	}
	.frame.more .tools { display: flex; }
	.frame:not(.bare) .tools button { width: 100%; padding: 0 12px; justify-content: flex-start; }
	.frame:not(.bare) .word { display: inline; }
}
`;

function crumbs({ place }: ViewerState): TemplateResult | typeof nothing {
	if (!place) return nothing;
	const segments = place.kind === "address" ? segmentsOf(place.address) : [place.name];
	const last = segments.length - 1;
	const shown = segments.slice(-4);
	const skipped = segments.length - shown.length;
	return html`<div class="crumbs" title=${place.kind === "address" ? place.address : place.name}>
		${shown.map((segment, i) =>
			i + skipped === last
				? html`<span class="last">${segment}</span>`
				: html`<span>${segment}</span><span class="sep" aria-hidden="true">/</span>`,
		)}
	</div>`;
}

/** Bytes and requests so far, and what turned out to be missing. */
function numbers({
	dataset,
	bytes,
	requests,
	absentChunks,
}: ViewerState): TemplateResult {
	if (!dataset) return html``;
	const missing = absentChunks.length;
	return html`<span class="numbers mono">${formatBytes(bytes)} · ${requests} requests${
		missing > 0
			? html` · <span class="warn" title=${absentChunks.join("\n")}>${missing} missing</span>`
			: nothing
	}</span>`;
}

/** Where the data is from, what it cost, and the tools. */
export function topBar(
	state: ViewerState,
	actions: TopBarActions,
	link: { readonly possible: boolean; readonly copied: boolean },
	scenes: TemplateResult,
): TemplateResult {
	const ready = state.phase === "ready";
	return html`<div class="top">
		<span class="brand">bevscope</span>
		${crumbs(state)} ${scenes}
		<span class="fill"></span>
		${numbers(state)}
		<div class="tools">
			${
				ready
					? html`<button class="wide" title="Open other data" @click=${actions.choose}>Open</button>
						<button class="wide" title="Find a track or class (/)" @click=${actions.find}>Find</button>
						<button class="wide" title="Save picture, film or track (E)" @click=${actions.save}>Export</button>`
					: nothing
			}
			${
				ready && link.possible
					? html`<button class="wide ${link.copied ? "copied" : ""}" title="Copy a link to this moment"
						@click=${actions.copyLink}>${link.copied ? "Copied" : "Copy link"}</button>`
					: nothing
			}
			<button class="icon-only" aria-label=${`Theme: ${state.theme}`} title=${`Theme: ${state.theme}`}
				@click=${actions.nextTheme}>${icon("theme")}<span class="word">Theme: ${state.theme}</span></button>
			<button class="icon-only" aria-label="Keyboard" title="Keyboard (?)" @click=${actions.help}>${icon("help")}<span class="word">Keyboard</span></button>
		</div>
	</div>`;
}
