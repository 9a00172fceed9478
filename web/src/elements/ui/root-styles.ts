import { css } from "lit";
import { tokens } from "./tokens.js";

/**
 * Isolates an element from the page's text styles. `all` resets inherited properties. A page's
 * rule on `*` matches the host and takes precedence over `:host`, so text properties are
 * `!important`. Size, position and visibility can be set by the page.
 */
const isolation = css`
:host {
	all: initial;
	visibility: inherit;
	pointer-events: inherit;
	direction: ltr !important;
	unicode-bidi: isolate !important;
	writing-mode: horizontal-tb !important;
	font: 13px/1.45 var(--_sans) !important;
	font-variant: normal !important;
	font-feature-settings: normal !important;
	letter-spacing: normal !important;
	word-spacing: normal !important;
	text-align: start !important;
	text-indent: 0 !important;
	text-transform: none !important;
	text-shadow: none !important;
	white-space: normal !important;
	word-break: normal !important;
	overflow-wrap: normal !important;
	hyphens: manual !important;
	list-style: none !important;
	border-collapse: separate !important;
	border-spacing: 0 !important;
	cursor: auto !important;
	color: var(--_ink) !important;
	-webkit-text-fill-color: currentcolor !important;
	-webkit-text-stroke: 0 !important;
	fill: black !important;
	stroke: none !important;
}
`;

const base = css`
:host {
	display: block;
	box-sizing: border-box;
}
:host([hidden]), [hidden] { display: none !important; }
*, *::before, *::after { box-sizing: border-box; }
h2, p, ul, dl, dd { margin: 0; padding: 0; }
ul { list-style: none; }
h2.section {
	font-size: 11px;
	font-weight: 600;
	letter-spacing: 0.07em;
	text-transform: uppercase;
	color: var(--_ink3);
}
.mono { font: 12px/1.45 var(--_mono); font-variant-numeric: tabular-nums; }
.hint { color: var(--_ink2); }
/* Content of another frame than the requested one; delayed to avoid flicker. */
.stale { opacity: 0.45; transition: opacity 80ms 60ms; }
.icon { width: 16px; height: 16px; display: block; flex: none; }
.sr {
	position: absolute;
	width: 1px;
	height: 1px;
	margin: -1px;
	overflow: hidden;
	clip-path: inset(50%);
	white-space: nowrap;
}
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; }
`;

/** Styles that the picture needs; `baseStyles` are these and those of controls. */
export const rootStyles = [isolation, tokens, base];
