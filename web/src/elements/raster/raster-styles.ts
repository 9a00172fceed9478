import { css } from "lit";

export const rasterStyles = css`
section { padding: 16px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
canvas {
	display: block;
	width: min(100%, 340px * var(--_ratio, 1));
	height: auto;
	margin: 0 auto;
	border-radius: 6px;
	background: #000;
	box-shadow: 0 0 0 1px var(--_line);
	cursor: crosshair;
}
.views button { border: 1px solid var(--_line); }
.views { flex-wrap: wrap; }
dialog { max-width: calc(100vw - 24px); max-height: calc(100vh - 24px); }
dialog .body { display: grid; gap: 8px; padding: 0 16px 16px; overflow: auto; }
dialog canvas { width: min(calc(100vw - 64px), calc((100vh - 170px) * var(--_ratio, 1))); image-rendering: pixelated; }
.arrays { min-width: 0; overflow: auto; }
.arrays summary { min-height: 28px; padding: 4px 0; color: var(--_ink2); cursor: pointer; }
.arrays table { border-collapse: collapse; width: 100%; margin-bottom: 8px; }
.arrays th { font-weight: 400; color: var(--_ink3); text-align: right; padding: 0 4px; font-size: 11px; }
.arrays th:first-child { text-align: left; }
.arrays td { text-align: right; padding: 0 4px; white-space: nowrap; font-size: 11px; }
.arrays caption { text-align: left; color: var(--_ink2); font-size: 11px; padding: 4px 0 2px; }
.words { color: var(--_ink2); text-align: center; }
.row { display: flex; gap: 4px; align-items: center; }
.row select { flex: 1; min-width: 0; }
.bad { display: flex; gap: 8px; align-items: flex-start; overflow-wrap: anywhere; }
.bad .icon { color: var(--_warn-ink); margin-top: 2px; }
.wide { width: 100%; }
.file {
	position: relative;
	display: inline-flex;
	align-items: center;
	justify-content: center;
	width: 28px;
	min-height: 28px;
	border-radius: 6px;
	cursor: pointer;
}
.file:hover { background: var(--_raise); }
.file:focus-within { outline: 2px solid var(--_accent); outline-offset: 1px; }
@media (pointer: coarse) { .file { width: 44px; min-height: 44px; } }
`;
