/** Returns whether `key` names metadata: read before the chunks that it describes. */
export function isDocument(key: string): boolean {
	const name = key.slice(key.lastIndexOf("/") + 1);
	return name.startsWith(".z") || name === "zarr.json";
}
