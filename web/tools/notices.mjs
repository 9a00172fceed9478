/** Files in the repository's root that every distributed build must contain. */
export const NOTICES = ["LICENSE", "NOTICE"];

/** Guides that `bevscope` contains, because its README and its errors name them. */
export const GUIDES = [
	...["bundlers", "embed", "hosting", "typescript", "viewer", "viewer-reference"],
].map((name) => `docs/${name}.md`);
