/** Files in the repository's root that every distributed build must contain. */
export const NOTICES = ["LICENSE", "NOTICE"];

/** Those that every npm package must contain. */
export const DOCUMENTS = [...NOTICES, "CHANGELOG.md"];
