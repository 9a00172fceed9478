/** The module that converts other data sets. All functions throw errors with a `code`. */
export interface CoreConvert {
	/**
	 * Returns the size of a TFRecord from its first 12 bytes, and checks their checksum.
	 *
	 * @param offset of the record in the file, for messages
	 */
	recordSize(head: Uint8Array, offset: number): number;
	/**
	 * Returns the names of the columns of an Argoverse 2 scenario.
	 *
	 * @param required whether of those that every scenario has, or of the others
	 */
	argoverse2Columns(required: boolean): readonly string[];
	/**
	 * Starts the conversion of a scenario.
	 *
	 * @param file name, for the attributes
	 */
	makeConverter(file: string): CoreConverter;
}

/** A decoded column of a table. Values are given as the bytes of their typed array. */
export type CoreColumn =
	/** float64 */
	| { readonly name: string; readonly kind: "number"; readonly values: Uint8Array }
	/** int64 */
	| { readonly name: string; readonly kind: "integer"; readonly values: Uint8Array }
	/** Row i is the bytes of `text` from offset i to offset i + 1; int64 offsets. */
	| {
			readonly name: string;
			readonly kind: "text";
			readonly values: Uint8Array;
			readonly text: Uint8Array;
	  };

/** A scenario and, when it is finished, its data set; `delete()` frees it. */
export interface CoreConverter {
	/**
	 * Checks and reads a record of Waymo, with its head and checksums.
	 *
	 * @param index of the record in the file
	 */
	readWaymo(record: Uint8Array, offset: number, index: number): void;
	/** Reads the columns of an Argoverse 2 scenario. */
	readArgoverse2(columns: readonly CoreColumn[]): void;
	/** Reads the scenario's map (JSON in UTF-8), after its columns. */
	readArgoverse2Map(json: Uint8Array): void;
	/** Completes the data set and returns the report as JSON. */
	finish(): string;
	/** Returns the keys of the data set's objects. */
	keys(): readonly string[];
	/** Returns a copy of an object. */
	object(key: string): Uint8Array<ArrayBuffer>;
	delete(): void;
}
