/** Files embedded in the single-file build: gzipped modules in base64, and scripts. */
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

type Bytes = Uint8Array<ArrayBuffer>;

interface Embedded {
	/** Decodes the core. */
	readonly wasm: () => Promise<Bytes>;
	readonly worker: Blob;
	/** Decodes the tools module. */
	readonly tools: (() => Promise<Bytes>) | undefined;
	readonly reviewWorker: Blob | undefined;
	/** Decodes the module that converts files. */
	readonly convert: (() => Promise<Bytes>) | undefined;
	readonly convertWorker: Blob | undefined;
}

let embedded: Embedded | undefined;

/** Called once by the single-file build. */
export function provide({ wasm, worker, ...parts }: EmbeddedText): void {
	const { tools, reviewWorker, convert, convertWorker } = parts;
	embedded = {
		wasm: () => decode(wasm),
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

function scriptOf(text: string): Blob {
	return new Blob([text], { type: "text/javascript" });
}

async function decode(base64: string): Promise<Bytes> {
	const zipped = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
	const bytes = new Blob([zipped])
		.stream()
		.pipeThrough(new DecompressionStream("gzip"));
	return new Uint8Array(await new Response(bytes).arrayBuffer());
}
