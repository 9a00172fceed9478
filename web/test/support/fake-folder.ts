interface FakeFile {
	bytes: Uint8Array<ArrayBuffer>;
	modified: number;
}

function named(name: string): DOMException {
	return new DOMException(name, name);
}

/** The used part of FileSystemDirectoryHandle, in memory. */
export class FakeFolder {
	readonly files = new Map<string, FakeFile>();
	readonly folders = new Map<string, FakeFolder>();
	/** Called before a file is written or replaced; may throw. */
	onWrite: (step: "write" | "close") => void = () => {};
	#time = 0;

	/** Writes a file as another program does. */
	write(name: string, text: string): void {
		this.#replace(name, new TextEncoder().encode(text));
	}

	#replace(name: string, bytes: Uint8Array<ArrayBuffer>): void {
		this.#time += 1;
		this.files.set(name, { bytes, modified: this.#time });
	}

	/** Returns a file's text; undefined if it is absent. */
	text(name: string): string | undefined {
		const file = this.files.get(name);
		return file && new TextDecoder().decode(file.bytes);
	}

	get handle(): FileSystemDirectoryHandle {
		return {
			kind: "directory",
			name: "fake",
			getFileHandle: (name: string, options?: FileSystemGetFileOptions) =>
				this.#file(name, options),
			getDirectoryHandle: async (
				name: string,
				{ create = false }: FileSystemGetDirectoryOptions = {},
			) => {
				if (!this.folders.has(name) && create) this.folders.set(name, new FakeFolder());
				const folder = this.folders.get(name);
				if (!folder) throw named("NotFoundError");
				return folder.handle;
			},
			removeEntry: async (name: string) => {
				if (this.files.delete(name) || this.folders.delete(name)) return;
				throw named("NotFoundError");
			},
			keys: () => this.#keys(),
			entries: () => this.#entries(),
		} as unknown as FileSystemDirectoryHandle;
	}

	async *#entries(): AsyncGenerator<[string, unknown]> {
		for (const name of this.files.keys()) yield [name, await this.#file(name)];
		for (const [name, folder] of this.folders) yield [name, folder.handle];
	}

	async *#keys(): AsyncGenerator<string> {
		yield* [...this.files.keys(), ...this.folders.keys()];
	}

	async #file(name: string, { create = false }: FileSystemGetFileOptions = {}) {
		if (!this.files.has(name) && create) this.write(name, "");
		if (!this.files.has(name)) throw named("NotFoundError");
		return {
			kind: "file",
			getFile: async () => {
				const found = this.files.get(name);
				if (!found) throw named("NotFoundError");
				return new File([found.bytes], name, { lastModified: found.modified });
			},
			createWritable: async () => this.#writable(name),
		};
	}

	#writable(name: string) {
		const parts: Uint8Array<ArrayBuffer>[] = [];
		return {
			write: async (bytes: Uint8Array<ArrayBuffer>) => {
				this.onWrite("write");
				parts.push(bytes.slice());
			},
			close: async () => {
				this.onWrite("close");
				this.#replace(name, new Uint8Array(await new Blob(parts).arrayBuffer()));
			},
			abort: async () => {},
		};
	}
}
