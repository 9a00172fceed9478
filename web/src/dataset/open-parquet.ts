import type { OpenOptions } from "../api.js";
import { refuse } from "../base/arguments.js";
import { toBevError } from "../base/errors.js";
import { ChunkedDataset, limitOf } from "./dataset.js";
import type { ParquetFrom } from "./parquet.js";

/**
 * Opens a Parquet data set, whose rows are the table `rows`: a file, a folder (also with
 * folders `key=value/`), or files by path or URL. Reads the footers of the files, and no
 * data. `ChunkedDataset.open` opens those that it recognizes by name. Needs the packages
 * hyparquet, fflate and fzstd.
 *
 * ```ts
 * const dataset = await openParquet("https://host/data.parquet");
 * const reader = dataset.reader({ from: "rows", where: "speed > 5", fields: ["speed"] });
 * ```
 */
export async function openParquet(
	from: ParquetFrom,
	options: OpenOptions = {},
): Promise<ChunkedDataset> {
	const given: unknown = from;
	if (typeof given !== "string" && (typeof given !== "object" || given === null))
		refuse("openParquet", given, "a URL, files or a source");
	const { parquetSource } = await import("./parquet.js");
	const source = await parquetSource(from, limitOf(options.cache?.persistent)).catch(
		(error: unknown) => {
			throw toBevError(error, "invalid_argument");
		},
	);
	return ChunkedDataset.open(source, options);
}
