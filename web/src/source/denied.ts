/** Documents that identify a node of a store. */
const NODES = [".zgroup", ".zarray", "zarr.json"];

/**
 * Returns whether another document of a document's folder can be read. Then 403 means that
 * the document is absent, as object stores answer where listing is not allowed.
 */
export async function isDescribed(
	key: string,
	isReadable: (key: string) => Promise<boolean>,
): Promise<boolean> {
	const others = NODES.map((name) => key.replace(/[^/]*$/, name));
	const found = others.filter((other) => other !== key).map(isReadable);
	return (await Promise.all(found)).includes(true);
}
