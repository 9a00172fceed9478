import { css } from "lit";

export const scenesStyles = css`
:host { display: flex; align-items: center; gap: 12px; min-width: 0; }
.switch { display: flex; background: var(--_raise); border-radius: 6px; flex: none; }
.switch .name { padding: 0 4px; white-space: nowrap; }
.when { color: var(--_ink2); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
@container bev-viewer (max-width: 640px) { .when { display: none; } }
/* The range of a large data set does not fit a phone's bar; the list shows it. */
@container bev-viewer (max-width: 400px) {
	.long .of { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
dialog { width: min(560px, calc(100vw - 24px)); }
dialog.many { height: min(640px, calc(100vh - 24px)); }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 0 16px 4px; }
.tools input[type="search"] { flex: 1; min-width: 180px; }
.tools form, .tools label { display: flex; align-items: center; gap: 4px; white-space: nowrap; }
.tools input[type="text"] { width: 72px; }
.tools [aria-invalid="true"] { border-color: var(--_warn-ink); }
.tools .wrong { color: var(--_warn-ink); width: 100%; }
.far { display: flex; align-items: center; gap: 12px; min-height: 24px; padding: 0 16px; color: var(--_ink2); }
.far progress { flex: 1; height: 4px; appearance: none; border: 0; border-radius: 2px; background: var(--_edge); overflow: hidden; }
.far progress::-webkit-progress-bar { background: var(--_edge); }
.far progress::-webkit-progress-value { background: var(--_accent); }
.far progress::-moz-progress-bar { background: var(--_accent); }
dialog .scroll { padding: 0 8px 8px; flex: 1; scroll-padding-top: 32px; }
table { border-collapse: collapse; width: 100%; }
table:focus-visible { outline: none; }
th { text-align: left; padding: 0; position: sticky; top: 0; background: var(--_panel); z-index: 1; }
th button { width: 100%; justify-content: flex-start; padding: 0 8px; gap: 2px; font-size: 11px; font-weight: 600; color: var(--_ink3); white-space: nowrap; }
th .icon { width: 12px; height: 12px; }
td { padding: 0 8px; height: 28px; color: var(--_ink2); white-space: nowrap; }
.number { text-align: right; }
th.number button { justify-content: flex-end; }
tbody tr { cursor: pointer; }
tbody tr:hover { background: var(--_raise); }
tbody tr[aria-current] { background: var(--_raise); box-shadow: inset 2px 0 var(--_accent); }
tbody tr[aria-current] td:first-child { color: var(--_ink); font-weight: 600; }
table:focus-visible tr.active { outline: 2px solid var(--_accent); outline-offset: -2px; }
footer { display: flex; justify-content: space-between; align-items: center; gap: 4px; padding: 8px; border-top: 1px solid var(--_line); }
footer > span { text-align: center; min-width: 0; }
footer span span { white-space: nowrap; }
footer button { white-space: nowrap; }
.wait { padding: 8px 16px; color: var(--_ink2); overflow-wrap: anywhere; }
.failed .wait { color: var(--_warn-ink); }
.failed button { margin: 0 16px; }
@media (pointer: coarse) { td { height: 44px; } dialog .scroll { scroll-padding-top: 48px; } }
@media (max-width: 480px) {
	dialog .scroll { padding: 0 4px 8px; }
	th button, td { padding: 0 3px; }
	td .word { display: none; }
	td.start span { display: block; }
}
@media (max-height: 480px) { dialog > header { padding-top: 4px; padding-bottom: 0; } footer { padding: 2px 8px; } }
`;
