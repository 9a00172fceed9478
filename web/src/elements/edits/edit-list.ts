import { BevError, messageOf } from "../../base/errors.js";
import type { AddEdit, MoveEdit, Patch, PatchEdit } from "../../dataset/patch.js";

/** A scene's edits, in the order in which they are applied. */
export type Edits = readonly PatchEdit[];

/** An edit of frames from `from` on, whose numbers add up with another one's. */
function isSameSpan(a: PatchEdit, b: PatchEdit): boolean {
	const isSame = a.op === b.op && a.scene === b.scene;
	return isSame && (a.from ?? 0) === (b.from ?? 0) && a.to === b.to;
}

/** Returns a number without the digits that nobody sees: millimetres, or 0.0001 rad. */
function rounded(value: number, digits: number): number {
	return Number(value.toFixed(digits)) + 0; // not -0
}

function wrapped(angle: number): number {
	return Math.atan2(Math.sin(angle), Math.cos(angle));
}

/** Returns the move by both, which the second one follows; see docs/patches.md. */
function movedTwice(a: MoveEdit, b: MoveEdit): MoveEdit {
	const [ax, ay] = a.by ?? [0, 0];
	const [bx, by] = b.by ?? [0, 0];
	const turn = wrapped((a.turn ?? 0) + (b.turn ?? 0));
	return { ...a, by: [ax + bx, ay + by], turn };
}

/** Returns an added track that stands, moved. */
function addedElsewhere(add: AddEdit, { by = [0, 0], turn = 0 }: MoveEdit): AddEdit {
	const path = add.path.map(([frame, x, y, yaw]) => {
		const to = [rounded(x + by[0], 3), rounded(y + by[1], 3)] as const;
		return [frame, ...to, rounded(wrapped(yaw + turn), 4)] as const;
	});
	return { ...add, path };
}

/** Returns one edit that does what two do; undefined if there is none. */
function joined(a: PatchEdit, b: PatchEdit): PatchEdit | undefined {
	if (a.op === "add" && b.op === "move") {
		const isStanding = a.path.length === 1 && (b.from ?? 0) === (a.from ?? 0);
		const isSame = a.scene === b.scene && a.track === b.track && isStanding;
		return isSame && b.to === undefined ? addedElsewhere(a, b) : undefined;
	}
	if (!isSameSpan(a, b)) return undefined;
	if (a.op === "light" && b.op === "light") return a.face === b.face ? b : undefined;
	if (a.op === "light" || b.op === "light" || a.track !== b.track) return undefined;
	if (a.op === "stop") return b;
	if (a.op === "retime" && b.op === "retime") {
		const factor = rounded(a.factor * b.factor, 4);
		return { ...b, factor: Math.min(100, Math.max(0.01, factor)) };
	}
	const areMoves = a.op === "move" && b.op === "move";
	const isWorld = areMoves && a.in !== "track" && b.in !== "track";
	return isWorld && a.ease === b.ease ? movedTwice(a, b) : undefined;
}

/** Returns an edit with rounded numbers; undefined if it changes nothing. */
function tidied(edit: PatchEdit): PatchEdit | undefined {
	if (edit.op === "retime") return edit.factor === 1 ? undefined : edit;
	if (edit.op !== "move") return edit;
	const { by = [0, 0], turn = 0, ...rest } = edit;
	const moved = by.map((metres) => rounded(metres, 3)) as [number, number];
	const turned = rounded(turn, 4);
	const isMoved = moved.some((metres) => metres !== 0);
	if (!isMoved && turned === 0) return undefined;
	return {
		...rest,
		...(isMoved && { by: moved }),
		...(turned !== 0 && { turn: turned }),
	};
}

/** Returns whether an edit adds this track. */
function adds(edit: PatchEdit, { scene, track }: Pick<AddEdit, "scene" | "track">) {
	return edit.op === "add" && edit.scene === scene && edit.track === track;
}

/**
 * Returns the edits with another one, which is joined with the last one if that does the
 * same. An added track that is removed leaves none.
 */
export function withEdit(edits: Edits, edit: PatchEdit): Edits {
	if (edit.op === "remove" && edits.some((one) => adds(one, edit)))
		return edits.filter(
			(one) =>
				one.op === "light" || one.scene !== edit.scene || one.track !== edit.track,
		);
	const isSame = (one: PatchEdit): boolean => joined(one, edit) !== undefined;
	// Edits of lights do not depend on others.
	const at = edit.op === "light" ? edits.findIndex(isSame) : edits.length - 1;
	const before = edits[at];
	const both = before && joined(before, edit);
	const kept = both ? edits.filter((one) => one !== before) : edits;
	const tidy = tidied(both ?? edit);
	return tidy ? [...kept, tidy] : kept;
}

/** Returns the edits without one; without those of a track that it adds, too. */
export function withoutEdit(edits: Edits, index: number): Edits {
	const gone = edits[index];
	if (gone?.op === "add")
		return withEdit(edits, { ...gone, op: "remove" } as PatchEdit);
	return edits.filter((_, i) => i !== index);
}

/** Returns the scenes that are edited. */
export function scenesOf(edits: Edits): ReadonlySet<number> {
	return new Set(edits.map(({ scene }) => scene));
}

/** Returns the patch of edits. */
export function patchOf(edits: Edits): Patch {
	return { format: "bevscope-patch", version: 1, edits };
}

function invalid(found: string): BevError {
	return new BevError("invalid_argument", `patch: ${found}`);
}

function editsIn(value: unknown): Edits {
	const isObject = (one: unknown) => typeof one === "object" && one !== null;
	if (Array.isArray(value) && value.every(isObject)) return value as Edits;
	throw invalid("edits: invalid (expected a list of objects)");
}

/** Maximum length of a patch's text, as in the core. */
const MAX_CHARACTERS = 2 ** 20;

/**
 * Returns the edits of a document, which the core checks when it applies them.
 *
 * @throws BevError `invalid_argument`, `limit_exceeded`
 */
export function editsInPatch(patch: Patch | string): Edits {
	if (typeof patch !== "string") return editsIn(patch.edits);
	if (patch.length > MAX_CHARACTERS)
		throw new BevError("limit_exceeded", "patch: too large (expected 1 MiB)");
	let read: Partial<Patch> | null;
	try {
		read = JSON.parse(patch);
	} catch (error) {
		throw invalid(messageOf(error));
	}
	const { format, version } = read ?? {};
	if (format !== "bevscope-patch" || version !== 1)
		throw invalid(
			`unknown document (found ${format} ${version}, expected bevscope-patch 1)`,
		);
	return editsIn(read?.edits);
}

/** Maximum length of a text: 2 kB of JSON. Longer links get cut on their way. */
const MAX_TEXT = 2800;

/** What the texts of long edits begin with; only this page knows the rest. */
const LONG = "long:";

/** Edits that are too long for links, by their text. */
const long = new Map<string, Edits>();

function longText(edits: Edits, encoded: string): string {
	let hash = 5381; // equal edits have equal texts
	for (let k = 0; k < encoded.length; k += 1)
		hash = (Math.imul(hash, 33) ^ encoded.charCodeAt(k)) >>> 0;
	const text = `${LONG}${edits.length}-${hash.toString(36)}`;
	long.set(text, edits);
	return text;
}

/**
 * Returns edits as in links: base64url of their JSON; empty for none. The text of long
 * edits only says that there are some, since links cannot have them.
 */
export function textOf(edits: Edits): string {
	if (edits.length === 0) return "";
	const bytes = new TextEncoder().encode(JSON.stringify(edits));
	let binary = "";
	for (const byte of bytes) binary += String.fromCharCode(byte);
	const plain = btoa(binary).replace(/=+$/, "");
	const text = plain.replace(/\+/g, "-").replace(/\//g, "_");
	return text.length > MAX_TEXT ? longText(edits, text) : text;
}

/**
 * Returns the edits of `textOf`.
 *
 * @throws BevError `invalid_argument`
 */
export function editsOf(text: string): Edits {
	if (text === "") return [];
	if (text.startsWith(LONG)) {
		const held = long.get(text);
		if (held) return held;
		throw new BevError("not_found", "the link lacks its edits: open their patch");
	}
	let read: unknown;
	try {
		const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
		const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
		read = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
	} catch {
		throw invalid("text of a link: not base64url of JSON");
	}
	return editsIn(read);
}
