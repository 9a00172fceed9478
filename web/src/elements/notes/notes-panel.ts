import { css, html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { messageOf } from "../../base/errors.js";
import { formatNumber } from "../agents/describe.js";
import { save } from "../export/save.js";
import { MAX_ITEMS } from "../gallery/gallery-item.js";
import { nameOf } from "../open/places.js";
import { poseOf } from "../scene-view/anchor.js";
import type { Selection } from "../scene-view/picking.js";
import type { ViewerController } from "../session/controller.js";
import { frameCount, type ViewerState } from "../session/state.js";
import { baseStyles } from "../ui/base-styles.js";
import { BevElement } from "../ui/bev-element.js";
import { Disclosure } from "../ui/disclosure.js";
import { empty, emptyStyles } from "../ui/empty.js";
import { icon } from "../ui/icons.js";
import { counted } from "../ui/words.js";
import {
	formatNotes,
	MAX_DOCUMENT_BYTES,
	MAX_TEXT,
	type Note,
	parseNotes,
	tagsOf,
} from "./note.js";
import { changeNotes, keepNote } from "./note-changes.js";
import { inOrder } from "./note-pins.js";
import { NOTES_FILE } from "./notes-file.js";

/** Returns the track of a note as a selection. */
function markOf(track: Note["track"]): Selection | undefined {
	if (track === undefined || track === "ego") return track;
	return BigInt(track);
}

const notesStyles = css`
:host { padding: 12px 16px; }
form { display: grid; gap: 8px; padding-bottom: 12px; border-bottom: 1px solid var(--_line); }
label { display: grid; gap: 2px; color: var(--_ink2); }
textarea { font: inherit; color: inherit; min-height: 60px; padding: 6px 8px; border: 1px solid var(--_edge); border-radius: 6px; background: var(--_bg); resize: vertical; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
.pair select { width: 100%; min-width: 0; }
.actions { position: relative; display: flex; gap: 6px; align-items: center; padding: 8px 0; }
.menu { position: absolute; top: calc(100% - 4px); right: 0; z-index: 2; display: grid; gap: 2px; width: min(280px, 100%); padding: 8px; background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; box-shadow: 0 12px 40px rgb(0 0 0 / 0.35); }
.menu button { justify-content: flex-start; padding: 4px 8px; }
.menu .name { flex: none; width: 52px; text-align: left; }
.menu .hint { font-size: 12px; }
li { display: grid; grid-template-columns: 1fr auto; gap: 4px; padding: 4px 0; border-bottom: 1px solid var(--_line); }
li .go { display: block; text-align: left; padding: 6px 8px; line-height: 1.4; }
li.chosen .go { box-shadow: inset 3px 0 var(--_accent); }
.pin { display: inline-block; min-width: 18px; padding: 0 4px; border-radius: 9px; text-align: center; color: #ffffff; background: #c2410c; font-weight: 600; }
.actions input[type="search"] { flex: 1; min-width: 0; }
.where { color: var(--_ink2); font-size: 12px; }
.text { display: block; white-space: pre-wrap; overflow-wrap: anywhere; }
.tags { color: var(--_ink3); font-size: 12px; }
`;

type About = "scene" | "frame" | "section";
type At = "none" | "selection" | "picture";

/** Returns what a note is about: `Scene 3 · frames 10–20 · track 17`. */
export function whereOf({ scene, frames, track, place }: Note): string {
	const [first, last] = frames ?? [];
	const span = first === last ? `frame ${first}` : `frames ${first}–${last}`;
	const who = track === "ego" ? "ego" : `track ${track}`;
	return [
		`Scene ${scene}`,
		...(frames ? [span] : []),
		...(track === undefined ? [] : [who]),
		...(place ? [`${formatNumber(place[0], 1)}, ${formatNumber(place[1], 1)}`] : []),
	].join(" · ");
}

/** Returns a random id; `randomUUID` exists only on secure pages. */
function newId(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(12));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Notes on scenes, frames, tracks and places. */
export class NotesPanel extends BevElement {
	static override styles = [baseStyles, emptyStyles, notesStyles];
	static override properties = {
		...BevElement.properties,
		about: { state: true },
		at: { state: true },
		query: { state: true },
		editing: { state: true },
	};

	/** The frames of the next note. */
	declare about: About;
	/** The place of the next note. */
	declare at: At;
	/** Text or tag that listed notes contain. */
	declare query: string;
	/** The note being changed. */
	declare editing: Note | undefined;

	readonly #menu = new Disclosure(this, ".menu, .more");

	constructor() {
		super();
		this.about = "frame";
		this.at = "none";
		this.query = "";
	}

	protected watched(state: ViewerState): readonly unknown[] {
		const { notes, note, placing, placed, selection, section, scene, sceneInfo } =
			state;
		return [notes, note, placing, placed, selection, section, scene, sceneInfo];
	}

	protected override render(): TemplateResult {
		return html`${this.#form()} ${this.#actions()} ${this.#list()}`;
	}

	#form(): TemplateResult {
		const { selection, section, placing, placed, sceneInfo } = this.state;
		const { editing } = this;
		const who = selection === "ego" ? "the ego vehicle" : `track ${selection}`;
		return html`<form @submit=${this.#onSubmit} @keydown=${this.#onFormKey}>
			<label>Note<textarea name="text" required maxlength=${MAX_TEXT} .value=${live(editing?.text ?? this.#draft)}
				@input=${this.#onDraft}></textarea></label>
			<label>Tags, separated by commas<input type="text" name="tags" .value=${editing?.tags.join(", ") ?? ""}></label>
			${
				editing
					? nothing
					: html`<div class="pair">
				<label>About<select name="about" @change=${this.#onAbout}>
					${(["frame", "section", "scene"] as const).map(
						(one) =>
							html`<option value=${one} ?selected=${one === this.about} ?disabled=${one === "section" && !section}>${
								one === "frame"
									? "this frame"
									: one === "section"
										? "the section"
										: "the scene"
							}</option>`,
					)}
				</select></label>
				<label>Place<select name="at" .value=${this.at} @change=${this.#onAt}>
					<option value="none">none</option>
					<option value="selection" ?disabled=${selection === undefined}>of the selection</option>
					<option value="picture">click in the picture</option>
				</select></label></div>
				${selection === undefined ? nothing : html`<p class="hint">About ${who}, which is selected.</p>`}
				${this.at === "picture" ? html`<p class="hint" role="status">${placing ? "Click the place in the picture." : placed ? `Place ${formatNumber(placed.x, 1)}, ${formatNumber(placed.y, 1)}` : nothing}</p>` : nothing}`
			}
			<div class="actions">
				<button class="primary add" type="submit" ?disabled=${!sceneInfo}>${editing ? "Save note" : "Add note"}</button>
				${editing ? html`<button type="button" @click=${this.#stopEditing}>Cancel</button>` : nothing}
			</div>
		</form>`;
	}

	#draft = "";
	/** Whether a note of the form is being taken. */
	#keeping = false;

	readonly #onDraft = (event: Event): void => {
		if (!this.editing) this.#draft = (event.currentTarget as HTMLTextAreaElement).value;
	};

	#actions(): TemplateResult {
		const { notes } = this.state;
		return html`<div class="actions">
			<input type="search" aria-label="Find notes" placeholder="Find text or tag" .value=${live(this.query)}
				@input=${(event: Event) => {
					this.query = (event.currentTarget as HTMLInputElement).value;
				}}>
			<button class="icon-only more" aria-label="More" title="Gallery, save, load" aria-expanded=${this.#menu.open} @click=${() => this.#menu.toggle()}>${icon("more")}</button>
			${this.#menu.open ? this.#menuItems(notes.length === 0) : nothing}
			<input type="file" hidden accept=".json,application/json" aria-label="File of notes" @change=${this.#onFile}>
		</div>`;
	}

	#menuItems(isEmpty: boolean): TemplateResult {
		const item = (words: string, hint: string, act: () => void, off = false) => {
			const onClick = (): void => {
				this.#menu.close();
				act();
			};
			return html`<button ?disabled=${off} @click=${onClick}><span class="name">${words}</span><span class="hint">${hint}</span></button>`;
		};
		const choose = (): void =>
			this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
		return html`<div class="menu" role="group" aria-label="More">
			${item("Gallery", "pictures of the listed notes", this.#openGallery, isEmpty)}
			${item("Save", "all notes, as JSON", this.#onSave, isEmpty)}
			${item("Load", "add the notes of a JSON file", choose)}</div>`;
	}

	#list(): TemplateResult {
		const notes = this.#listed();
		if (notes.length === 0)
			return this.state.notes.length === 0
				? empty({
						...{ icon: "list", what: "No notes" },
						next: "Write above what you see. A note belongs to the scene, frames, a track or a place, stays in this browser, and is saved as a file.",
					})
				: empty({
						...{ icon: "list", what: "No note matches" },
						next: "Find looks in texts and tags.",
						acts: html`<button class="outlined" @click=${() => {
							this.query = "";
						}}>Show all notes</button>`,
					});
		const numbers = new Map(inOrder(this.state.notes).map((note, i) => [note, i + 1]));
		return html`<ul aria-label="Notes">${notes.map((note) => this.#note(note, numbers.get(note)))}</ul>`;
	}

	/** Returns the notes that match the query, by place. */
	#listed(): readonly Note[] {
		const wanted = this.query.trim().toLowerCase();
		const matches = (note: Note): boolean =>
			[note.text, ...note.tags].some((text) => text.toLowerCase().includes(wanted));
		return inOrder(this.state.notes).filter(matches);
	}

	readonly #openGallery = (): void => {
		const listed = this.#listed().slice(0, MAX_ITEMS);
		const items = listed.map(({ scene, frames, track, text }) => ({
			scene,
			frame: frames?.[0] ?? 0,
			track: track === undefined || track === "ego" ? undefined : BigInt(track),
			mark: markOf(track),
			follows: track !== undefined && track !== "ego",
			values: [{ name: "", text: text.slice(0, 200), number: Number.NaN }],
		}));
		if (items.length > 0)
			this.controller?.store.patch({ gallery: { title: "Notes", items } });
	};

	#note(note: Note, number: number | undefined): TemplateResult {
		const chosen = note.id === this.state.note;
		const isBeside = this.state.notesBeside.includes(note);
		return html`<li class=${chosen ? "chosen" : ""} data-note=${note.id}>
			<button class="go" aria-current=${chosen ? "true" : nothing} @click=${() => openNote(note, this.controller)}>
				<span class="where mono">${note.place ? html`<span class="pin">${number}</span> ` : nothing}${whereOf(note)}</span><span class="text">${note.text}</span>
				${isBeside ? html`<span class="tags">From ${NOTES_FILE} beside the data</span>` : nothing}
				${note.tags.length > 0 ? html`<span class="tags">${note.tags.join(" · ")}</span>` : nothing}</button>
			<span><button aria-label=${`Edit note: ${note.text.slice(0, 40)}`} @click=${() => this.#edit(note)}>Edit</button>
			${
				isBeside
					? nothing
					: html`<button class="icon-only" aria-label=${`Delete note: ${note.text.slice(0, 40)}`} title="Delete" @click=${() => this.#remove(note)}>${icon("close")}</button>`
			}</span>
		</li>`;
	}

	#edit(note: Note): void {
		this.editing = note;
		this.focus();
	}

	override focus(options?: FocusOptions): void {
		void this.updateComplete.then(() =>
			this.renderRoot.querySelector("textarea")?.focus(options),
		);
	}

	readonly #stopEditing = (): void => {
		this.editing = undefined;
	};

	readonly #onFormKey = (event: KeyboardEvent): void => {
		if (event.key === "Escape" && this.editing) {
			event.preventDefault();
			event.stopPropagation();
			this.#stopEditing();
		}
		if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			(event.currentTarget as HTMLFormElement).requestSubmit();
		}
	};

	readonly #onAbout = (event: Event): void => {
		this.about = (event.currentTarget as HTMLSelectElement).value as About;
	};

	readonly #onAt = (event: Event): void => {
		this.at = (event.currentTarget as HTMLSelectElement).value as At;
		this.controller?.placeNote(this.at === "picture");
	};

	readonly #onSubmit = (event: Event): void => {
		event.preventDefault();
		const form = new FormData(event.currentTarget as HTMLFormElement);
		const text = String(form.get("text") ?? "").trim();
		if (text === "") return;
		const tags = tagsOf(String(form.get("tags") ?? ""));
		const note = this.editing
			? { ...this.editing, text, tags }
			: this.#made(text, tags);
		void this.#keep(note, event.currentTarget as HTMLFormElement);
	};

	/** Empties the form when the note is taken, unless the user has typed on. */
	async #keep(note: Note, form: HTMLFormElement): Promise<void> {
		const typed = () => JSON.stringify([...new FormData(form)]);
		const before = typed();
		if (this.#keeping) return;
		this.#keeping = true;
		const isTaken = await keepNote(this.controller, note);
		this.#keeping = false;
		if (!isTaken || typed() !== before) return;
		this.editing = undefined;
		this.#draft = "";
		this.at = "none";
		this.controller?.placeNote(false);
		form.reset();
	}

	#made(text: string, tags: readonly string[]): Note {
		const { scene, frame, section, selection, placed, shown } = this.state;
		const last = Math.max(0, frameCount(this.state) - 1);
		const frames: Record<About, Note["frames"]> = {
			scene: undefined,
			frame: [Math.min(frame, last), Math.min(frame, last)],
			section: section ? [section.begin, section.end - 1] : undefined,
		};
		const at = this.at === "selection" ? poseOf(shown, selection) : placed;
		const place = this.at !== "none" && at ? ([at.x, at.y] as const) : undefined;
		return {
			id: newId(),
			scene,
			...(frames[this.about] ? { frames: frames[this.about] } : {}),
			...(selection === undefined ? {} : { track: String(selection) }),
			...(place ? { place } : {}),
			text,
			tags,
			time: new Date().toISOString(),
		};
	}

	#remove({ id }: Note): void {
		if (this.editing?.id === id) this.editing = undefined;
		void changeNotes(this.controller, (store) => {
			store.remove(id);
			return "Note deleted";
		});
	}

	readonly #onSave = (): void => {
		const { place, notes } = this.state;
		const name =
			place?.kind === "address" ? nameOf(place.address) : (place?.name ?? "");
		const text = formatNotes(notes, name);
		save(new Blob([text], { type: "application/json" }), NOTES_FILE);
	};

	readonly #onFile = async (event: Event): Promise<void> => {
		const input = event.currentTarget as HTMLInputElement;
		const file = input.files?.[0];
		input.value = "";
		if (!file) return;
		try {
			if (file.size > MAX_DOCUMENT_BYTES)
				throw new RangeError("notes: more than 8 MiB");
			const notes = parseNotes(await file.text());
			await changeNotes(this.controller, (store) => {
				store.put(...notes);
				return `${counted(notes.length, "note")} loaded`;
			});
		} catch (error) {
			this.controller?.notify(`${file.name}: ${messageOf(error)}`);
		}
	};
}

/** Displays what a note is about. */
function openNote(note: Note, controller: ViewerController | undefined): void {
	if (!controller) return;
	const { id, scene, frames, track, place } = note;
	const here = scene === controller.state.scene ? controller.state.frame : 0;
	const [first = here, last = first] = frames ?? [];
	const selection = track === undefined || track === "ego" ? track : BigInt(track);
	const section = last > first ? { begin: first, end: last + 1 } : undefined;
	controller.goTo({ scene, frame: first, selection, section });
	controller.store.patch({ note: id });
	if (!place) return;
	const [x, y] = place;
	const { span, tilt } = controller.state.camera;
	controller.setFollow("free", { x, y, span, rotation: 0, tilt });
}
