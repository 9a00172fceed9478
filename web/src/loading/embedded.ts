/** What the single-file build carries in itself. */
interface Embedded {
	readonly wasm: Uint8Array<ArrayBuffer>;
	readonly worker: Blob;
}

let embedded: Embedded | undefined;

/** Called once by the single-file build, with both files in base 64. */
export function provide(wasm: string, worker: string): void {
	const script = new Blob([decode(worker)], { type: "text/javascript" });
	embedded = { wasm: decode(wasm), worker: script };
}

export function provided(): Embedded | undefined {
	return embedded;
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
