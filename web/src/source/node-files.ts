import { BevError } from "../base/errors.js";

/** The used part of Node's types, which a browser library does not depend on. */
interface NodeModules {
	"node:fs": { promises: NodeFs };
	"node:url": { pathToFileURL(path: string): URL };
	"node:worker_threads": {
		Worker: new (
			script: string,
			options: { eval: true; workerData: unknown },
		) => NodeThread;
	};
}

/** The used part of Node's `fs/promises`. */
export interface NodeFs {
	stat(
		path: URL | string,
	): Promise<{ isFile(): boolean; isDirectory(): boolean; size: number }>;
	readFile(path: string): Promise<Uint8Array>;
	mkdir(path: string, options: { recursive: true }): Promise<unknown>;
	rename(from: string, to: string): Promise<void>;
	rm(path: string, options: { recursive?: true; force: true }): Promise<void>;
	lstat(path: string): Promise<unknown>;
	readdir(path: string | URL, options?: { recursive: true }): Promise<string[]>;
	open(path: string | URL, flags: string): Promise<NodeFile>;
}

/** An open file. */
export interface NodeFile {
	read(
		into: Uint8Array,
		offset: number,
		length: number,
		position: number,
	): Promise<{ bytesRead: number }>;
	writeFile(bytes: Uint8Array): Promise<void>;
	sync(): Promise<void>;
	close(): Promise<void>;
}

/** The used part of a thread of `worker_threads`. */
export interface NodeThread {
	postMessage(message: unknown, transfer?: Transferable[]): void;
	on(
		event: "message" | "error" | "messageerror",
		listener: (value: never) => void,
	): this;
	terminate(): Promise<unknown>;
	ref(): void;
	unref(): void;
}

interface NodeProcess {
	getBuiltinModule?<K extends keyof NodeModules>(name: K): NodeModules[K] | undefined;
}

/**
 * Returns a module of Node, without an import that browser bundlers would try to
 * resolve. Undefined in browsers and before Node 20.16.
 */
export function nodeModule<K extends keyof NodeModules>(
	name: K,
): NodeModules[K] | undefined {
	const { process } = globalThis as { process?: NodeProcess };
	return process?.getBuiltinModule?.(name);
}

/** Returns Node's file system. Throws `unsupported` if there is none. */
export function nodeFs(): NodeFs {
	const fs = nodeModule("node:fs");
	if (fs) return fs.promises;
	throw new BevError(
		"unsupported",
		"files: unsupported environment (expected Node 20.16 or newer)",
	);
}

/** Whether a failure of the file system means that there is no such file. */
export function isAbsent(error: unknown): boolean {
	const { code } = (error ?? {}) as { code?: unknown };
	return code === "ENOENT" || code === "ENOTDIR";
}
