/** A name that pages use, and its description. */
interface Described {
	readonly name: string;
	readonly description: string;
}

/** Everything that a page can use of the viewer. */
export function viewerApi(): {
	readonly attributes: readonly (Described & {
		/** Markdown. */
		readonly meaning: string;
		readonly text: string;
		readonly values: readonly string[];
		readonly property: string;
	})[];
	readonly members: readonly Described[];
	readonly events: readonly Described[];
	readonly slots: readonly Described[];
	readonly parts: readonly { readonly name: string; readonly description?: string }[];
	readonly tokens: readonly (Described & { readonly value: string })[];
};

/** The manifests for editors by file name. */
export function manifests(): Readonly<Record<string, unknown>>;

/** Returns the text of docs/viewer-reference.md with the table of these attributes. */
export function withAttributes(
	text: string,
	attributes: readonly { readonly name: string; readonly meaning: string }[],
): string;
