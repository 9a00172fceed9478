import type { BevError } from "../../base/errors.js";
import { type Obstacle, OLDEST_BROWSERS, obstacleOf } from "../../loading/probe.js";
import type { Place } from "./dataset.js";
import type { Operation, Problem } from "./problem.js";

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
export interface ExplainedProblem extends Problem, Explanation {}

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

function byStatus(status = 0): Explanation | undefined {
	if (status === 404 || status === 410) return NOT_FOUND;
	if (status === 401 || status === 403) return REFUSED;
	return status >= 500 || status === 429 ? BROKEN : undefined;
}

/** Returns a failure's title and advice. */
export function explanationOf({
	error,
	operation,
}: Pick<Problem, "error" | "operation">): Explanation {
	const { code, status } = error;
	const known = found.get(error);
	if (known) return known;
	const obstacle = obstacleOf(error);
	if (obstacle) return BY_OBSTACLE[obstacle];
	if (code === "missing_key") return MISSING[operation];
	return byStatus(status) ?? BY_CODE[code] ?? OTHER;
}
