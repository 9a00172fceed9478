/** Files in the repository's root that every distributed build must contain. */
export const NOTICES: readonly string[];

/** Those that every npm package must contain. */
export const DOCUMENTS: readonly string[];
