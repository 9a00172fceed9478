import { css } from "lit";

export const galleryStyles = css`
dialog { width: min(max(1180px, 75vw), calc(100vw - 24px)); max-width: none; height: min(max(900px, 85vh), calc(100vh - 24px)); max-height: none; }
dialog > header > div { min-width: 0; }
.of { color: var(--_ink2); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--_ink2); padding-top: 4px; }
.legend span { display: inline-flex; gap: 6px; align-items: center; min-width: 0; overflow-wrap: anywhere; }
.legend span:last-child { color: var(--_ink); }
.value { white-space: nowrap; }
.tools { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 0 16px 12px; border-bottom: 1px solid var(--_line); }
.tools label { display: inline-flex; gap: 6px; align-items: center; color: var(--_ink2); }
.tools select { max-width: 180px; }
.tools .fill { flex: 1; }
.grid {
	flex: 1;
	min-height: 0;
	overflow: auto;
	padding: 16px;
	display: grid;
	align-content: start;
	gap: 16px;
	grid-template-columns: repeat(auto-fill, minmax(min(var(--_width), 100%), 1fr));
}
.grid:focus-visible { outline-offset: -2px; }
.grid li { padding: 6px; border-radius: 8px; border: 2px solid transparent; cursor: pointer; min-width: 0; position: relative; content-visibility: auto; contain-intrinsic-height: auto 240px; }
.grid li.chosen { background: var(--_raise); }
.grid li.active { border-color: var(--_accent); }
.tags { display: flex; flex-wrap: wrap; gap: 4px; padding-top: 4px; }
.tag { padding: 0 8px; border: 1px solid var(--_edge); border-radius: 10px; font-size: 12px; color: var(--_ink2); }
.tagging input { width: 88px; }
.size input { width: 84px; }
.grid li:hover { background: var(--_raise); }
.grid canvas { display: block; width: 100%; height: auto; aspect-ratio: 16 / 9; border-radius: 4px; background: var(--_ground); }
.grid canvas[data-state="failed"] { background: repeating-linear-gradient(45deg, var(--_raise) 0 6px, var(--_line) 6px 8px); }
.grid li.skip canvas { opacity: 0.4; }
.grid li.skip p { color: var(--_ink3); }
.grid p { overflow-wrap: anywhere; }
.grid .where { padding-top: 6px; }
.badge {
	position: absolute;
	inset: 12px 12px auto auto;
	padding: 2px 8px;
	border-radius: 10px;
	font-weight: 600;
	background: var(--_accent);
	color: var(--_on-accent);
}
.skip .badge { background: var(--_raise); color: var(--_ink); }
.state { padding: 8px 16px; border-top: 1px solid var(--_line); min-height: 36px; display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--_ink2); }
.state .keys { margin-inline-start: auto; }
kbd { font: 12px var(--_mono); border: 1px solid var(--_edge); border-radius: 3px; padding: 0 4px; }
@media (max-width: 640px) {
	.state .keys, .tools .fill { display: none; }
	.tools { gap: 4px; padding: 0 12px 8px; }
	.tools label { gap: 4px; }
	.tools select { max-width: 92px; }
	.tools label + button + label select { max-width: 76px; }
	.tools button { padding-inline: 6px; }
	.grid { gap: 8px; padding: 8px; }
	.tools label.size { display: none; }
	.tools .word { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
	.tagging input { width: 72px; }
}
@media (forced-colors: active) {
	.grid li.active { border-color: Highlight; }
	.badge { border: 1px solid CanvasText; }
}
`;
