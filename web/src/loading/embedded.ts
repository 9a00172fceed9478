/** Files embedded in the single-file build: gzipped, in base64. */
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

let embedded: EmbeddedText | undefined;

/** Called once by the single-file build. */
export function provide(files: EmbeddedText): void {
	embedded = files;
}

/** Decodes an embedded file; undefined if there is none. */
export function provided(name: keyof EmbeddedText): Promise<Bytes> | undefined {
	const text = embedded?.[name];
	return text === undefined ? undefined : decode(text);
}

async function decode(base64: string): Promise<Bytes> {
	const zipped = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
	const bytes = new Blob([zipped])
		.stream()
		.pipeThrough(new DecompressionStream("gzip"));
	return new Uint8Array(await new Response(bytes).arrayBuffer());
}
