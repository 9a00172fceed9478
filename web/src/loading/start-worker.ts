import type { LoadOptions } from "../api.js";
import { messageOf } from "../errors.js";
import { absolute } from "../source/url.js";
import type { FromWorker } from "../worker/protocol.js";
import { provided } from "./embedded.js";
import { scriptAddress } from "./trusted-script.js";

export interface Started {
	readonly kind: "module" | "blob" | "none";
	readonly worker?: Worker;
	/** Why a better choice was not possible. */
	readonly notes: readonly string[];
}

/** Where a worker's script lies. */
export interface OwnScript {
	address(): URL;
	/** The script itself, in a single-file build. */
	inside(): Blob | undefined;
}

const DATA_WORKER: OwnScript = {
	address: ownScript,
	inside: () => provided()?.worker,
};

/** A worker that has not said it is ready by then is taken for blocked. */
const READY_WITHIN_MS = 10_000;

/**
 * A worker by the first way that works: a module script of this origin; a blob that imports
 * the script, for scripts of another origin; a classic blob, for documents with an opaque
 * origin (sandboxed frames, files), where browsers refuse module workers; none.
 *
 * @param own  the default script; without it that of the data set's worker
 */
export async function startWorker(
	script: LoadOptions["worker"],
	own: OwnScript = DATA_WORKER,
): Promise<Started> {
	if (script === false) return { kind: "none", notes: [] };
	if (typeof Worker === "undefined") {
		return { kind: "none", notes: ["there are no workers here"] };
	}
	const notes: string[] = [];
	for (const [kind, make] of ways(script, own)) {
		try {
			return { kind, worker: await whenReady(make()), notes };
		} catch (error) {
			notes.push(`${kind} worker: ${messageOf(error)}`);
		}
	}
	return { kind: "none", notes };
}

/** A worker that starts, and what to free once it has started or failed. */
interface Starting {
	readonly worker: Worker;
	readonly free?: () => void;
}

type Way = readonly ["module" | "blob", () => Starting];

function ways(script: string | URL | undefined, own: OwnScript): Way[] {
	const inside = script === undefined ? own.inside() : undefined;
	if (inside) return blobWays(inside, inside);
	const url = absolute(script ?? own.address());
	const address = JSON.stringify(url.href);
	// Browsers refuse workers whose script is of another origin, but not its import.
	const blobs = blobWays(
		scriptOf(`import ${address};`),
		scriptOf(`importScripts(${address});`),
	);
	const direct: Way = ["module", () => ({ worker: make(url, "module") })];
	return isForeign(url) ? blobs : [direct, ...blobs];
}

function blobWays(module: Blob, classic: Blob): Way[] {
	if (isOpaque()) return [["blob", () => fromBlob(classic, "classic")]];
	return [["blob", () => fromBlob(module, "module")]];
}

function make(address: URL, type: WorkerType): Worker {
	return new Worker(scriptAddress(address.href), { type });
}

/**
 * The address of our worker script. Bundlers look for this very expression, to bundle the
 * script with the page; the class that stands in for the global one only takes the address
 * down, for the worker may have to be started in another way.
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

function scriptOf(text: string): Blob {
	return new Blob([text], { type: "text/javascript" });
}

function fromBlob(script: Blob, type: WorkerType): Starting {
	const url = URL.createObjectURL(script);
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
		const timer = setTimeout(() => fail("did not start in time"), READY_WITHIN_MS);
		worker.onerror = (event) => {
			event.preventDefault();
			fail(event.message || "was refused");
		};
		worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
			if (data.type !== "ready") return;
			clearTimeout(timer);
			free?.();
			resolve(worker);
		};
	});
}
