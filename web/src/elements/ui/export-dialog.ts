import { css, html, nothing, type TemplateResult } from "lit";
import { encoderFor, evenSize, type FilmFormat, FORMATS } from "../export/encoding.js";
import { type FilmPicture, filmOf } from "../export/film.js";
import { save } from "../export/save.js";
import { csvOf, jsonOf, readTrack } from "../export/track-table.js";
import { isAbort, problemOf } from "../pure/problem.js";
import { waitingWords } from "../showing.js";
import type { ViewerState } from "../state.js";
import { baseStyles } from "./base-styles.js";
import { BevElement } from "./bev-element.js";
import { dialogStyles } from "./dialog-styles.js";
import { icon } from "./icons.js";

const exportStyles = css`
.body { display: grid; gap: 16px; padding: 4px 16px 16px; width: min(460px, 80vw); }
.body > div { display: grid; grid-template-columns: 1fr auto auto; gap: 2px 8px; align-items: center; }
.body p { grid-column: 1 / -1; color: var(--_ink2); }
.films { display: flex; gap: 8px; grid-column: 2 / -1; justify-self: end; }
.body span + button:only-of-type { grid-column: 2 / -1; justify-self: end; }
progress { width: 100%; accent-color: var(--_accent); grid-column: 1 / -2; }
.bad { color: var(--_warn-ink); }
`;

/** The picture, a film of the marked part, and what is selected, as files. */
export class ExportDialog extends BevElement {
	static override styles = [baseStyles, dialogStyles, exportStyles];
	static override properties = {
		...BevElement.properties,
		picture: { attribute: false },
		films: { state: true },
		progress: { state: true },
		tabling: { state: true },
		trouble: { state: true },
	};

	/** Whose canvas is taken. */
	declare picture: FilmPicture | null;
	/** Those that this browser can make. */
	declare films: readonly FilmFormat[];
	declare progress: readonly [done: number, all: number] | undefined;
	declare trouble: string;
	/** Frames of a track that are read, and how many there are. */
	declare tabling: readonly [done: number, all: number] | undefined;
	#filming: AbortController | undefined;
	#reading: AbortController | undefined;
	/** A table was made, or given up, just now: the focus belongs to its buttons. */
	#tabled = false;

	constructor() {
		super();
		this.picture = null;
		this.films = [];
		this.trouble = "";
	}

	show(): void {
		this.trouble = "";
		void this.#askEncoders();
		this.renderRoot.querySelector("dialog")?.showModal();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#stop();
	}

	override regainFocus(): void {
		const [film, table] = ["film", "table"].map((part) =>
			this.renderRoot.querySelector<HTMLElement>(`.${part} button:not(:disabled)`),
		);
		if (this.#reading || this.#tabled) table?.focus();
		else film?.focus();
	}

	protected watched(state: ViewerState): readonly unknown[] {
		return [state.selection, state.section, state.sceneInfo, state.scene];
	}

	protected override render(): TemplateResult {
		const { begin, end } = this.controller?.span ?? { begin: 0, end: 0 };
		const { selection } = this.state;
		const who = selection === "ego" ? "the ego" : `track ${selection}`;
		return html`<dialog aria-labelledby="title" @close=${() => this.#stop()}>
			<header>
				<h2 id="title">Export</h2>
				<form method="dialog"><button class="icon-only" aria-label="Close">${icon("close")}</button></form>
			</header>
			<div class="body">
				<div><span>Picture</span>
					<button class="raised" @click=${() => void this.#picture()}>Save PNG</button></div>
				<div class="film"><span>Film of frames <span class="mono">${begin}–${Math.max(begin, end - 1)}</span></span>
					${this.#film()}</div>
				<div class="table"><span>${selection === undefined ? "Nothing is selected" : `Where ${who} is, frame by frame`}</span>
					${this.#tables(selection === undefined)}</div>
				<div class="bad" role="status">${this.trouble}</div>
			</div>
		</dialog>`;
	}

	#film(): TemplateResult {
		const { progress } = this;
		if (!progress) {
			return html`<span class="films">${FORMATS.map((format) => {
				const can = this.films.includes(format);
				return html`<button class="raised" ?disabled=${!can} @click=${() => void this.#record(format)}
					title=${can ? nothing : "This browser cannot encode it"}>Save ${format.name}</button>`;
			})}</span>
				<p>Every frame once, at the times of the data. Mark a part on the time line to film only that.</p>`;
		}
		const [done, all] = progress;
		return html`<progress max=${all} .value=${done} aria-label="Frames filmed">${done}</progress>
			<button class="raised" @click=${() => this.#filming?.abort()}>Cancel</button>
			<p class="mono">${done} of ${all}</p>`;
	}

	#tables(none: boolean): TemplateResult {
		const { tabling } = this;
		if (!tabling) {
			return html`<button class="raised" ?disabled=${none} @click=${() => void this.#table("csv")}>Save CSV</button>
				<button class="raised" ?disabled=${none} @click=${() => void this.#table("json")}>Save JSON</button>`;
		}
		const [done, all] = tabling;
		return html`<progress max=${all} .value=${done} aria-label="Frames read"></progress>
			<button class="raised" @click=${() => this.#reading?.abort()}>Cancel</button>
			<p class="mono">${done} of ${all} frames read</p>`;
	}

	/** What is being made is given up. */
	#stop(): void {
		this.#filming?.abort();
		this.#reading?.abort();
	}

	#name(ending: string): string {
		const { scene, frame } = this.state;
		return `scene-${scene}-frame-${frame}.${ending}`;
	}

	async #picture(): Promise<void> {
		const waiting = waitingWords(this.state);
		if (waiting) {
			this.trouble = `Nothing is saved: ${waiting}.`;
			return;
		}
		const name = this.#name("png");
		const canvas = this.picture?.canvas;
		const blob = await new Promise<Blob | null>((resolve) => {
			if (canvas) canvas.toBlob(resolve, "image/png");
			else resolve(null);
		});
		if (blob) save(blob, name);
		else this.trouble = "The browser cannot make a PNG of this picture.";
	}

	/** Which films can be made of a picture of this size. */
	async #askEncoders(): Promise<void> {
		const { canvas } = this.picture ?? {};
		if (!canvas) return;
		const size = evenSize(canvas);
		const able = await Promise.all(FORMATS.map((format) => encoderFor(format, size)));
		this.films = FORMATS.filter((_, i) => able[i] !== undefined);
	}

	async #record(format: FilmFormat): Promise<void> {
		const { controller, picture } = this;
		if (!controller || !picture || this.#filming) return;
		this.trouble = "";
		const filming = new AbortController();
		this.#filming = filming;
		const { begin, end } = controller.span;
		this.progress = [0, end - begin];
		try {
			const { signal } = filming;
			const onProgress = (done: number, all: number) => {
				this.progress = [done, all];
			};
			const film = await filmOf(controller, picture, { format, signal, onProgress });
			save(
				film,
				`scene-${this.state.scene}-frames-${begin}-${end - 1}.${format.ending}`,
			);
		} catch (error) {
			if (!isAbort(error)) this.trouble = problemOf(error).why;
		} finally {
			this.#filming = undefined;
			this.progress = undefined;
		}
	}

	async #table(kind: "csv" | "json"): Promise<void> {
		const { controller, state } = this;
		const { selection, scene, dataset, sceneInfo } = state;
		if (!controller || selection === undefined || !dataset || !sceneInfo) return;
		if (this.#reading) return;
		const reading = new AbortController();
		this.#reading = reading;
		const count = sceneInfo.seconds.length;
		this.trouble = "";
		this.tabling = [0, count];
		const track = { dataset, scene, count, selection };
		const held = (frame: number) =>
			controller.state.dataset === dataset
				? controller.heldFrames.get(frame)
				: undefined;
		const onProgress = (done: number, all: number) => {
			this.tabling = [done, all];
		};
		try {
			const rows = await readTrack(track, { signal: reading.signal, onProgress, held });
			const words = kind === "csv" ? csvOf(rows) : jsonOf(track, rows);
			const type = kind === "csv" ? "text/csv" : "application/json";
			save(new Blob([words], { type }), `scene-${scene}-track-${selection}.${kind}`);
		} catch (error) {
			if (!isAbort(error)) this.trouble = `Nothing is saved: ${problemOf(error).why}`;
		} finally {
			this.#reading = undefined;
			this.tabling = undefined;
			this.#tabled = true;
			await this.updateComplete;
			this.#tabled = false;
		}
	}
}
