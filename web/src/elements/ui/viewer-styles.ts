import { css } from "lit";

export const viewerStyles = css`
:host {
	height: 100%;
	min-width: 0;
	max-width: 100%;
	min-height: 160px;
	/* The size where the page sets none: the container's content does not count. */
	contain-intrinsic-size: 640px 480px;
	container: bev-viewer / size;
	background: var(--_bg);
	overflow: hidden;
}
.frame {
	--_top: 44px;
	position: absolute;
	inset: 0;
	display: grid;
	grid-template: "top top top" var(--_top) "left picture right" minmax(0, 1fr) "time time time" auto / 232px minmax(0, 1fr) 312px;
}
.frame.bare { grid-template: "top" var(--_top) "picture" minmax(0, 1fr) / minmax(0, 1fr); }
.frame.alone { grid-template: "picture" minmax(0, 1fr) / minmax(0, 1fr); }
.top { grid-area: top; display: flex; align-items: center; gap: 12px; padding: 0 12px 0 16px; background: var(--_panel); border-bottom: 1px solid var(--_line); min-width: 0; }
.brand { font-weight: 700; letter-spacing: -0.01em; }
.crumbs { display: flex; gap: 6px; min-width: 0; white-space: nowrap; overflow: hidden; color: var(--_ink2); }
.crumbs span { overflow: hidden; text-overflow: ellipsis; }
.crumbs .sep { color: var(--_ink3); flex: none; }
.crumbs .last { color: var(--_ink); flex: none; max-width: 240px; }
.fill { flex: 1; }
.numbers { color: var(--_ink2); white-space: nowrap; }
.numbers .warn { color: var(--_warn-ink); }
.tools { display: flex; gap: 4px; flex: none; }
.tools button { color: var(--_ink2); }
.left, .right { background: var(--_panel); min-height: 0; overflow: auto; contain: strict; }
.left { grid-area: left; border-right: 1px solid var(--_line); }
.right { grid-area: right; border-left: 1px solid var(--_line); display: flex; flex-direction: column; }
.right > * { flex: 1; min-height: 0; }
.right > bev-review { flex: 0 1 auto; max-height: 50%; }
.right > .chosen { overflow: auto; }
.picture { grid-area: picture; position: relative; min-width: 0; min-height: 0; contain: strict; }
.picture > bev-scene-view, .picture > bev-open { position: absolute; inset: 0; }
.time { grid-area: time; border-top: 1px solid var(--_line); min-width: 0; contain: layout; }
.bar { display: none; }
.sheet-close { display: none; }
.notices { position: absolute; left: 50%; bottom: 12px; transform: translateX(-50%); display: grid; gap: 6px; width: max-content; max-width: min(560px, calc(100% - 200px)); z-index: 2; }
.notice { display: flex; align-items: center; gap: 8px; padding: 4px 4px 4px 12px; background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; color: var(--_ink2); }
.over { position: absolute; inset: 0; border: 2px dashed var(--_accent); pointer-events: none; z-index: 3; }
.back { position: absolute; top: 12px; right: 12px; }
@media (pointer: coarse) {
	.frame { --_top: 52px; }
}
@container bev-viewer (max-width: 1180px) {
	.frame { grid-template-columns: 208px minmax(0, 1fr) 280px; }
	.frame.bare { grid-template-columns: minmax(0, 1fr); }
	.crumbs > :not(.last) { display: none; }
}
@container bev-viewer (min-width: 2000px) {
	.frame { grid-template-columns: 264px minmax(0, 1fr) 360px; }
	.frame.bare { grid-template-columns: minmax(0, 1fr); }
}
@container bev-viewer (max-width: 899px) {
	.frame { grid-template: "top" var(--_top) "picture" minmax(0, 1fr) "sheet" auto "time" auto / minmax(0, 1fr); }
	.left, .right {
		grid-area: sheet;
		display: none;
		height: min(42cqh, 420px);
		border: 0;
		border-top: 1px solid var(--_line);
	}
	.frame.layers .left { display: block; }
	.frame.details .right { display: flex; }
	.sheet-close { display: flex; position: sticky; top: 0; justify-content: flex-end; height: 0; z-index: 5; }
	.sheet-close button { margin: 6px 8px; background: var(--_panel); }
	.right > .sheet-close { flex: none; }
	.chosen { --_head-room: 36px; }
	.right:has(.chosen) > .sheet-close button { margin-top: 16px; }
	.right > bev-agent-table, .right > .chosen { flex: 1 0 auto; min-height: 200px; }
	.right > bev-agent-table { max-height: 60%; }
	.right > bev-review { flex: none; max-height: none; }
	.bar { display: flex; gap: 4px; margin-left: auto; }
	.top > .fill { display: none; }
	.frame.bare .top > .fill { display: block; }
	.notices { max-width: calc(100% - 24px); width: max-content; bottom: 48px; }
}
@container bev-viewer (max-width: 640px) {
	.brand, .crumbs { display: none; }
	.top { padding: 0 8px; gap: 8px; }
	.frame.bare .brand { display: block; }
}
@container bev-viewer (max-width: 419px) and (max-height: 479px) {
	.frame { --_top: 0; }
	.top, .notices, .frame .left, .frame .right { display: none; }
}
@container bev-viewer (max-height: 359px) {
	.frame, .frame.bare { --_top: 0; }
	.top { display: none; }
}
`;
