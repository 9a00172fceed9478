import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { DatasetFiles } from "../../api.js";
import { type LinkState, parseLink } from "../link/link.js";
import type { ViewerController } from "../session/controller.js";
import type { Place } from "../session/dataset.js";
import { explanationOf } from "../session/explanation.js";
import { type Problem, whyOf } from "../session/problem.js";
import type { Opening, ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { icon } from "../ui/icons.js";
import { counted, formatBytes } from "../ui/words.js";
import { typed } from "./address.js";
import { openStyles } from "./open-styles.js";
import { nameOf, resolved } from "./places.js";
import { problemCard } from "./problem-card.js";
import { forgetAddress, forgetAddresses, recentAddresses } from "./recent.js";
import { recentList } from "./recent-list.js";
import { hasSecret, shownAddress } from "./secrets.js";
import { StartPicture, type StartPictureHost } from "./start-picture.js";
import type { StoredFolder } from "./stored-folder.js";

/** Seconds without progress after which the page reports that it is waiting. */
const QUIET_S = 3;

type PickFolder = () => Promise<FileSystemDirectoryHandle>;

/** An example on the start page. */
export interface Example {
	/** The button's text. */
	readonly label: string;
	/** URL of the data set. */
	readonly address: string;
	/** Called after opening has begun. */
	readonly opening?: (() => void) | undefined;
}

/** A data set named by a link, which the user has not confirmed yet. */
export interface Pending {
	readonly address: string;
	readonly start: LinkState;
}

/**
 * Text last typed per controller; preserved when the element is removed and recreated.
 */
const typedLast = new WeakMap<ViewerController, string>();

/** The start page: opens data sets, shows the progress of opening, and failures. */
export class Open extends BevElement {
	static override styles = [baseStyles, openStyles];
	static override properties = {
		...BevElement.properties,
		example: {},
		examples: { attribute: false },
		pending: { attribute: false },
		over: { type: Boolean },
		complaint: { state: true },
		entered: { state: true },
		copied: { state: true },
		quiet: { state: true },
		stored: { state: true },
	};

	/** Address of an example data set. */
	declare example: string | null;
	/** Further examples. */
	declare examples: readonly Example[];
	/** If set, asks before reading from another site. */
	declare pending: Pending | undefined;
	/** Whether files are dragged over the page. */
	declare over: boolean;
	/** Why the address in the field is invalid. */
	declare complaint: string | undefined;
	/** Content of the address field. */
	declare entered: string;
	/** The text copied last. */
	declare copied: string | undefined;
	/** The files opened last, if they can be reopened. */
	declare stored: StoredFolder | undefined;
	/** Seconds without progress. */
	declare quiet: number;
	#timer: ReturnType<typeof setInterval> | undefined;
	#progressed = 0;
	readonly #picture = new StartPicture(this);
	#progress: unknown;

	constructor() {
		super();
		this.example = null;
		this.examples = [];
		this.over = false;
		this.entered = "";
		this.quiet = 0;
	}

	override connectedCallback(): void {
		super.connectedCallback();
		void import("./stored-folder.js")
			.then(({ storedFolder }) => storedFolder())
			.then((stored) => {
				this.stored = stored;
			})
			.catch(() => {}); // optional, so load failures are ignored
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#watchQuiet(false);
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		super.willUpdate(changed);
		if (!this.controller) return;
		if (changed.has("controller")) {
			const { place } = this.state;
			const last = typedLast.get(this.controller) ?? "";
			const open = place?.kind === "address" && place.address === last;
			this.entered = open && this.state.phase === "ready" ? "" : last;
		}
		typedLast.set(this.controller, this.entered);
	}

	protected watched({
		phase,
		progress,
		problem,
		place,
		opening,
		theme,
	}: ViewerState): readonly unknown[] {
		return [phase, progress, problem, place, opening, theme];
	}

	/** The data set being opened, or that failed to open. */
	get #current(): Opening | undefined {
		const { phase, place, progress, problem, opening } = this.state;
		if (opening) return opening;
		if (!place || (phase !== "opening" && phase !== "failed")) return undefined;
		return { place, progress, problem, start: {} };
	}

	protected override stateChanged(): void {
		const current = this.#current;
		if (current?.progress !== this.#progress) {
			this.#progress = current?.progress;
			this.#progressed = performance.now();
			this.quiet = 0;
		}
		this.#watchQuiet(current !== undefined && !current.problem);
		super.stateChanged();
	}

	protected override render(): TemplateResult {
		const current = this.#current;
		const body = this.pending
			? this.#asking(this.pending)
			: current?.problem
				? this.#failed(current, current.problem)
				: current
					? this.#opening(current)
					: this.#choosing();
		return html`${this.#picture.render()}<div class="card">${body}</div>`;
	}

	/** The example, which plays behind the page as long as no data set is chosen. */
	get behind(): StartPictureHost["behind"] {
		const { example, pending } = this;
		const { phase, theme } = this.state;
		if (!example || pending || phase !== "empty") return undefined;
		return { address: example, theme };
	}

	override regainFocus(): void {
		this.focus();
	}

	#choosing(): TemplateResult {
		const update = (act: () => void) => () => {
			act();
			this.requestUpdate();
		};
		return html`
			<div>
				<h2>Open driving data</h2>
				<p class="lead">L5Kit zarr data sets, and scenarios of Argoverse 2, CommonRoad, INTERACTION, nuScenes, ScenarioNet and Waymo, from disk or the web. Nothing is uploaded.</p>
			</div>
			<div class="drop ${this.over ? "over" : ""}">
				${icon("folder")}
				<p>Drop a folder or .zip here</p>
				<p class="hint">A *.zarr with its map, or scenarios and folders of them</p>
				${this.#folderButton()}
			</div>
			${this.stored ? this.#again(this.stored) : nothing}
			${this.#addressForm()}
			${this.#offered()}
			${recentList(recentAddresses(), {
				open: (address) => this.#openAddress(address),
				forget: (address) => update(() => forgetAddress(address))(),
				forgetAll: update(() => forgetAddresses()),
			})}`;
	}

	/** Renders a button for each example. */
	#offered(): TemplateResult | typeof nothing {
		const { example, examples } = this;
		const town = example ? [{ label: "Open the example town", address: example }] : [];
		const all: readonly Example[] = [...town, ...examples];
		if (all.length === 0) return nothing;
		return html`<div class="actions">${all.map(
			({ label, address, opening }) =>
				html`<button class="outlined" @click=${() => {
					this.#openAddress(address);
					opening?.();
				}}>${label}</button>`,
		)}</div>`;
	}

	/** Renders a button that reopens the last files. */
	#again(stored: StoredFolder): TemplateResult {
		return html`<div class="actions again">
			<button class="outlined" title="The browser asks for permission first"
				@click=${() => void this.#openAgain(stored)}>Open ${stored.name} again</button>
			<button class="icon-only" aria-label=${`Forget ${stored.name}`} title="Forget"
				@click=${() => void this.#forget()}>${icon("close")}</button>
		</div>`;
	}

	async #openAgain(stored: StoredFolder): Promise<void> {
		const { askAgain, storedState } = await import("./stored-folder.js");
		try {
			const place = await askAgain(stored);
			if (place) this.#open(place, storedState());
			else this.controller?.notify(`${stored.name}: not opened (access was declined)`);
		} catch (error) {
			this.controller?.notify(`${stored.name}: not opened (${whyOf(error)})`);
		}
	}

	async #forget(): Promise<void> {
		this.stored = undefined;
		const { forgetFolder } = await import("./stored-folder.js");
		await forgetFolder();
		this.focus();
	}

	#addressForm(): TemplateResult {
		return html`<div>
			<label for="address">Or open a URL</label>
			<form @submit=${this.#onSubmit}>
				<input id="address" type="text" inputmode="url" autocomplete="off" spellcheck="false"
					placeholder="https://host/sample.zarr" .value=${this.entered}
					@input=${this.#onInput}
					aria-describedby=${this.complaint ? "complaint" : nothing}
					aria-invalid=${this.complaint ? "true" : nothing}>
				<button class="primary">Open</button>
			</form>
			${this.complaint ? html`<p id="complaint" class="hint" role="alert">${this.complaint}</p>` : nothing}
		</div>`;
	}

	#folderButton(): TemplateResult {
		return html`<div class="choices">
			<button class="raised" @click=${this.#pickFolder}>Choose a folder</button>
			<button class="raised" @click=${() => this.#press("zip")}>Choose a .zip</button>
			<input id="folder" type="file" webkitdirectory hidden aria-label="Folder" @change=${this.#onFiles}>
			<input id="zip" type="file" accept=".zip,application/zip" hidden aria-label="Zip" @change=${this.#onFiles}>
		</div>`;
	}

	#asking({ address, start }: Pending): TemplateResult {
		return html`
			<h2>Open data from another site?</h2>
			<p class="lead">The link refers to data on another site. Your browser will request it from there.</p>
			<p class="address mono">${shownAddress(resolved(address, document.baseURI)?.href ?? address)}</p>
			<div class="actions">
				<button class="primary" @click=${() => this.#openAddress(address, start)}>Open it</button>
				<button class="outlined" @click=${() => {
					this.pending = undefined;
				}}>Not now</button>
			</div>`;
	}

	#opening({ place, progress }: Opening): TemplateResult {
		const { bytes = 0, requests = 0, total, waiting } = progress ?? {};
		const wait = Math.ceil(((waiting?.until ?? 0) - Date.now()) / 1000);
		const known = total !== undefined && bytes <= total;
		const read = known
			? `${formatBytes(bytes)} of ${formatBytes(total)}`
			: formatBytes(bytes);
		const asked = requests > 0 ? ` · ${counted(requests, "request")}` : "";
		return html`
			<h2>Opening ${placeName(place)}</h2>
			${
				known
					? html`<progress aria-label="Opening" max=${total} .value=${bytes}></progress>`
					: html`<div class="moving" role="progressbar" aria-label="Opening"></div>`
			}
			<p class="numbers"><span>${progress?.what ?? "Starting"}</span>
				<span class="mono"> · ${read}${asked}</span></p>
			${
				waiting && wait > 0
					? html`<p class="hint">The server requested a wait of <span class="mono">${wait}</span> s (${waiting.key})</p>`
					: nothing
			}
			${this.quiet >= QUIET_S && !(wait > 0) ? html`<p class="hint" role="status">${this.#waiting(place)}</p>` : nothing}
			<div class="actions">
				<button class="outlined" @click=${() => this.#dismiss()}>Cancel</button>
			</div>`;
	}

	#waiting(place: Place): string {
		const url =
			place.kind === "address" ? resolved(place.address, document.baseURI) : undefined;
		const whom = url
			? `${/^http/.test(url.protocol) ? url.host : url.href} to answer`
			: "the files";
		return `Waiting for ${whom}: nothing for ${this.quiet} s. Each request is retried before it fails.`;
	}

	/** Renders a failure together with the address form. */
	#failed({ place }: Opening, problem: Problem): TemplateResult {
		const back = this.state.opening ? placeName(this.state.place) : undefined;
		const address = place.kind === "address" ? shownAddress(place.address) : undefined;
		const shown = { ...problem, request: problem.request ?? address };
		const explanation = explanationOf(problem);
		return html`
			${problemCard(shown, explanation, {
				open: ({ place: other }) => this.#open(other),
				copy: (text) => void this.#copy(text),
				copied: this.copied,
			})}
			<div class="actions">
				${explanation.alternatives ? nothing : html`<button class="primary" @click=${() => void this.#retry()}>Try again</button>`}
				<button class="outlined" @click=${() => this.#dismiss()}>${back ? `Back to ${back}` : "Open other data"}</button>
			</div>
			${place.kind === "address" ? this.#addressForm() : this.#folderButton()}`;
	}

	#retry(): Promise<void> | undefined {
		const { controller } = this;
		return this.state.opening ? controller?.retryOpening() : controller?.retry();
	}

	/** Cancels opening, or dismisses a failure; the open data set stays. */
	#dismiss(): void {
		if (!this.state.opening) this.controller?.close();
		else {
			this.controller?.dismissOpening();
			this.dispatchEvent(
				new CustomEvent("open-dismiss", { bubbles: true, composed: true }),
			);
		}
	}

	async #copy(text: string): Promise<void> {
		try {
			await navigator.clipboard.writeText(text);
			this.copied = text;
		} catch {
			this.controller?.notify(`The clipboard is not available. Text: ${text}`);
		}
	}

	#watchQuiet(on: boolean): void {
		if (!on) {
			clearInterval(this.#timer);
			this.#timer = undefined;
			return;
		}
		this.#timer ??= setInterval(() => {
			this.quiet = Math.floor((performance.now() - this.#progressed) / 1000);
		}, 1000);
	}

	#openAddress(address: string, start: LinkState = {}): void {
		this.pending = undefined;
		// Credentials are not shown in the field, where others may see them.
		this.entered = hasSecret(address) ? this.entered : address;
		this.#open({ kind: "address", address, typed: true }, start);
	}

	#open(place: Place, start: LinkState = {}): void {
		this.dispatchEvent(
			new CustomEvent("open-place", { bubbles: true, composed: true }),
		);
		void this.controller?.open(place, start);
	}

	readonly #onInput = (event: Event): void => {
		this.entered = (event.currentTarget as HTMLInputElement).value;
		this.complaint = undefined;
	};

	#onSubmit(event: SubmitEvent): void {
		event.preventDefault();
		const found = typed(this.entered, document.baseURI);
		this.complaint = found.kind === "refused" ? found.why : undefined;
		if (found.kind === "address") this.#openAddress(found.address);
		if (found.kind !== "link") return;
		const { state, bad } = parseLink(found.fragment);
		this.controller?.notify(...bad);
		if (state.src !== undefined) this.#openAddress(state.src, state);
	}

	/** Opens the browser's file dialog. */
	#press(input: "folder" | "zip"): void {
		this.renderRoot.querySelector<HTMLInputElement>(`#${input}`)?.click();
	}

	async #pickFolder(): Promise<void> {
		const pick = (globalThis as { showDirectoryPicker?: PickFolder })
			.showDirectoryPicker;
		if (!pick) {
			this.#press("folder");
			return;
		}
		try {
			const files = await pick();
			const handles = Promise.resolve([files]);
			this.#open({ kind: "files", name: files.name, files, handles });
		} catch {
			// The user cancelled the dialog.
		}
	}

	#onFiles(event: Event): void {
		const { files } = event.currentTarget as HTMLInputElement;
		const [first] = files ?? [];
		if (!files || !first) return;
		const name = first.webkitRelativePath.split("/")[0] || first.name;
		this.#open({ kind: "files", name, files: files satisfies DatasetFiles });
	}
}

function placeName(place: Place | undefined): string {
	if (!place) return "";
	return place.kind === "address" ? nameOf(place.address) : place.name;
}
