/**
 * Returns what is known of a drop during the drag, from the types alone: browsers hide
 * names, folders and content until the drop.
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
	if (every(/yaml|json/)) {
		if (!open) return "Open the data first";
		if (types.length > 1) return `Use the ${types.length} files`;
		return every(/json/) ? "Use the .json file" : "Use the .yaml file";
	}
	if (!open) return "Open as a data set";
	// Data, a map and forecasts have no types of their own.
	return types.length > 1
		? "Open or add these files"
		: "Open or add this file or folder";
}
