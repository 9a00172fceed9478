import { css } from "lit";

export const viewerStyles = css`
:host {
	height: 100%;
	min-width: 0;
	max-width: 100%;
	min-height: 160px;
	/* Default size, since a size container ignores its content. */
	contain-intrinsic-size: 640px 480px;
	container: bev-viewer / size;
	/* Contains the absolute boxes below; size containers no longer do. */
	contain: layout;
	background: var(--_bg);
	overflow: hidden;
}
.frame {
	--_top: 44px;
	--_left: 232px;
	--_right: min(var(--_side, 312px), 45cqw);
	position: absolute;
	inset: 0;
	display: grid;
	grid-template: "top top top" var(--_top) "left picture right" minmax(0, 1fr) "time time time" auto / var(--_left) minmax(0, 1fr) var(--_right);
}
.frame:focus { outline: none; }
.frame.bare { grid-template: "top" var(--_top) "picture" minmax(0, 1fr) / minmax(0, 1fr); }
.frame.alone { grid-template: "picture" minmax(0, 1fr) / minmax(0, 1fr); }
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
.tabs { display: flex; flex: none; align-items: center; padding: 0 8px; border-bottom: 1px solid var(--_line); }
.tabs > [role="tablist"] { display: flex; flex-wrap: wrap; flex: 1; min-width: 0; }
[role="tab"] { flex: 0 1 auto; min-width: 0; min-height: 36px; padding: 0 8px; border-radius: 0; color: var(--_ink2); overflow: hidden; text-overflow: ellipsis; }
[role="tab"][aria-selected="true"] { color: var(--_ink); box-shadow: inset 0 -2px var(--_accent); }
.badge { font-size: 11px; color: var(--_ink3); }
[role="tab"]:focus-visible { outline-offset: -2px; }
.panel { flex: 1; min-height: 0; display: flex; flex-direction: column; overflow: auto; }
.panel > * { flex: 1 0 auto; min-height: 0; }
.panel > bev-agent-table, .panel > bev-review { flex: 1 1 0; }
.splitter { position: absolute; inset: 0 auto 0 0; width: 8px; cursor: col-resize; touch-action: none; z-index: 2; }
.splitter:hover { box-shadow: inset 2px 0 var(--_edge); }
.splitter:focus-visible { outline-offset: -2px; }
.splitter:active { box-shadow: inset 3px 0 var(--_accent); }
.sheet-close, .peek, .menu-button { display: none; }
.picture { grid-area: picture; position: relative; min-width: 0; min-height: 0; contain: strict; }
.picture > bev-scene-view, .picture > bev-open { position: absolute; inset: 0; }
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
.frame.no-bar { --_top: 0px; }
.skip { position: absolute; left: 8px; top: 8px; z-index: 20; background: var(--_panel); border: 1px solid var(--_accent); }
.skip:not(:focus) { clip-path: inset(50%); pointer-events: none; }
slot[name="panel"] { display: block; overflow: auto; }
.overlay { position: absolute; right: 54px; bottom: 12px; max-width: 45%; }
.alone .overlay { right: 12px; }
.menu-button { position: absolute; top: 8px; right: 8px; z-index: 8; background: var(--_panel); border: 1px solid var(--_line); }
.peek { grid-area: peek; align-items: center; gap: 4px; min-width: 0; padding: 0 8px; background: var(--_panel); border-top: 1px solid var(--_line); }
.peek .line { flex: 1; min-width: 0; min-height: 36px; justify-content: flex-start; }
.peek .line > .icon { margin-left: auto; color: var(--_ink2); }
.time { grid-area: time; border-top: 1px solid var(--_line); min-width: 0; contain: layout; }
.notices { position: absolute; left: 50%; bottom: 12px; transform: translateX(-50%); display: grid; gap: 6px; width: max-content; max-width: min(560px, calc(100% - 200px)); z-index: 2; }
.notice { display: flex; align-items: center; gap: 8px; padding: 4px 4px 4px 12px; background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; color: var(--_ink2); }
.notice > span { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.notice > button { flex: none; }
.notice .line { display: block; }
.notices .all { justify-self: end; }
.over { position: absolute; inset: 0; border: 2px dashed var(--_accent); pointer-events: none; z-index: 30; display: grid; place-items: center; }
.over p { padding: 10px 16px; border-radius: 8px; background: var(--_panel); border: 1px solid var(--_accent); font-size: 16px; font-weight: 600; }
.back { position: absolute; top: 12px; right: 12px; }
@media (pointer: coarse) {
	.frame:not(.no-bar) { --_top: 52px; }
	.overlay { right: 68px; }
	[role="tab"] { min-height: 44px; }
}
@media (forced-colors: active) {
	[role="tab"][aria-selected="true"] { border-bottom: 3px solid Highlight; }
	.splitter:hover, .splitter:focus-visible { background: Highlight; }
	.bar [aria-expanded="true"] { border-color: Highlight; }
}
@container bev-viewer (min-width: 900px) {
	.frame.no-layers { --_left: 0px; }
	.frame.no-details { --_right: 0px; }
	.frame.no-layers .left, .frame.no-details .right { display: none; }
}
@container bev-viewer (min-width: 900px) and (max-width: 1180px) {
	.frame { --_left: 200px; }
}
@container bev-viewer (min-width: 2000px) {
	.frame { --_left: 264px; --_right: min(var(--_side, 360px), 45cqw); }
}
@container bev-viewer (max-width: 899px) {
	.frame { grid-template: "top" var(--_top) "picture" minmax(0, 1fr) "peek" auto "sheet" auto "time" auto / minmax(0, 1fr); }
	.left, .right { grid-area: sheet; display: none; height: min(42cqh, 420px); border: 0; border-top: 1px solid var(--_line); }
	.frame.layers .left { display: block; }
	.frame.details .right { display: flex; }
	.frame:not(.layers, .details) .peek { display: flex; }
	.splitter { display: none; }
	.sheet-close { display: inline-flex; flex: none; }
	.left > .sheet-close { position: sticky; top: 8px; float: right; margin: 8px; z-index: 5; background: var(--_panel); }
	.notices { max-width: calc(100% - 24px); width: max-content; bottom: 48px; }
}
/* Landscape: sheets are beside the picture, which keeps its height. */
@container bev-viewer (min-width: 560px) and (max-width: 899px) and (max-height: 700px) {
	.frame { grid-template: "top top" var(--_top) "picture sheet" minmax(0, 1fr) "peek peek" auto "time time" auto / minmax(0, 1fr) auto; }
	.left, .right { width: min(312px, 54cqw); height: auto; border: 0; border-left: 1px solid var(--_line); }
}
/* Thumbnail: picture, play and scrub bar; panels cover the picture on demand. */
@container bev-viewer ((max-height: 359px) and (max-width: 899px)) or ((max-width: 419px) and (max-height: 479px)) {
	.frame { --_top: 0px; }
	.menu-button { display: inline-flex; }
	.frame:not(.layers, .details) .peek { display: none; }
	.left, .right { grid-area: auto; position: absolute; inset: 0; width: auto; height: auto; z-index: 9; border: 0; }
	.notices { max-height: calc(100% - 16px); overflow: auto; bottom: 8px; }
}
/* Low and narrow: a sheet covers everything. */
@container bev-viewer (max-width: 559px) and (max-height: 559px) {
	.left, .right { grid-area: auto; position: absolute; inset: 0; height: auto; z-index: 9; border: 0; }
}
`;
