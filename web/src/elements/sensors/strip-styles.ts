import { css } from "lit";

/** Place of the strip in the viewer: below the picture. */
export const stripPlace = css`
bev-cameras { grid-area: cameras; min-width: 0; }
.frame:has(> bev-cameras) { grid-template: "top top top" var(--_top) "left picture right" minmax(0, 1fr) "left cameras right" auto "time time time" auto / var(--_left) minmax(0, 1fr) var(--_right); }
@container bev-viewer (max-width: 899px) {
	.frame:has(> bev-cameras) { grid-template: "top" var(--_top) "picture" minmax(0, 1fr) "cameras" auto "peek" auto "sheet" auto "time" auto / minmax(0, 1fr); }
	.frame.layers > bev-cameras, .frame.details > bev-cameras { display: none; }
}
@container bev-viewer (min-width: 560px) and (max-width: 899px) and (max-height: 700px) {
	.frame:has(> bev-cameras) { grid-template: "top top" var(--_top) "picture sheet" minmax(0, 1fr) "cameras sheet" auto "peek peek" auto "time time" auto / minmax(0, 1fr) auto; }
}
/* Low boxes: the picture needs the height. */
@container bev-viewer ((max-height: 479px) and (max-width: 899px)) or (max-height: 359px) {
	bev-cameras { display: none; }
}
`;

export const stripStyles = css`
:host { position: relative; background: var(--_panel); border-top: 1px solid var(--_line); }
.head { display: flex; align-items: center; gap: 4px; min-height: 32px; padding: 2px 8px; }
.title { flex: none; padding: 0 8px 0 4px; font-weight: 600; }
.names { display: flex; flex-wrap: wrap; gap: 2px 4px; min-width: 0; max-height: 64px; overflow: hidden auto; padding: 2px; }
.names button { max-width: 160px; color: var(--_ink3); font-size: 12px; }
.names [aria-pressed="true"] { color: var(--_ink); }
.names button > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.again { flex: none; margin-left: auto; }
#boxes { position: relative; }
.boxes { display: flex; flex-wrap: wrap; gap: 8px; height: min(var(--_strip, 132px), 32cqh); padding: 2px 12px 10px; overflow: hidden auto; }
.box {
	position: relative;
	flex: none;
	flex-direction: column;
	justify-content: flex-start;
	height: 100%;
	min-height: 0;
	min-width: 96px;
	max-width: 100%;
	padding: 0;
	overflow: hidden;
	border: 1px solid var(--_line);
	border-radius: 6px;
	background: var(--_ground);
	line-height: 1.4;
}
.box:hover, .box[aria-pressed="true"] { background: var(--_ground); border-color: var(--_edge); }
canvas { flex: none; height: calc(100% - 20px); max-width: 100%; object-fit: contain; }
canvas.gone { visibility: hidden; }
canvas.late { opacity: 0.45; transition: opacity 80ms 60ms; }
.word { position: absolute; inset: 0 0 20px; display: grid; place-content: center; padding: 4px 8px; color: var(--_ink2); font-size: 12px; text-align: center; overflow: hidden; overflow-wrap: anywhere; }
.word.failed { color: var(--_warn-ink); }
.caption { position: absolute; inset: auto 0 0; height: 20px; display: flex; justify-content: space-between; gap: 8px; padding: 2px 8px; font-size: 11px; background: var(--_panel); color: var(--_ink2); text-align: left; }
.caption .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.caption .late { flex: none; font-size: 11px; color: var(--_warn-ink); }
.boxes.large { --_others: 180px; height: min(40cqh, 440px); flex-flow: column nowrap; align-items: flex-end; }
.large > .box { width: var(--_others); height: auto; aspect-ratio: 16 / 10; }
.large > .is-large { position: absolute; inset: 2px calc(var(--_others) + 24px) 10px 12px; width: auto; aspect-ratio: auto; }
.large.alone > .is-large { right: 12px; }
.splitter { position: absolute; inset: -4px 0 auto; height: 8px; cursor: row-resize; touch-action: none; z-index: 2; }
.splitter:hover { box-shadow: inset 0 4px transparent, inset 0 5px var(--_edge); }
.splitter:focus-visible { outline-offset: -2px; }
@media (pointer: coarse) {
	.head { min-height: 48px; }
}
@media (forced-colors: active) {
	.splitter:hover, .splitter:focus-visible { background: Highlight; }
}
@container bev-viewer (min-width: 2000px) {
	.boxes { height: min(var(--_strip, 220px), 32cqh); }
}
@container bev-viewer (max-width: 899px) {
	.boxes { height: min(var(--_strip, 88px), 24cqh); }
	.boxes.large { --_others: 112px; }
}
@container bev-viewer (max-width: 559px) {
	.boxes.large { height: min(40cqh, 300px); flex-flow: row wrap; align-items: flex-start; align-content: flex-start; }
	.large > .is-large { position: relative; inset: auto; order: -1; width: 100%; aspect-ratio: 16 / 10; }
	.large > .box { --_others: calc((100% - 16px) / 3); }
}
`;
