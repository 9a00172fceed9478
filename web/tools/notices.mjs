/** Files in the repository's root that every distributed build must contain. */
export const NOTICES = ["LICENSE", "NOTICE"];

/** Guides in each package: what its README and its errors name. */
export const GUIDES = {
	bevscope: ["docs/bundlers.md", "docs/typescript.md"],
	"bevscope-viewer": ["embed", "hosting", "viewer", "viewer-reference"].map(
		(name) => `docs/${name}.md`,
	),
};
