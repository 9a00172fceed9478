/** Packs the npm package in `directory` into `folder`; returns the tarball's path. */
export function pack(directory: string, folder: string): string;
