/** Files of a version and of the folder `maps` beside it, by path. */
export function nuscenesFiles(): ReadonlyMap<string, string>;
