import { css } from "lit";

export const seriesStyles = css`
:host { padding: 12px 16px; container-type: inline-size; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding-bottom: 8px; }
.bar select { flex: 1 1 100%; min-width: 0; max-width: 100%; }
.bar .reset { margin-right: auto; }
.tracks { display: flex; flex-wrap: wrap; gap: 6px; padding-bottom: 8px; }
.tracks li { display: flex; align-items: center; gap: 6px; padding-left: 8px; border: 1px solid var(--_line); border-radius: 6px; }
.tracks li button { min-height: 26px; }
.swatch { width: 18px; height: 8px; flex: none; overflow: visible; }
.chart { padding: 8px 0 4px; border-top: 1px solid var(--_line); }
.chart header { display: flex; align-items: baseline; gap: 8px; }
.chart h2 { margin: 0; font-size: 13px; font-weight: 600; flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.chart h2 .unit { color: var(--_ink3); font-weight: 400; }
.readout { display: flex; flex-wrap: wrap; gap: 2px 12px; min-height: 18px; color: var(--_ink2); }
.readout span { display: inline-flex; align-items: center; gap: 5px; }
.area { display: block; width: 100%; height: 128px; touch-action: pan-y; cursor: crosshair; overflow: hidden; border-radius: 2px; }
.grid { stroke: var(--_line); }
.axis { stroke: var(--_edge); }
.tick { font: 10px var(--_mono); font-variant-numeric: tabular-nums; fill: var(--_ink2); }
.now { stroke: var(--_ink); }
.over { stroke: var(--_accent); stroke-dasharray: 3 2; }
.box { fill: var(--_accent); fill-opacity: 0.18; stroke: var(--_accent); }
.none { fill: var(--_ink3); font: 12px var(--_sans); }
.values { overflow: auto; max-height: 320px; border: 1px solid var(--_line); border-radius: 6px; }
table { border-collapse: collapse; font: 11px/1.5 var(--_mono); font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: 2px 8px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--_line); }
th { font-weight: 400; color: var(--_ink2); }
thead th { position: sticky; top: 0; background: var(--_panel); }
.problem { display: grid; gap: 8px; justify-items: start; padding-bottom: 8px; }
@media (forced-colors: active) {
	.now, .axis { stroke: CanvasText; }
	.tick, .none { fill: CanvasText; }
}
`;
