import { css, html, nothing, type TemplateResult } from "lit";
import type { Coverage } from "../../reviewing/protocol.js";
import type { ComparisonReport } from "../../tools/comparison.js";
import type { Breakdown } from "../../tools/review.js";
import type { ViewerController } from "../session/controller.js";
import { counted } from "../ui/words.js";

export const countingStyles = css`
label.counting { display: flex; align-items: center; gap: 6px; color: var(--_ink2); white-space: nowrap; }
@media (pointer: coarse) { label.counting { min-height: 44px; } }
`;

const TITLE =
	"On: as in L5Kit's metrics, steps without ground truth have no error. Off: only predictions whose last step is recorded have scores";

/** A report's numbers of predictions. */
type Counted = Coverage & {
	readonly breakdown: Pick<Breakdown, "compared" | "missed">;
};

/** A comparison's numbers of pairs, and of their recorded steps. */
interface Paired extends Pick<ComparisonReport, "compared"> {
	readonly rows: Pick<ComparisonReport["rows"], "seen">;
}

/** Returns the share of misses, such as `84 %`. */
export function missShare({ breakdown: { compared, missed } }: Counted): string {
	return compared > 0 ? `${((100 * missed) / compared).toFixed(0)} %` : "\u2013";
}

/** Returns how many predictions have a recorded end, if the scores are limited to them. */
export function coverageWords(
	{ begun, breakdown: { compared } }: Counted,
	counting: string,
): string | undefined {
	if (counting === "l5kit") return undefined;
	return `${compared} of ${begun} end inside the scene`;
}

/** Renders the misses, how many predictions the scores are of, and the switch. */
export function countedLine(
	counted: Counted,
	controller: ViewerController | undefined,
): TemplateResult {
	const counting = controller?.state.review.counting ?? "l5kit";
	const { compared } = counted.breakdown;
	const words = coverageWords(counted, counting);
	return html`<div class="sum mono"><span title="Best mode's final displacement is above 2 m">Miss <b>${missShare(counted)}</b> of ${compared}</span>
		${words ? html`<span>${words}</span>` : nothing}
		${countingSwitch(counting === "l5kit", controller)}</div>`;
}

/** Returns how many pairs the means of a comparison are of. */
export function pairsWords(
	{ compared, rows: { seen } }: Paired,
	counting: string,
): string {
	if (counting !== "recorded") return counted(compared, "pair");
	const begun = seen.reduce((count, steps) => count + (steps > 0 ? 1 : 0), 0);
	return `${compared} of ${counted(begun, "pair")} end inside the scene`;
}

/** Renders how many pairs the means of a comparison are of, and the switch. */
export function pairsLine(
	report: Paired,
	controller: ViewerController | undefined,
): TemplateResult {
	const counting = controller?.state.review.counting ?? "l5kit";
	return html`<div class="sum mono"><span>${pairsWords(report, counting)}</span>${countingSwitch(counting !== "recorded", controller)}</div>`;
}

function countingSwitch(
	on: boolean,
	controller: ViewerController | undefined,
): TemplateResult {
	const change = ({ currentTarget }: Event): void => {
		const { checked } = currentTarget as HTMLInputElement;
		controller?.reviews.count(checked ? "l5kit" : "recorded");
	};
	return html`<label class="counting" title=${TITLE}><input type="checkbox" role="switch"
		.checked=${on} @change=${change}>L5Kit counting</label>`;
}
