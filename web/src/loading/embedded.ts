/** Files embedded in the single-file build, in base64. */
export interface EmbeddedText {
	readonly wasm: string;
	readonly worker: string;
	/** For the viewer: the tools module, and the worker that runs it. */
	readonly tools?: string | undefined;
	readonly reviewWorker?: string | undefined;
	/** For the viewer: the module that converts files, and the worker that runs it. */
	readonly convert?: string | undefined;
	readonly convertWorker?: string | undefined;
}

interface Embedded {
	readonly wasm: Uint8Array<ArrayBuffer>;
	readonly worker: Blob;
	/** Decodes the tools module. */
	readonly tools: (() => Uint8Array<ArrayBuffer>) | undefined;
	readonly reviewWorker: Blob | undefined;
	/** Decodes the module that converts files. */
	readonly convert: (() => Uint8Array<ArrayBuffer>) | undefined;
	readonly convertWorker: Blob | undefined;
}

let embedded: Embedded | undefined;

/** Called once by the single-file build. */
export function provide({ wasm, worker, ...parts }: EmbeddedText): void {
	const { tools, reviewWorker, convert, convertWorker } = parts;
	embedded = {
		wasm: decode(wasm),
		worker: scriptOf(worker),
		tools: tools === undefined ? undefined : () => decode(tools),
		reviewWorker: reviewWorker === undefined ? undefined : scriptOf(reviewWorker),
		convert: convert === undefined ? undefined : () => decode(convert),
		convertWorker: convertWorker === undefined ? undefined : scriptOf(convertWorker),
	};
}

export function provided(): Embedded | undefined {
	return embedded;
}

function scriptOf(base64: string): Blob {
	return new Blob([decode(base64)], { type: "text/javascript" });
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
