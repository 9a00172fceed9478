import { css, html, type TemplateResult } from "lit";
import type { ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { chip, chipStyles } from "../ui/chips.js";
import { labelOf } from "./describe.js";
import { agentIndex, classOf } from "./summary.js";

const lineStyles = css`
:host { display: flex; align-items: center; gap: 8px; min-width: 0; }
.words { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-variant-numeric: tabular-nums; }
`;

function mapWords({ mapChoice, map }: ViewerState): string {
	if (!mapChoice) return "";
	const { object } = mapChoice;
	if (object.kind === "light") return `Traffic light ${object.id}`;
	return object.kind === "lane"
		? `Lane ${map?.lanes.id[object.row]}`
		: `Crosswalk ${map?.crosswalks.id[object.row]}`;
}

/** The selection in one line: `Car 8 · 0.1 m/s`. */
export class SelectionLine extends BevElement {
	static override styles = [baseStyles, chipStyles, lineStyles];

	protected watched({
		selection,
		shown,
		playing,
		mapChoice,
	}: ViewerState): readonly unknown[] {
		return [selection, shown, playing, mapChoice];
	}

	protected override get pace(): number {
		return 100;
	}

	protected override render(): TemplateResult {
		const { selection, shown } = this.state;
		if (selection === undefined) return html`${mapWords(this.state)}`;
		if (selection === "ego")
			return html`${chip("ego")}<span class="words">${labelOf(this.state, selection)}</span>`;
		const i = shown && agentIndex(shown, selection);
		if (!shown || i === undefined)
			return html`<span class="words">Track ${selection}: not in this frame</span>`;
		return html`${chip(classOf(shown, i))}<span class="words">${labelOf(this.state, selection)}</span>`;
	}
}
