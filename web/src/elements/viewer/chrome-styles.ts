import { css } from "lit";

/** Styles of the panels and buttons around the picture. */
export const chromeStyles = css`
.left, .right { background: var(--_panel); min-height: 0; contain: strict; position: relative; }
.left {
	grid-area: left;
	border-right: 1px solid var(--_line);
	overflow: auto;
	padding-bottom: 16px;
	/* Rows at the edge fade out to indicate that the list scrolls. */
	mask: linear-gradient(#000 calc(100% - 20px), transparent);
}
.right { grid-area: right; border-left: 1px solid var(--_line); display: flex; flex-direction: column; }
.tabs { display: flex; flex: none; align-items: center; padding: 0 4px; border-bottom: 1px solid var(--_line); container-type: inline-size; }
.tabs > [role="tablist"] { display: flex; flex-wrap: wrap; flex: 1; min-width: 0; }
[role="tab"] { display: block; flex: none; position: relative; min-height: 36px; padding: 0 4px; border-radius: 0; color: var(--_ink2); font-size: 12px; }
[role="tab"][aria-selected="true"] { color: var(--_ink); box-shadow: inset 0 -2px var(--_accent); }
.badge { margin-left: 4px; font-size: 11px; color: var(--_ink3); }
[role="tab"]:not([aria-selected="true"], #tab-notes) > .badge { display: none; }
@container (max-width: 328px) {
	[role="tab"] { font-size: 11px; }
}
@container (min-width: 440px) {
	[role="tab"] { padding: 0 8px; font-size: 13px; }
	[role="tab"]:not([aria-selected="true"]) > .badge { display: inline; }
}
[role="tab"]:focus-visible { outline-offset: -2px; }
.panel { flex: 1; min-height: 0; display: flex; flex-direction: column; overflow: auto; }
.panel > * { flex: 1 0 auto; min-height: 0; }
.panel > bev-agent-table, .panel > bev-review, .panel > bev-distributions { flex: 1 1 0; }
.lower { flex: 0 0 var(--_lower, 50%); min-height: 0; position: relative; display: flex; flex-direction: column; border-top: 1px solid var(--_line); }
.lower > .splitter { inset: 0 0 auto; width: auto; height: 6px; cursor: row-resize; }
.lower > .splitter:hover { box-shadow: inset 0 2px var(--_edge); }
.lower > .splitter:active { box-shadow: inset 0 3px var(--_accent); }
.right[data-drop]::after { content: ""; position: absolute; z-index: 3; inset: 0 0 50%; border: 2px dashed var(--_accent); background: color-mix(in srgb, var(--_accent) 12%, transparent); pointer-events: none; }
.right[data-drop="lower"]::after { inset: 50% 0 0; }
.splitter { position: absolute; inset: 0 auto 0 0; width: 8px; cursor: col-resize; touch-action: none; z-index: 2; }
.splitter:hover { box-shadow: inset 2px 0 var(--_edge); }
.splitter:focus-visible { outline-offset: -2px; }
.splitter:active { box-shadow: inset 3px 0 var(--_accent); }
.sheet-close, .peek, .menu-button { display: none; }
.n2 > bev-scene-view { right: 50%; }
.n2 > .p2 { left: 50%; right: 0; }
.n3 > bev-scene-view { right: 66.6%; }
.n3 > .p2 { left: 33.4%; right: 33.3%; }
.n3 > .p3 { left: 66.7%; right: 0; }
.n4 > bev-scene-view { right: 50%; bottom: 50%; }
.n4 > .p2 { left: 50%; right: 0; }
.n4 > .p3 { top: 50%; bottom: 0; }
.n4 > .p4 { left: 50%; right: 0; top: 50%; bottom: 0; }
.picture > .p2, .picture > .p4 { border-left: 1px solid var(--_edge); }
.picture > .p3 { border-left: 1px solid var(--_edge); }
.n4 > .p3, .n4 > .p4 { border-top: 1px solid var(--_edge); }
.skip { position: absolute; left: 8px; top: 8px; z-index: 20; background: var(--_panel); border: 1px solid var(--_accent); }
.skip:not(:focus) { clip-path: inset(50%); pointer-events: none; }
slot[name="panel"] { display: block; overflow: auto; }
.menu-button { position: absolute; top: 8px; right: 8px; z-index: 8; background: var(--_panel); border: 1px solid var(--_line); }
.peek { grid-area: peek; align-items: center; gap: 4px; min-width: 0; padding: 0 8px; background: var(--_panel); border-top: 1px solid var(--_line); }
.peek .line { flex: 1; min-width: 0; min-height: 36px; justify-content: flex-start; }
.peek .line > .icon { margin-left: auto; color: var(--_ink2); }
.over { position: absolute; inset: 0; border: 2px dashed var(--_accent); pointer-events: none; z-index: 30; display: grid; place-items: center; }
.over p { padding: 10px 16px; border-radius: 8px; background: var(--_panel); border: 1px solid var(--_accent); font-size: 16px; font-weight: 600; }
@media (pointer: coarse) {
	[role="tab"] { min-height: 44px; }
}
@media (forced-colors: active) {
	[role="tab"][aria-selected="true"] { border-bottom: 3px solid Highlight; }
	.splitter:hover, .splitter:focus-visible { background: Highlight; }
	.bar [aria-expanded="true"] { border-color: Highlight; }
}
/* Touch: tabs are taller; one row, which scrolls, leaves room for the content. */
@media (pointer: coarse) {
	@container bev-viewer (max-width: 559px) {
		.tabs > [role="tablist"] { flex-wrap: nowrap; overflow-x: auto; }
	}
}
@container bev-viewer (min-width: 1000px) {
	.frame.no-layers .left, .frame.no-details .right { display: none; }
}
@container bev-viewer (max-width: 999px) {
	.left, .right { grid-area: sheet; display: none; height: min(42cqh, 420px); border: 0; border-top: 1px solid var(--_line); }
	.frame.layers .left { display: block; }
	.frame.details .right { display: flex; }
	.frame:not(.layers, .details) .peek { display: flex; }
	.splitter { display: none; }
	[role="tab"] { font-size: 11px; }
	.sheet-close { display: inline-flex; flex: none; }
	.left > .sheet-close { position: sticky; top: 8px; float: right; margin: 8px; z-index: 5; background: var(--_panel); }
}
/* Landscape: sheets are beside the picture, which keeps its height. */
@container bev-viewer (min-width: 560px) and (max-width: 999px) and (max-height: 700px) {
	.left, .right { width: min(312px, 54cqw); height: auto; border: 0; border-left: 1px solid var(--_line); }
}
/* Thumbnail: panels cover the picture on demand. */
@container bev-viewer ((max-height: 359px) and (max-width: 999px)) or ((max-width: 419px) and (max-height: 479px)) {
	.menu-button { display: inline-flex; }
	.frame:not(.layers, .details) .peek { display: none; }
	.left, .right { grid-area: auto; position: absolute; inset: 0; width: auto; height: auto; z-index: 9; border: 0; }
}
/* Low and narrow: a sheet covers everything. */
@container bev-viewer (max-width: 559px) and (max-height: 559px) {
	.left, .right { grid-area: auto; position: absolute; inset: 0; height: auto; z-index: 9; border: 0; }
}
`;
