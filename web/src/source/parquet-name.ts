/** Whether a path ends as those of Parquet files do. */
export function isParquetName(path: string): boolean {
	return /\.(parquet|parq|pq)\/?$/i.test(path);
}

/** Whether a name, or a folder in it, is one that readers of Parquet leave out. */
export function isHidden(key: string): boolean {
	return key.split("/").some((part) => /^[_.]/.test(part) && !part.includes("="));
}
