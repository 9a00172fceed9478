import type { CoreModule, CoreView } from "./core.js";

/** The module that saves and loads arrays. All functions throw errors with a `code`. */
export interface CoreSave extends Required<Pick<CoreModule, "makeZip">> {
	/** Checks a configuration and returns it with all members. */
	normalConfig(config: string): string;
	/**
	 * Returns the settings of a destination's first saver.
	 *
	 * @param zattrs the object `.zattrs` of the data set that is there; "" if there is none
	 * @param where the destination, for messages
	 */
	firstSettings(config: string, mode: string, zattrs: string, where: string): string;
	/** Compares the settings of savers with those of another. */
	checkSettings(settings: string, config: string, mode: string, where: string): void;
	/** Returns the name of a saver's part. */
	partName(saver: number): string;
	/** Whether this is the name of a part. */
	isPart(name: string): boolean;
	makeSaver(config: string, saver: number): CoreSaver;
	/** @param zattrs as for `firstSettings` */
	makeCommit(settings: string, zattrs: string, where: string): CoreCommit;
	makeZipWriter(): CoreZipWriter;
	/**
	 * @param metadata the object `.zmetadata`, or the root's `zarr.json`
	 * @param where the data set, for messages
	 * @param byteBudget of decoded chunks
	 */
	makeLoader(metadata: string, where: string, byteBudget: number): CoreLoader;
}

/** An object to be written. */
export interface CoreNewObject {
	readonly key: string;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

/** See `core/save/part_session.hpp`. */
export interface CoreSaver {
	resume(journal: string): void;
	/** Returns the key of the next object to be supplied; null if there is none. */
	needed(): string | null;
	supply(bytes: Uint8Array): void;
	/** Passes an array of a batch. `dtype` is "" for bytes of the attribute's dtype. */
	add(name: string, dtype: string, bytes: Uint8Array): void;
	/** Forgets the arrays that were passed. */
	clear(): void;
	/** Saves the arrays that were passed. */
	save(): void;
	attach(name: string, bytes: Uint8Array): void;
	flush(): void;
	/** Returns the next object to be written; null if there is none. */
	take(): CoreNewObject | null;
	journal(complete: boolean): string;
	/** Takes the journal as written; returns the keys that are no longer used. */
	confirm(): readonly string[];
	rows(): number;
	batches(): number;
	delete(): void;
}

/** See `core/save/part_commit.hpp`. */
export interface CoreCommit {
	/** Adds a part by its manifest, before any other call. */
	add(manifest: string): void;
	/** Whether the parts are those of the data set that is there. */
	isPublished(): boolean;
	/** Returns keys of parts (`000000/image/0-9`) and of that data set (`base/image/0.0`). */
	missing(): readonly string[];
	supply(key: string, bytes: Uint8Array): void;
	/** Returns the next object; null if others are missing first, or all were returned. */
	next(): CoreNewObject | null;
	isComplete(): boolean;
	/** Returns the rows of the data set, when it is complete or was published. */
	rows(): number;
	delete(): void;
}

/** Writes an archive. Each function returns the bytes to be appended to it. */
export interface CoreZipWriter {
	put(key: string, bytes: Uint8Array): Uint8Array<ArrayBuffer>;
	finish(): Uint8Array<ArrayBuffer>;
	delete(): void;
}

/** Rows of an attribute. `data` is a copy that the caller owns. */
export interface CoreRows {
	readonly name: string;
	/** NumPy's code; fields of a record as JSON. */
	readonly dtype: string;
	readonly shape: readonly number[];
	readonly data: CoreView;
}

/** See `core/save/load_session.hpp`. */
export interface CoreLoader {
	config(): string;
	/** Returns the identity of the commit that wrote the data set. */
	commit(): string;
	rows(): number;
	chunkRows(attribute: number): number;
	/** Returns JSON: `[{ name, bytes, sha256 }]`. */
	attachments(): string;
	attachmentKey(name: string): string;
	/** Throws if the bytes differ from the attachment's. */
	checkAttachment(name: string, bytes: Uint8Array): void;
	ask(begin: number, end: number): void;
	/** Negative indices count from the end. */
	askRows(indices: Float64Array): void;
	/** Returns the keys of chunks to be read next; empty when the rows are complete. */
	missing(): readonly string[];
	supply(key: string, bytes: Uint8Array): void;
	take(): readonly CoreRows[];
	clear(): void;
	heldBytes(): number;
	chunks(): number;
	delete(): void;
}
