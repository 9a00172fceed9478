/** The module that converts other data sets. All functions throw errors with a `code`. */
export interface CoreConvert {
	/**
	 * Returns the size of a TFRecord from its first 12 bytes, and checks their checksum.
	 *
	 * @param offset of the record in the file, for messages
	 */
	recordSize(head: Uint8Array, offset: number): number;
	/**
	 * Converts scenarios of Waymo to a data set.
	 *
	 * @param file name, for the attributes
	 * @param several whether there are several scenarios; each then gets a cell of the map
	 */
	makeWaymoConverter(file: string, several: boolean): CoreWaymoConverter;
}

/** A data set under construction; `delete()` frees it. */
export interface CoreWaymoConverter {
	/** Checks and converts a record, with its head and checksums; appends a scene. */
	add(record: Uint8Array, offset: number): void;
	/** Completes the data set and returns the report as JSON. */
	finish(): string;
	/** Returns the keys of the data set's objects. */
	keys(): readonly string[];
	/** Returns a copy of an object. */
	object(key: string): Uint8Array<ArrayBuffer>;
	delete(): void;
}
