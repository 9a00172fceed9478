/** Files in the repository's root that every distributed build must contain. */
export const NOTICES = ["LICENSE", "NOTICE"];
