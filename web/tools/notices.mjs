/** Files in the repository's root that every distributed build must contain. */
export const NOTICES = ["LICENSE", "NOTICE"];

/** Guides that `bevscope` contains, because its README and its errors name them. */
export const GUIDES = [
	...["bundlers", "embed", "hosting", "typescript", "viewer", "viewer-reference"],
].map((name) => `docs/${name}.md`);

/**
 * Documents of the repository's root that an npm package contains. Changes are in bevscope,
 * on which bevscope-viewer depends.
 */
export const documentsOf = (name) =>
	name === "bevscope" ? [...NOTICES, "CHANGELOG.md"] : NOTICES;
