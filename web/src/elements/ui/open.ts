import { html, nothing, type TemplateResult } from "lit";
import type { DatasetFiles } from "../../api.js";
import type { Place } from "../dataset.js";
import type { LinkState } from "../pure/link.js";
import { nameOf, resolved } from "../pure/places.js";
import { formatBytes } from "../pure/problem.js";
import { recentAddresses } from "../recent.js";
import type { ViewerState } from "../state.js";
import { baseStyles } from "./base-styles.js";
import { BevElement } from "./bev-element.js";
import { icon } from "./icons.js";
import { openStyles } from "./open-styles.js";

type PickFolder = () => Promise<FileSystemDirectoryHandle>;

/** A data set that a link names but that the user has yet to agree to. */
export interface Pending {
	readonly address: string;
	readonly start: LinkState;
}

/** Nothing open, being opened, or failed: what to do next. */
export class Open extends BevElement {
	static override styles = [baseStyles, openStyles];
	static override properties = {
		...BevElement.properties,
		example: {},
		pending: { attribute: false },
		over: { type: Boolean },
		complaint: { state: true },
	};

	/** The address of a data set to offer as an example. */
	declare example: string | null;
	/** Set: asks before it reads from another site. */
	declare pending: Pending | undefined;
	/** A folder is held over the page. */
	declare over: boolean;
	/** Why the address in the field was not taken. */
	declare complaint: string | undefined;

	constructor() {
		super();
		this.example = null;
		this.over = false;
	}

	protected watched({
		phase,
		progress,
		problem,
		place,
	}: ViewerState): readonly unknown[] {
		return [phase, progress, problem, place];
	}

	protected override render(): TemplateResult {
		const { phase } = this.state;
		const body =
			phase === "opening"
				? this.#opening()
				: this.pending
					? this.#asking(this.pending)
					: phase === "failed"
						? this.#failed()
						: this.#choosing();
		return html`<div class="card">${body}</div>`;
	}

	override regainFocus(): void {
		this.focus();
	}

	#choosing(): TemplateResult {
		const recent = recentAddresses();
		return html`
			<div>
				<h2>Look at driving data</h2>
				<p class="lead">Data sets in L5Kit's zarr format, read where they lie. Nothing is uploaded.</p>
			</div>
			<div class="drop ${this.over ? "over" : ""}">
				${icon("folder")}
				<p>Drop a folder or a zip here</p>
				<p class="hint">a *.zarr, or one that holds it together with its map</p>
				${this.#folderButton()}
			</div>
			${this.#addressForm()}
			${
				this.example
					? html`<div class="actions">
						<button class="outlined" @click=${() => this.#openAddress(this.example ?? "")}>Open the example town</button>
					</div>`
					: nothing
			}
			${
				recent.length > 0
					? html`<section class="recent" aria-labelledby="recent">
						<h2 class="section" id="recent">Recent</h2>
						<ul>${recent.map(
							(
								address,
							) => html`<li><button title=${address} @click=${() => this.#openAddress(address)}>
								<span class="mono">${address}</span></button></li>`,
						)}</ul>
					</section>`
					: nothing
			}`;
	}

	#addressForm(): TemplateResult {
		return html`<div>
			<label for="address">Or read from an address</label>
			<form @submit=${this.#onSubmit}>
				<input id="address" type="text" inputmode="url" autocomplete="off" spellcheck="false"
					placeholder="https://host/path/sample.zarr"
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
			<button class="raised" @click=${() => this.#press("zip")}>Choose a zip</button>
			<input id="folder" type="file" webkitdirectory hidden aria-label="Folder" @change=${this.#onFiles}>
			<input id="zip" type="file" accept=".zip,application/zip" hidden aria-label="Zip" @change=${this.#onFiles}>
		</div>`;
	}

	#asking({ address, start }: Pending): TemplateResult {
		return html`
			<h2>Open data from another site?</h2>
			<p class="lead">This link leads to data on a site other than this one. It will be asked for by your browser.</p>
			<p class="address mono">${address}</p>
			<div class="actions">
				<button class="primary" @click=${() => this.#openAddress(address, start)}>Open it</button>
				<button class="outlined" @click=${() => {
					this.pending = undefined;
				}}>Not now</button>
			</div>`;
	}

	#opening(): TemplateResult {
		const { place, progress } = this.state;
		return html`
			<h2>Opening ${placeName(place)}</h2>
			<div class="moving" role="progressbar" aria-label="Opening"></div>
			<p class="numbers"><span>${progress?.what ?? "Starting"}</span>
				<span class="mono"> · ${formatBytes(progress?.bytes ?? 0)} · ${progress?.requests ?? 0} requests</span></p>
			<div class="actions">
				<button class="outlined" @click=${() => this.controller?.close()}>Cancel</button>
			</div>`;
	}

	#failed(): TemplateResult {
		const { problem, place } = this.state;
		return html`
			<div role="alert" class="bad">${icon("warning")}<h2>${problem?.title ?? "It did not work"}</h2></div>
			<p class="why">${problem?.why}</p>
			${
				problem?.request || place?.kind === "address"
					? html`<p class="address mono">${problem?.request ?? placeAddress(place)}</p>`
					: nothing
			}
			<ul class="advice">${problem?.advice.map((line) => html`<li>${line}</li>`)}</ul>
			<div class="actions">
				<button class="primary" @click=${() => void this.controller?.retry()}>Try again</button>
				<button class="outlined" @click=${() => this.controller?.close()}>Open something else</button>
			</div>`;
	}

	#openAddress(address: string, start: LinkState = {}): void {
		this.pending = undefined;
		this.#open({ kind: "address", address }, start);
	}

	#open(place: Place, start: LinkState = {}): void {
		this.dispatchEvent(
			new CustomEvent("open-place", { bubbles: true, composed: true }),
		);
		void this.controller?.open(place, start);
	}

	#onSubmit(event: SubmitEvent): void {
		event.preventDefault();
		const address = this.renderRoot
			.querySelector<HTMLInputElement>("#address")
			?.value.trim();
		const url = address ? resolved(address, document.baseURI) : undefined;
		this.complaint = url
			? undefined
			: "That is no web address. Expected https://… or a path.";
		if (address && url) this.#openAddress(address);
	}

	/** Has the browser ask for files. */
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
			this.#open({ kind: "files", name: files.name, files });
		} catch {
			// The user closed the picker: nothing was asked for.
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

function placeAddress(place: Place | undefined): string {
	return place?.kind === "address" ? place.address : "";
}

function placeName(place: Place | undefined): string {
	if (!place) return "";
	return place.kind === "address" ? nameOf(place.address) : place.name;
}
