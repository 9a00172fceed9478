/**
 * Returns the expected effect of a drop during the drag, from the types alone: browsers
 * hide names and folders until the drop.
 */
export function dropPreview(types: readonly string[], open: boolean): string {
	const every = (pattern: RegExp): boolean =>
		types.length > 0 && types.every((type) => pattern.test(type));
	const some = (pattern: RegExp): boolean => types.some((type) => pattern.test(type));
	if (some(/zip/)) return "Open this zip";
	const sets = types.filter((type) => /csv|ms-excel/.test(type)).length;
	if (sets > 0)
		return sets > 1 ? `Compare predictions of ${sets} models` : "Add predictions";
	if (every(/^(image|video|audio|text\/html|application\/pdf)/))
		return "Unsupported file type";
	if (every(/yaml|json/)) return open ? "Use as raster config" : "Open the data first";
	if (!open) return "Open as a data set";
	return types.length > 1 && some(/json/) && some(/^$|octet/)
		? "Use as the map"
		: "Open the folder, or use a .pb file as the map";
}
