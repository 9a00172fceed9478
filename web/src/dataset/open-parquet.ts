import { refuse } from "../base/arguments.js";
import { toBevError } from "../base/errors.js";
import { ChunkedDataset, limitOf } from "./dataset.js";
import type { ParquetFrom, ParquetOptions } from "./parquet.js";

/**
 * Opens a Parquet data set, whose rows are the table `rows`: a file, a folder (also with
 * folders `key=value/`), or files by path or URL. Reads the footers of the files, and no
 * data. `ChunkedDataset.open` opens those that it recognizes by name.
 *
 * ```ts
 * const dataset = await openParquet("https://host/data.parquet");
 * const reader = dataset.reader({ from: "rows", where: "speed > 5", fields: ["speed"] });
 * ```
 */
export async function openParquet(
	from: ParquetFrom,
	{ text, ...options }: ParquetOptions = {},
): Promise<ChunkedDataset> {
	const given: unknown = from;
	if (typeof given !== "string" && (typeof given !== "object" || given === null))
		refuse("openParquet", given, "a URL, files or a source");
	const { parquetSource } = await import("./parquet.js");
	const limit = limitOf(options.cache?.persistent);
	const read = { text: checked(text), wasm: options.load?.streamWasm };
	const source = await parquetSource(from, limit, read).catch((error: unknown) => {
		throw toBevError(error, "invalid_argument");
	});
	return ChunkedDataset.open(source, options);
}

function checked(text: ParquetOptions["text"]): NonNullable<ParquetOptions["text"]> {
	const given: unknown = text ?? {};
	if (typeof given !== "object" || given === null)
		refuse("openParquet: text", given, "numbers of characters by column");
	for (const [name, length] of Object.entries(given)) {
		if (!Number.isInteger(length) || length < 1)
			refuse(`openParquet: text: ${name}`, length, "a number of characters");
	}
	return text ?? {};
}
