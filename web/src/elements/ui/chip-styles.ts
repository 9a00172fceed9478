import { css } from "lit";

export const chipStyles = css`
.chip { flex: none; display: block; }
.chip.ego { color: var(--_ego); }
.chip.vehicle { color: var(--_vehicle); }
.chip.cyclist { color: var(--_cyclist); }
.chip.pedestrian { color: var(--_pedestrian); }
.chip.other { color: var(--_other); }
.chip.dropped { color: var(--_ink3); }
.chip.aerial { color: var(--_ink2); }
.chip.lanes { color: var(--_mark); }
.chip.crosswalks { color: var(--_crosswalk); }
.chip.lights { color: var(--_green); }
.chip.past { color: var(--_ink2); }
.chip.future { color: var(--_accent); }
.chip.predicted { color: var(--_predicted); }
.letter {
	display: inline-grid;
	place-items: center;
	flex: none;
	width: 18px;
	height: 18px;
	border-radius: 4px;
	font: 700 11px/1 var(--_mono);
	color: var(--_ink2);
	background: var(--_raise);
}
.letter.red { background: var(--_red); color: var(--_on-red); }
.letter.yellow { background: var(--_yellow); color: var(--_on-yellow); }
.letter.green { background: var(--_green); color: var(--_on-green); }
@media (forced-colors: active) {
	.chip, .letter { forced-color-adjust: none; }
}
`;
