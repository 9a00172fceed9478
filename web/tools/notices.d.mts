/** Files in the repository's root that every distributed build must contain. */
export const NOTICES: readonly string[];

/** Documents of the repository's root that an npm package contains. */
export function documentsOf(name: string): readonly string[];
