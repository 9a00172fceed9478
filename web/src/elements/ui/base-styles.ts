import { css } from "lit";
import { rootStyles } from "./root-styles.js";

/** Styles of buttons, fields and sliders. */
export const controlStyles = css`
button, select, input[type="text"], input[type="url"], input[type="search"] {
	font: inherit;
	color: inherit;
	min-height: 28px;
	border-radius: 6px;
	border: 1px solid transparent;
	background: none;
	padding: 0 8px;
}
/* Whole pixels, so that text is centred exactly. */
button { line-height: 19px; cursor: pointer; display: inline-flex; align-items: center; justify-content: center; gap: 6px; }
button:hover { background: var(--_raise); }
button:active { background: var(--_line); }
button:disabled { color: var(--_ink3); cursor: default; background: none; opacity: 0.55; }
button.icon-only { width: 28px; padding: 0; }
button.raised { background: var(--_raise); }
button.raised:hover { background: var(--_line); }
button.primary { background: var(--_accent); color: var(--_on-accent); font-weight: 600; padding: 0 14px; }
button.primary:hover { filter: brightness(1.08); }
button.outlined { border-color: var(--_edge); }
button[aria-pressed="true"] { background: var(--_raise); color: var(--_ink); box-shadow: inset 0 0 0 1px var(--_edge); }
input[type="text"], input[type="url"], input[type="search"], select {
	background: var(--_bg);
	border-color: var(--_edge);
}
input::placeholder { color: var(--_ink3); opacity: 1; }
@media (pointer: coarse) {
	button, select, input[type="text"], input[type="url"], input[type="search"] { min-height: 44px; }
	button.icon-only { width: 44px; }
}
input[type="range"] {
	appearance: none;
	width: 100%;
	height: 24px;
	margin: 0;
	background: none;
	cursor: pointer;
}
input[type="range"]::-webkit-slider-runnable-track { height: 4px; border-radius: 2px; background: var(--_edge); }
input[type="range"].filled::-webkit-slider-runnable-track { background: linear-gradient(to right, var(--_accent) var(--_fill, 0%), var(--_edge) var(--_fill, 0%)); }
input[type="range"]::-moz-range-track { height: 4px; border-radius: 2px; background: var(--_edge); }
input[type="range"]::-moz-range-progress { height: 4px; border-radius: 2px; background: var(--_accent); }
input[type="range"]::-webkit-slider-thumb {
	appearance: none;
	width: 14px;
	height: 14px;
	margin-top: -5px;
	border-radius: 50%;
	border: 0;
	background: var(--_accent);
}
input[type="range"]::-moz-range-thumb { width: 14px; height: 14px; border: 0; border-radius: 50%; background: var(--_accent); }
@media (forced-colors: active) {
	button { border-color: ButtonBorder; }
	button[aria-pressed="true"], button[aria-checked="true"], button.primary {
		forced-color-adjust: none;
		background: Highlight;
		color: HighlightText;
	}
	svg { forced-color-adjust: auto; }
	input[type="range"]::-webkit-slider-thumb { background: Highlight; }
	input[type="range"]::-webkit-slider-runnable-track { background: CanvasText; }
}
@media (prefers-reduced-motion: no-preference) {
	button { transition: background-color 80ms; }
}
`;

/** Base styles of elements with controls. */
export const baseStyles = [rootStyles, controlStyles];

export const dialogStyles = css`
dialog {
	color: var(--_ink);
	background: var(--_panel);
	border: 1px solid var(--_line);
	border-radius: 6px;
	box-shadow: 0 12px 40px rgb(0 0 0 / 0.35);
	padding: 0;
	max-width: min(560px, calc(100vw - 24px));
	max-height: min(640px, calc(100vh - 24px));
}
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: rgb(0 0 0 / 0.45); }
dialog > header { display: flex; align-items: center; justify-content: space-between; gap: 24px; padding: 12px 8px 8px 16px; }
dialog h2 { font-size: 16px; font-weight: 600; }
dialog .scroll { overflow: auto; min-height: 0; }
`;
