import { css, unsafeCSS } from "lit";
import { PALETTE_NAMES } from "../draw/palette.js";

/** Concatenated values of all tokens that the picture uses. */
const READ = unsafeCSS(PALETTE_NAMES.map((name) => `var(--_${name})`).join(" "));

export const sceneStyles = css`
:host {
	position: relative;
	overflow: hidden;
	min-width: 0;
	min-height: 0;
	background: var(--_ground);
	container-type: size;
}
.stage {
	position: absolute;
	inset: 0;
	outline: none;
	/* When the page sets a token, this transition ends, which triggers a redraw. */
	--_read: ${READ};
	transition: --_read 1ms step-end allow-discrete;
}
.stage:focus-visible::after {
	content: "";
	position: absolute;
	inset: 0;
	border: 2px solid var(--_accent);
	pointer-events: none;
}
canvas { width: 100%; height: 100%; display: block; touch-action: none; cursor: grab; }
:host([held]) canvas { object-fit: contain; }
canvas:active { cursor: grabbing; }
:host([cooperative]) canvas { touch-action: pan-x pan-y; }
canvas.over { cursor: pointer; }
canvas.measuring { cursor: crosshair; }
.gesture-hint { position: absolute; inset: 0; display: grid; place-items: center; padding: 16px; pointer-events: none; }
.gesture-hint span { padding: 10px 16px; border-radius: 8px; background: var(--_panel); border: 1px solid var(--_line); font-size: 15px; text-align: center; }
@media (forced-colors: active) {
	canvas { forced-color-adjust: none; }
}
`;
