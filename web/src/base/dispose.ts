/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Defines `Symbol.dispose` in browsers without it (before Chrome 134, Firefox 141).
 * Import this module before a class with a `[Symbol.dispose]` method is defined.
 */
if (Symbol.dispose === undefined) {
	Object.defineProperty(Symbol, "dispose", { value: Symbol.for("Symbol.dispose") });
}

/*
 * Types of the web that public signatures name. Where the DOM library or Node's types are
 * present, these empty declarations add nothing; without them, the package compiles.
 */
declare global {
	interface AbortSignal {}
	interface Blob {}
	interface File extends Blob {}
	interface FileList {}
	interface FileSystemDirectoryEntry {}
	interface FileSystemDirectoryHandle {}
	interface ImageData {}
	interface RequestInit {}
	interface Headers {}
	interface Response {
		readonly headers: Headers;
		readonly status: number;
	}
	interface URL {}
	namespace WebAssembly {
		interface Module {}
	}
}
