import {
	type BevError,
	messageOf,
	toBevError,
	withoutSecrets,
} from "../../base/errors.js";
import { type Obstacle, OLDEST_BROWSERS, obstacleOf } from "../../loading/probe.js";
import type { Place } from "./dataset.js";
import type { Part } from "./parts.js";

/** An alternative place to open after a failure. */
export interface Alternative {
	/** The button's text. */
	readonly label: string;
	/** Where the data set is. */
	readonly place: Place;
}

/** A failure's title and advice, in addition to its message. */
export interface Explanation {
	/** What happened, in a few words. */
	readonly title: string;
	/** What the user can do. */
	readonly advice: readonly string[];
	/** Text to copy, for example a header that the server must send. */
	readonly copy?: string | undefined;
	/** Other places to open. */
	readonly alternatives?: readonly Alternative[] | undefined;
}

/** A failure as shown to the user: what happened, why, and what to do. */
export interface Problem extends Explanation {
	/** The error's message. */
	readonly why: string;
	/** The failed request, if any. */
	readonly request?: string | undefined;
	/** The original error, with code and, if known, URL, key and status. */
	readonly error: BevError;
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

interface Coded {
	readonly code?: unknown;
	readonly status?: unknown;
	readonly url?: unknown;
	readonly key?: unknown;
}

/** Explanations attached to errors after diagnosis. */
const found = new WeakMap<object, Explanation>();

/** Returns whether an explanation is attached to `error`. */
export function isExplained(error: BevError): boolean {
	return found.has(error);
}

/** Attaches an explanation to an error, which replaces the default one for its code. */
export function explained(error: BevError, explanation: Explanation): BevError {
	found.set(error, explanation);
	return error;
}

const NOT_FOUND: Explanation = {
	title: "Not found",
	advice: [
		"The URL must end with the folder that contains .zgroup, usually *.zarr.",
		"If the server hides dotfiles, allow .zgroup, .zattrs and .zarray.",
	],
};

const NO_ANSWER: Explanation = {
	title: "No response from the server",
	advice: [
		"Check that the URL opens in a new tab and that this device is online.",
		"If it opens there, the server must send Access-Control-Allow-Origin (CORS).",
	],
};

const REFUSED: Explanation = {
	title: "Access denied",
	advice: ["Sign in on that server, or use a URL with a valid signature."],
};

const BROKEN: Explanation = {
	title: "Server error",
	advice: ["The request was retried several times. Try again later."],
};

const BY_CODE: Readonly<Record<string, Explanation>> = {
	not_found: NOT_FOUND,
	invalid_metadata: {
		title: "Invalid metadata",
		advice: ["Check that the URL leads to a zarr group and not to a web page."],
	},
	corrupt_chunk: {
		title: "Corrupt chunk",
		advice: ["Copy the file again from the original."],
	},
	unsupported: {
		title: "Unsupported format",
		advice: ["Rewrite the array with a codec and dtype listed in docs/format.md."],
	},
	network: NO_ANSWER,
	changed: {
		title: "The data changed",
		advice: ["Open the data set again. The old data is displayed until then."],
	},
	io: {
		title: "A file cannot be read",
		advice: ["Check that the file still exists and that its disk is connected."],
	},
	out_of_memory: {
		title: "Not enough memory",
		advice: ["Close other tabs and try again."],
	},
	limit_exceeded: {
		title: "The request is above a limit",
		advice: ["Ask for less at a time: the message names the limit."],
	},
};

/** What failed: opening a data set, reading from it, or setting up its samples. */
export type Operation = "open" | "read" | "configure";

/** `missing_key`: the object that each operation requires. */
const MISSING: Readonly<Record<Operation, Explanation>> = {
	open: {
		title: "No data set found",
		advice: [
			"The URL must end with the folder that contains .zgroup, usually *.zarr.",
			"A data set is a zarr group with the arrays scenes, frames and agents.",
			"If the server hides dotfiles, allow .zgroup, .zattrs and .zarray.",
		],
	},
	read: {
		title: "Missing chunk",
		advice: ["Copy the missing file again from the original."],
	},
	configure: {
		title: "Missing key",
		advice: ["Add the key to the file that the message names."],
	},
};

const BY_OBSTACLE: Readonly<Record<Obstacle, Explanation>> = {
	"old browser": {
		title: "This browser is too old",
		advice: [`Use ${OLDEST_BROWSERS} or later.`],
	},
	policy: {
		title: "This page's policy blocks WebAssembly",
		advice: [
			"Add 'wasm-unsafe-eval' to script-src in the page's Content-Security-Policy.",
		],
	},
	"no url": {
		title: "This page cannot load the reader",
		advice: ["Serve the page over http, for example with `bevscope serve`."],
	},
};

const OTHER: Explanation = {
	title: "Unexpected error",
	advice: ["Try again. If the error persists, report it with the text above."],
};

function byStatus(status: unknown): Explanation | undefined {
	if (typeof status !== "number") return undefined;
	if (status === 404 || status === 410) return NOT_FOUND;
	if (status === 401 || status === 403) return REFUSED;
	return status >= 500 || status === 429 ? BROKEN : undefined;
}

function explanation(thrown: unknown, operation: Operation): Explanation {
	const { code, status } = (thrown ?? {}) as Coded;
	const known = thrown instanceof Object ? found.get(thrown) : undefined;
	if (known) return known;
	const obstacle = obstacleOf(thrown);
	if (obstacle) return BY_OBSTACLE[obstacle];
	if (code === "missing_key") return MISSING[operation];
	return byStatus(status) ?? BY_CODE[String(code)] ?? OTHER;
}

/** Returns `thrown`, a failure of `operation`, with its explanation. */
export function problemOf(thrown: unknown, operation: Operation = "read"): Problem {
	const { url, key, status } = (thrown ?? {}) as Coded;
	const at = typeof url === "string" ? url : typeof key === "string" ? key : undefined;
	const shown = at && withoutSecrets(at);
	return {
		...explanation(thrown, operation),
		why: withoutSecrets(messageOf(thrown)),
		request:
			shown && (typeof status === "number" ? `${shown} (HTTP ${status})` : shown),
		error: toBevError(thrown),
	};
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

/** Formats bytes: `1.9 MB`, `14 kB`, `312 B`. */
export function formatBytes(bytes: number): string {
	if (bytes < 1000) return `${bytes} B`;
	if (bytes < 1e6) return `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB`;
	if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
	return `${(bytes / 1e9).toFixed(2)} GB`;
}
