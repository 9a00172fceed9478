import { css } from "lit";

/** Styles of the frame, the picture and the notices. */
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
	--_right: min(var(--_side, 340px), 45cqw);
	position: absolute;
	inset: 0;
	display: grid;
	grid-template: "top top top" var(--_top) "left picture right" minmax(0, 1fr) "time time time" auto / var(--_left) minmax(0, 1fr) var(--_right);
}
.frame:focus { outline: none; }
.frame.bare { grid-template: "top" var(--_top) "picture" minmax(0, 1fr) / minmax(0, 1fr); }
.frame.alone { grid-template: "picture" minmax(0, 1fr) / minmax(0, 1fr); }
.picture { grid-area: picture; position: relative; min-width: 0; min-height: 0; contain: strict; }
.picture > bev-scene-view, .picture > bev-open { position: absolute; inset: 0; }
.frame.no-bar { --_top: 0px; }
.overlay { position: absolute; right: 54px; bottom: 12px; max-width: 45%; }
.alone .overlay { right: 12px; }
.time { grid-area: time; border-top: 1px solid var(--_line); min-width: 0; contain: layout; }
/* Holds the places of bars and panels until they are loaded. */
.loading:not(.bare) { background: var(--_panel); }
.loading > .picture { background: var(--_bg); }
.loading.timed:not(.bare)::after { content: ""; grid-area: time; height: 177px; }
.notices { position: absolute; left: 50%; bottom: 12px; transform: translateX(-50%); display: grid; gap: 6px; width: max-content; max-width: min(560px, calc(100% - 200px)); z-index: 2; }
.notice { display: flex; align-items: center; gap: 8px; padding: 4px 4px 4px 12px; background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; color: var(--_ink2); }
.notice > span { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.notice > button { flex: none; }
.notice .line { display: block; }
.notices .all { justify-self: end; }
.back { position: absolute; top: 12px; right: 12px; }
@media (pointer: coarse) {
	.frame:not(.no-bar) { --_top: 52px; }
	.overlay { right: 68px; }
}
@container bev-viewer (min-width: 1000px) {
	.frame.no-layers { --_left: 0px; }
	.frame.no-details { --_right: 0px; }
}
@container bev-viewer (min-width: 1000px) and (max-width: 1180px) {
	.frame { --_left: 200px; }
}
@container bev-viewer (min-width: 2000px) {
	.frame { --_left: 264px; }
}
@container bev-viewer (max-width: 999px) {
	.frame { grid-template: "top" var(--_top) "picture" minmax(0, 1fr) "peek" auto "sheet" auto "time" auto / minmax(0, 1fr); }
	.notices { max-width: calc(100% - 24px); width: max-content; bottom: 48px; }
}
/* Landscape: sheets are beside the picture, which keeps its height. */
@container bev-viewer (min-width: 560px) and (max-width: 999px) and (max-height: 700px) {
	.frame { grid-template: "top top" var(--_top) "picture sheet" minmax(0, 1fr) "peek peek" auto "time time" auto / minmax(0, 1fr) auto; }
}
/* Thumbnail: picture, play and scrub bar; panels cover the picture on demand. */
@container bev-viewer ((max-height: 359px) and (max-width: 999px)) or ((max-width: 419px) and (max-height: 479px)) {
	.frame { --_top: 0px; }
	.notices { max-height: calc(100% - 16px); overflow: auto; bottom: 8px; }
}
`;
