import { css } from "lit";

/** Lines by style; dashes tell those of similar colours apart. */
export const trackLines = css`
.line { fill: none; stroke-width: 1.75; stroke-linejoin: round; stroke-linecap: round; }
.line-0 { stroke: var(--_ego); }
.line-1 { stroke: var(--_ink); }
.line-2 { stroke: var(--_vehicle); }
.line-3 { stroke: var(--_pedestrian); stroke-dasharray: 7 3; }
.line-4 { stroke: var(--_cyclist); stroke-dasharray: 2 3; }
.line-5 { stroke: var(--_predicted); }
.line-6 { stroke: var(--_yellow); stroke-dasharray: 7 3; }
.line-7 { stroke: var(--_ink3); stroke-dasharray: 2 3; }
.outlier { fill: currentColor; stroke-width: 1; stroke-dasharray: none; }
@media (forced-colors: active) {
	.line { stroke: CanvasText; }
}
`;
