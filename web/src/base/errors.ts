/** Error categories for callers. The names are those of C++'s `Errc`, and `closed`. */
export type ErrorCode =
	| "invalid_argument"
	| "invalid_metadata"
	| "missing_key"
	| "out_of_range"
	| "not_found"
	| "corrupt_chunk"
	| "unsupported"
	| "network"
	| "io"
	| "changed"
	| "out_of_memory"
	| "limit_exceeded"
	| "internal"
	| "closed";

/** All codes, for membership tests. */
export const ERROR_CODES: readonly ErrorCode[] = [
	"invalid_argument",
	"invalid_metadata",
	"missing_key",
	"out_of_range",
	"not_found",
	"corrupt_chunk",
	"unsupported",
	"network",
	"io",
	"changed",
	"out_of_memory",
	"limit_exceeded",
	"internal",
	"closed",
];

/** Details of a `BevError`. */
export interface BevErrorOptions {
	/** The original error. */
	cause?: unknown;
	/** URL that was read; the error has it without query and credentials. */
	url?: string | undefined;
	/** Key below the data set's root, e.g. `agents/12`. */
	key?: string | undefined;
	/** HTTP status of the last response. */
	status?: number | undefined;
}

/**
 * The only error class of this package. The message names the thing, the value found
 * and the value expected. An abort is not a BevError: it rejects with `signal.reason`.
 */
export class BevError extends Error {
	/** Always `BevError`. */
	override readonly name = "BevError";
	/** What kind of failure it is. */
	readonly code: ErrorCode;
	/** URL of the failed request, if any. */
	declare readonly url?: string;
	/** Key of the affected object, if any. */
	declare readonly key?: string;
	/** HTTP status of the response, if any. */
	declare readonly status?: number;

	constructor(code: ErrorCode, message: string, options: BevErrorOptions = {}) {
		const cause = withoutSecretCause(options.cause);
		super(withoutSecrets(message), cause === undefined ? {} : { cause });
		this.code = code;
		if (options.url !== undefined) this.url = withoutSecrets(options.url);
		if (options.key !== undefined) this.key = options.key;
		if (options.status !== undefined) this.status = options.status;
	}
}

/**
 * Returns `text`, an address or a message, with all addresses in it without user name,
 * password, query and fragment, which may be secret. A query ends at white space or a
 * quotation mark.
 */
export function withoutSecrets(text: string): string {
	return text
		.replace(/(^|[\s"'(]|[a-z0-9+.-]:)\/\/([^\s"]+)/gi, (_, before, rest: string) => {
			const from = rest.replace(/^[^/?#]*@/, "");
			const cut = from.search(/[?#]/);
			const bare = cut < 0 ? from : from.slice(0, cut) + punctuation(from.slice(cut));
			return `${before}//${bare}`;
		})
		.replace(/[?#][\w.%~-]+=[^\s"]*/g, punctuation);
}

/** Returns the end of a message's word that belongs to the message. */
function punctuation(word: string): string {
	let end = word.length;
	while (end > 0 && ")]},;:.'".includes(word.charAt(end - 1))) end -= 1;
	return word.slice(end);
}

/** Returns a cause, or undefined if it quotes what withoutSecrets() removes. */
function withoutSecretCause(cause: unknown): unknown {
	let at = cause;
	for (let depth = 0; at instanceof Error && depth < 8; depth += 1) {
		const { message, input } = at as Error & { input?: unknown };
		for (const text of [message, input]) {
			if (typeof text === "string" && withoutSecrets(text) !== text) return undefined;
		}
		at = at.cause;
	}
	return cause;
}

export function isErrorCode(value: unknown): value is ErrorCode {
	return ERROR_CODES.includes(value as ErrorCode);
}

/** Returns the message of any thrown value. */
export function messageOf(thrown: unknown): string {
	return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Converts `thrown` to a BevError. A BevError is returned as it is; other values are
 * wrapped with the code they carry (errors of the core do), otherwise with `fallback`.
 */
export function toBevError(
	thrown: unknown,
	fallback: ErrorCode = "internal",
	options: BevErrorOptions = {},
): BevError {
	if (thrown instanceof BevError) return thrown;
	const code = (thrown as { code?: unknown } | null | undefined)?.code;
	return new BevError(isErrorCode(code) ? code : fallback, messageOf(thrown), {
		cause: thrown,
		...options,
	});
}

/** Converts a failure of a file system to a BevError. */
export function ioError(name: string, key: string, error: unknown): BevError {
	const { code, name: kind, message } = error as Error & { code?: string };
	const missing = code === "ENOENT" || kind === "NotFoundError";
	const full = code === "ENOSPC" || kind === "QuotaExceededError";
	const reason = full ? "storage is full" : missing ? "not found" : message;
	return new BevError("io", `${name}: ${key}: ${reason}`, { key, cause: error });
}
