import { css } from "lit";

export const findStyles = css`
/* The top stays in place while errors and hits change the height. */
dialog { --_top: max(12px, min(8vh, 64px)); margin-top: var(--_top); width: min(720px, calc(100vw - 24px)); max-width: none; max-height: min(760px, calc(100vh - var(--_top) - 12px)); }
dialog:has(.work) { height: min(760px, calc(100vh - var(--_top) - 12px)); }
.body { display: flex; flex-direction: column; gap: 12px; padding: 4px 16px 16px; min-height: 0; flex: 1; overflow: auto; }
.body > * { flex: none; }
form { display: flex; flex-wrap: wrap; gap: 8px; align-items: start; }
.box { position: relative; flex: 1 1 240px; min-width: 0; }
.box input { width: 100%; }
.box input[aria-invalid="true"] { border-color: var(--_warn-ink); }
#options {
	position: absolute;
	inset: 100% 0 auto;
	z-index: 1;
	max-height: 220px;
	overflow: auto;
	margin-top: 2px;
	background: var(--_panel);
	border: 1px solid var(--_edge);
	border-radius: 6px;
	padding: 4px;
}
li[role="option"] { padding: 4px 8px; border-radius: 4px; cursor: pointer; }
li[role="option"]:hover { background: var(--_raise); }
#options li.active, #options li.active .hint { background: var(--_accent); color: var(--_on-accent); }
.hits li.active { background: var(--_raise); box-shadow: inset 3px 0 var(--_accent); }
#options li { display: flex; justify-content: space-between; gap: 12px; }
#options .mono { overflow-wrap: anywhere; }
.chips { display: flex; flex-wrap: wrap; gap: 6px; }
.chip { min-height: 26px; padding: 0 10px; border-color: var(--_edge); border-radius: 13px; }
.chip[aria-pressed="true"] { background: var(--_accent); color: var(--_on-accent); box-shadow: none; }
.saved { align-items: center; }
.saved:empty { display: none; }
.pair { display: inline-flex; align-items: center; }
.pair .icon-only { width: 24px; min-height: 24px; }
.chip.add { border-style: dashed; color: var(--_ink2); display: inline-flex; align-items: center; gap: 4px; }
.saved form { gap: 4px; flex-wrap: nowrap; }
.saved input { width: 160px; min-height: 26px; }
.sort { display: inline-flex; gap: 6px; align-items: center; color: var(--_ink2); margin-inline-start: auto; }
.sort select { max-width: 180px; }
.work { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; min-height: 28px; color: var(--_ink2); }
.work progress { flex: 1; min-width: 60px; accent-color: var(--_accent); }
.trouble { color: var(--_warn-ink); overflow-wrap: anywhere; }
#filter, .trouble pre { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.trouble pre { margin: 4px 0 0; padding: 4px 8px; overflow-x: auto; color: var(--_ink); background: var(--_bg); border-radius: 4px; }
.body > .hits { flex: 1 0 180px; min-height: 0; overflow: auto; border: 1px solid var(--_line); border-radius: 6px; padding: 4px; }
.hits li { display: flex; gap: 12px; align-items: center; content-visibility: auto; contain-intrinsic-height: 80px; }
.hits .said { display: flex; flex-wrap: wrap; gap: 2px 12px; min-width: 0; }
.hits .where { flex: 1 0 100%; }
.thumbnail { flex: none; width: 128px; height: 72px; border-radius: 4px; background: var(--_ground); }
.thumbnail[data-state="failed"] { background: repeating-linear-gradient(45deg, var(--_raise) 0 6px, var(--_line) 6px 8px); }
.hits:focus-visible { outline-offset: -2px; }
@media (pointer: coarse) {
	li[role="option"] { min-height: 44px; align-items: center; }
	.chip { min-height: 44px; border-radius: 22px; }
}
@media (forced-colors: active) {
	li.active, .chip[aria-pressed="true"] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
}
`;
