/** Which cameras are shown, and how. */
export interface CameraChoice {
	/** Whether the strip is open. */
	readonly open: boolean;
	/** Names of the shown cameras; undefined for all. */
	readonly names: readonly string[] | undefined;
	/** Name of the enlarged one. */
	readonly large: string | undefined;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text; // a stray % is literal
	}
}

/**
 * Parses a choice as in links: names separated by commas, with `:` before the enlarged one.
 * `*` stands for all names, and `:` alone closes the strip.
 */
export function parseCameras(text: string): CameraChoice {
	const all = text.split(",").filter((part) => part !== "");
	const parts = all.filter((part) => part !== ":");
	const named = parts.filter((part) => part !== "*");
	const large = named.find((part) => part.startsWith(":"));
	return {
		open: parts.length === all.length,
		names: parts.includes("*")
			? undefined
			: named.map((part) => decoded(part.replace(/^:/, ""))),
		large: large && decoded(large.slice(1)),
	};
}

/** Returns the text of a choice: the inverse of `parseCameras`. */
export function formatCameras({ open, names, large }: CameraChoice): string {
	const of = (name: string) =>
		`${name === large ? ":" : ""}${encodeURIComponent(name).replaceAll("*", "%2A")}`;
	const listed = names?.map(of) ?? ["*", ...(large === undefined ? [] : [of(large)])];
	return [...(open ? [] : [":"]), ...listed].join(",");
}

/** Returns whether a camera is shown. */
export function isOn({ names }: CameraChoice, name: string): boolean {
	return names?.includes(name) ?? true;
}

/** Returns `choice` with a camera shown or hidden; `all` are the names of all cameras. */
export function withCamera(
	choice: CameraChoice,
	name: string,
	all: readonly string[],
): CameraChoice {
	const on = isOn(choice, name);
	const names = all.filter((one) => (one === name ? !on : isOn(choice, one)));
	const large = on && choice.large === name ? undefined : choice.large;
	return {
		...choice,
		names: names.length === all.length ? undefined : names,
		large,
	};
}
