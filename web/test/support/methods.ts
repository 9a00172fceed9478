/** Methods that Embind adds to every class. */
const EMBIND = ["clone", "constructor", "deleteLater", "isAliasOf", "isDeleted"];

/** Returns the sorted names of the methods of an Embind object, inherited ones among them. */
export function methods(value: object): string[] {
	const found = new Set<string>();
	for (let at = value; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
		for (const name of Object.getOwnPropertyNames(at)) {
			if (typeof (value as Record<string, unknown>)[name] === "function")
				found.add(name);
		}
	}
	return [...found].filter((name) => !EMBIND.includes(name)).sort();
}
