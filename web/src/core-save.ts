import type { CoreModule, CoreView } from "./core.js";

/** The module that saves and loads arrays. All functions throw errors with a `code`. */
export interface CoreSave extends Required<Pick<CoreModule, "makeZip">> {
	/** Checks a configuration and returns it with all members. */
	normalConfig(config: string): string;
	makeSaver(config: string): CoreSaver;
	/** @param manifest of a complete part */
	makeCommit(config: string, manifest: string): CoreCommit;
	/**
	 * @param zmetadata the object `.zmetadata`
	 * @param where the data set, for messages
	 * @param byteBudget of decoded chunks
	 */
	makeLoader(zmetadata: string, where: string, byteBudget: number): CoreLoader;
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
	missing(): readonly string[];
	supply(key: string, bytes: Uint8Array): void;
	/** Returns the next object; null if others are missing first, or all were returned. */
	next(): CoreNewObject | null;
	isComplete(): boolean;
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
