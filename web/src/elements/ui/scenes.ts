import { css, html, nothing, type TemplateResult } from "lit";
import { messageOf } from "../../errors.js";
import { formatDate } from "../pure/clock.js";
import { isAbort } from "../pure/problem.js";
import { type SceneRow, sceneRows } from "../scene-rows.js";
import type { ViewerState } from "../state.js";
import { baseStyles } from "./base-styles.js";
import { BevElement } from "./bev-element.js";
import { dialogStyles } from "./dialog-styles.js";
import { icon } from "./icons.js";

/** Scenes a page of the list. */
const PAGE = 100;

const sceneStyles = css`
:host { display: flex; align-items: center; gap: 12px; min-width: 0; }
.switch { display: flex; background: var(--_raise); border-radius: 6px; flex: none; }
.switch .name { padding: 0 4px; white-space: nowrap; }
.when { color: var(--_ink2); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
@container bev-viewer (max-width: 640px) { .when { display: none; } }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: 11px; color: var(--_ink3); font-weight: 600; padding: 0 12px 4px; position: sticky; top: 0; background: var(--_panel); }
td { padding: 0 12px; white-space: nowrap; color: var(--_ink2); }
th:first-child { padding-left: 13px; }
td:first-child { padding: 0 4px; }
dialog .scroll { padding: 0 8px 8px; }
td button { justify-content: flex-start; min-width: 96px; }
tr:hover { background: var(--_raise); }
footer { display: flex; justify-content: space-between; align-items: center; padding: 8px; border-top: 1px solid var(--_line); }
.wait { padding: 16px; color: var(--_ink2); }
`;

/** Which scene: its number, the one before, the one after, and a list of all. */
export class Scenes extends BevElement {
	static override styles = [baseStyles, dialogStyles, sceneStyles];
	static override properties = {
		...BevElement.properties,
		page: { state: true },
		rows: { state: true },
		failure: { state: true },
	};

	declare page: number;
	declare rows: readonly SceneRow[] | undefined;
	declare failure: string | undefined;
	#reading: AbortController | undefined;

	constructor() {
		super();
		this.page = 0;
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#reading?.abort();
	}

	protected watched(state: ViewerState): readonly unknown[] {
		return [state.dataset, state.scene, state.sceneCount, state.sceneInfo];
	}

	protected override render(): TemplateResult | typeof nothing {
		const { scene, sceneCount, sceneInfo, dataset } = this.state;
		if (!dataset) return nothing;
		const go = (to: number) => this.controller?.setScene(to);
		return html`<div class="switch" role="group" aria-label="Scene">
				<button class="icon-only" aria-label="Previous scene" title="Previous scene ([)"
					?disabled=${scene <= 0} @click=${() => go(scene - 1)}>${icon("previous")}</button>
				<button class="name" title="List of scenes; they count from 0, as in code" aria-haspopup="dialog" @click=${this.#show}>
					<span>Scene <span class="mono">${scene}</span> of <span class="mono">0–${Math.max(0, sceneCount - 1)}</span></span>
				</button>
				<button class="icon-only" aria-label="Next scene" title="Next scene (])"
					?disabled=${scene >= sceneCount - 1} @click=${() => go(scene + 1)}>${icon("next")}</button>
			</div>
			<span class="when mono">${
				sceneInfo ? `${sceneInfo.host} · ${formatDate(sceneInfo.startTime)}` : ""
			}</span>
			${this.#dialog()}`;
	}

	override regainFocus(): void {
		this.focus();
	}

	#dialog(): TemplateResult {
		const { sceneCount } = this.state;
		const first = this.page * PAGE;
		const last = Math.min(sceneCount, first + PAGE);
		return html`<dialog aria-labelledby="title">
			<header>
				<h2 id="title">Scenes</h2>
				<form method="dialog"><button class="icon-only" aria-label="Close">${icon("close")}</button></form>
			</header>
			<div class="scroll" tabindex="0" role="group" aria-label="List of scenes">
				${this.failure ? html`<p class="wait" role="alert">${this.failure}</p>` : nothing}
				${this.rows ? this.#table(this.rows) : html`<p class="wait">Reading</p>`}
			</div>
			<footer ?hidden=${sceneCount <= PAGE}>
				<button ?disabled=${first === 0} @click=${() => this.#turn(-1)}>Earlier</button>
				<span class="mono hint">${first} to ${last - 1} of ${sceneCount}</span>
				<button ?disabled=${last >= sceneCount} @click=${() => this.#turn(1)}>Later</button>
			</footer>
		</dialog>`;
	}

	#table(rows: readonly SceneRow[]): TemplateResult {
		return html`<table>
			<thead><tr><th>Scene</th><th>Host</th><th>Start (UTC)</th><th>Frames</th></tr></thead>
			<tbody>${rows.map(
				(row) => html`<tr>
					<td><button aria-current=${row.index === this.state.scene ? "true" : nothing}
						@click=${() => this.#choose(row.index)}>Scene ${row.index}</button></td>
					<td class="mono">${row.host}</td>
					<td class="mono">${formatDate(row.startTime)}</td>
					<td class="mono">${row.frameEnd - row.frameBegin}</td>
				</tr>`,
			)}</tbody>
		</table>`;
	}

	#show(): void {
		this.page = Math.floor(this.state.scene / PAGE);
		this.renderRoot.querySelector("dialog")?.showModal();
		void this.#read();
	}

	#choose(scene: number): void {
		this.renderRoot.querySelector("dialog")?.close();
		this.controller?.setScene(scene);
	}

	#turn(pages: number): void {
		this.page += pages;
		void this.#read();
	}

	async #read(): Promise<void> {
		const { dataset } = this.state;
		this.#reading?.abort();
		this.#reading = new AbortController();
		const { signal } = this.#reading;
		this.failure = undefined;
		this.rows = undefined;
		try {
			const rows = dataset
				? await sceneRows(dataset, this.page * PAGE, PAGE, signal)
				: [];
			if (!signal.aborted) this.rows = rows;
		} catch (error) {
			if (!signal.aborted && !isAbort(error)) this.failure = messageOf(error);
		}
	}
}
