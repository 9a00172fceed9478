import type { Capabilities, LoadOptions } from "../api.js";
import { messageOf } from "../base/errors.js";
import { absolute } from "../source/url.js";
import type { FromWorker } from "../worker/protocol.js";
import { provided } from "./embedded.js";
import { workerFile } from "./files.js";

export interface Started {
	readonly kind: Capabilities["worker"];
	readonly worker?: Worker;
	/** Why a better choice was not possible. */
	readonly notes: readonly string[];
}

/** Location of a worker's script. */
export interface OwnScript {
	/** Its name in `configure`. */
	readonly file: Parameters<typeof workerFile>[0];
	address(): URL;
	/** The script itself, in a single-file build. */
	inside(): Promise<Uint8Array<ArrayBuffer>> | undefined;
	/** Whether the worker may be a thread of Node; its user calls `unref`. */
	readonly threads?: true;
}

const DATA_WORKER: OwnScript = {
	file: "worker",
	address: ownScript,
	inside: () => provided("worker"),
	threads: true,
};

/** A worker that is not ready by then counts as blocked. */
const READY_WITHIN_MS = 10_000;

/**
 * Starts a worker in the first way that works: a module script of the same origin; a
 * blob that imports a script of another origin; a classic blob in documents with an
 * opaque origin (sandboxed frames, files), where browsers refuse module workers; a
 * thread of Node. Otherwise returns kind `none`.
 *
 * @param own  the default script; without it, that of the data set's worker
 */
export async function startWorker(
	given: LoadOptions["worker"],
	own: OwnScript = DATA_WORKER,
): Promise<Started> {
	const script = given ?? workerFile(own.file);
	if (script === false) return { kind: "none", notes: [] };
	if (typeof Worker === "undefined") {
		return own.threads ? startThread(script, own) : NO_WORKER;
	}
	const notes: string[] = [];
	const inside = script === undefined ? await own.inside() : undefined;
	const all = inside ? blobWays(inside, inside) : ways(script, own);
	for (const [kind, make] of all) {
		try {
			return { kind, worker: await whenReady(make()), notes };
		} catch (error) {
			notes.push(`${kind} worker: ${messageOf(error)}`);
		}
	}
	return { kind: "none", notes };
}

const NO_WORKER: Started = { kind: "none", notes: ["no Worker in this environment"] };

async function startThread(
	script: string | URL | undefined,
	own: OwnScript,
): Promise<Started> {
	const { nodeWorker } = await import("../worker/node-worker.js");
	try {
		const worker = await nodeWorker(absolute(script ?? own.address()));
		return { kind: "thread", worker: await whenReady({ worker }), notes: [] };
	} catch (error) {
		return { kind: "none", notes: [`thread: ${messageOf(error)}`] };
	}
}

/** A starting worker; `free` is called when it has started or failed. */
interface Starting {
	readonly worker: Worker;
	readonly free?: () => void;
}

type Way = readonly ["module" | "blob", () => Starting];

function ways(script: string | URL | undefined, own: OwnScript): Way[] {
	const url = absolute(script ?? own.address());
	const address = JSON.stringify(url.href);
	// Browsers refuse worker scripts of another origin, but allow importing them.
	const blobs = blobWays(`import ${address};`, `importScripts(${address});`);
	const direct: Way = ["module", () => ({ worker: make(url, "module") })];
	return isForeign(url) ? blobs : [direct, ...blobs];
}

function blobWays(module: BlobPart, classic: BlobPart): Way[] {
	if (isOpaque()) return [["blob", () => fromBlob(classic, "classic")]];
	return [["blob", () => fromBlob(module, "module")]];
}

function make(address: URL, type: WorkerType): Worker {
	return new Worker(scriptAddress(address.href), { type });
}

/**
 * Returns the URL of the worker script. Bundlers look for exactly this expression to
 * bundle the script with the page. The local class `Worker` only records the URL,
 * because the worker may have to be started in another way.
 */
function ownScript(): URL {
	class Worker {
		constructor(
			readonly url: URL,
			_options: WorkerOptions,
		) {}
	}
	return new Worker(new URL("../worker.js", import.meta.url), { type: "module" }).url;
}

function fromBlob(script: BlobPart, type: WorkerType): Starting {
	const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
	const free = (): void => URL.revokeObjectURL(url);
	try {
		return { worker: make(new URL(url), type), free };
	} catch (error) {
		free();
		throw error;
	}
}

/** Whether the page has an opaque origin: a sandboxed frame, a file. */
function isOpaque(): boolean {
	return globalThis.origin === "null";
}

function isForeign(url: URL): boolean {
	return ["http:", "https:"].includes(url.protocol) && url.origin !== globalThis.origin;
}

function whenReady({ worker, free }: Starting): Promise<Worker> {
	return new Promise((resolve, reject) => {
		const fail = (said: string): void => {
			clearTimeout(timer);
			free?.();
			worker.terminate();
			reject(new Error(said));
		};
		const timer = setTimeout(() => fail("start timed out"), READY_WITHIN_MS);
		worker.onerror = (event) => {
			event.preventDefault();
			fail(event.message || "blocked");
		};
		worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
			if (data.type !== "ready") return;
			clearTimeout(timer);
			free?.();
			resolve(worker);
		};
	});
}

/** The used part of Trusted Types. */
interface Factory {
	createPolicy(
		name: string,
		rules: { createScriptURL(address: string): string },
	): { createScriptURL(address: string): unknown };
}

/** Policy name for the directive `trusted-types`. */
const POLICY = "bevscope";

/** Private: it trusts every URL. */
let policy: ReturnType<Factory["createPolicy"]> | undefined;

/**
 * Returns `address` for a worker's constructor: a TrustedScriptURL if the browser
 * supports it, so that pages may require Trusted Types. Throws if the page does not
 * allow the policy.
 */
export function scriptAddress(address: string): string {
	const { trustedTypes } = globalThis as { trustedTypes?: Factory };
	if (!trustedTypes) return address;
	policy ??= trustedTypes.createPolicy(POLICY, { createScriptURL: (given) => given });
	return policy.createScriptURL(address) as string;
}
