/** Files at the top of the repository that every build which is handed on must contain. */
export const NOTICES: readonly string[];
