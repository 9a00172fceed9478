import { css } from "lit";

export const distributionsStyles = css`
:host { display: flex; flex-direction: column; min-height: 0; }
header { padding: 8px 16px 4px; }
p { padding: 0 16px 8px; color: var(--_ink2); }
p.count { padding-bottom: 4px; }
p.wrong { color: var(--_warn-ink); overflow-wrap: anywhere; }
.hint { padding: 4px; font-size: 12px; color: var(--_ink3); }
.acts { display: flex; flex-wrap: wrap; gap: 4px; padding: 0 16px 4px; }
.acts.flat { padding: 8px 0 4px; }
.acts select { flex: 1; min-width: 0; padding: 0 4px; }
.acts > button { border: 1px solid var(--_line); }
.chip { gap: 4px; font-size: 12px; border-radius: 14px; overflow-wrap: anywhere; text-align: left; }
.chip .icon { width: 12px; height: 12px; }
.scroll { overflow: auto; flex: 1; min-height: 96px; padding: 0 12px 8px; }
.scroll > p { padding: 0 4px 8px; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(136px, 1fr)); gap: 8px 12px; }
section { min-width: 0; }
h3 { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 8px; margin: 0; font-size: 12px; font-weight: 400; }
h3 .name { justify-content: flex-start; padding: 0 4px; min-width: 0; text-align: left; }
h3 .name:disabled { opacity: 1; color: var(--_ink2); }
h3 .of { font-size: 11px; color: var(--_ink3); margin-left: auto; padding-right: 2px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 12px; margin: 0; padding: 0 4px 8px; list-style: none; color: var(--_ink2); font-size: 12px; }
.legend li { display: flex; align-items: center; gap: 4px; overflow-wrap: anywhere; }
.swatch { fill: var(--_ink3); }
.swatch.vehicle { fill: var(--_vehicle); }
.swatch.cyclist { fill: var(--_cyclist); }
.swatch.pedestrian { fill: var(--_pedestrian); }
.swatch.other { fill: var(--_other); }
.swatch.ego { fill: var(--_ego); }
.swatch.ink2 { fill: var(--_ink2); }
.swatch.model-1 { fill: var(--_model-1); }
.swatch.model-2 { fill: var(--_model-2); }
.swatch.model-3 { fill: var(--_model-3); }
.swatch.model-4 { fill: var(--_model-4); }
.means { margin-bottom: 8px; font-size: 12px; }
.means th { padding: 2px 4px; font-size: 11px; font-weight: 400; color: var(--_ink3); text-align: left; }
.means thead th:last-child { text-align: right; }
.means tbody tr { cursor: default; }
.means td { vertical-align: top; white-space: nowrap; }
.means .name { display: block; font-size: 12px; color: var(--_ink); overflow-wrap: anywhere; }
.means .hint { display: block; padding: 0; font-size: 11px; white-space: normal; }
.verdict { padding: 4px; color: var(--_ink); }
.number { text-align: right; }
`;
