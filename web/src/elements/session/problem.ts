import {
	type BevError,
	messageOf,
	toBevError,
	withoutSecrets,
} from "../../base/errors.js";
import type { Part } from "./parts.js";

/** What failed: opening a data set, or reading. */
export type Operation = "open" | "read";

/** A failure; `explanationOf` has its title, and what the user can do. */
export interface Problem {
	/** The error's message. */
	readonly why: string;
	/** The failed request, if any. */
	readonly request?: string | undefined;
	/** The original error, with code and, if known, URL, key and status. */
	readonly error: BevError;
	/** What failed. */
	readonly operation: Operation;
}

/** A failed read of a frame, or of a scene's record and timestamps. */
export interface ReadProblem extends Problem {
	/** Index of the scene. */
	readonly scene: number;
	/** Undefined if the scene itself failed. */
	readonly frame: number | undefined;
	/** The parts of the frame that cannot be read; empty if nothing of it can. */
	readonly unread: readonly Part[];
}

/** Returns why something failed: its message, without secrets. */
export function whyOf(thrown: unknown): string {
	return withoutSecrets(messageOf(thrown));
}

/** Returns `thrown`, a failure of `operation`. */
export function problemOf(thrown: unknown, operation: Operation = "read"): Problem {
	const error = toBevError(thrown);
	const { url, key, status } = error;
	const at = url ?? key;
	const shown = at && withoutSecrets(at);
	const request = shown && (status === undefined ? shown : `${shown} (HTTP ${status})`);
	return { why: whyOf(thrown), request, error, operation };
}

/** Returns the name of what failed: `Agents of frame 100`, `Frame 100` or `Scene 3`. */
export function problemSubject({ scene, frame, unread }: ReadProblem): string {
	if (frame === undefined) return `Scene ${scene}`;
	if (unread.length === 0) return `Frame ${frame}`;
	const parts = unread.join(" and ");
	return `${parts.charAt(0).toUpperCase()}${parts.slice(1)} of frame ${frame}`;
}

/** Returns whether `thrown` only reports a cancellation. */
export function isAbort(thrown: unknown): boolean {
	return thrown instanceof DOMException && thrown.name === "AbortError";
}
