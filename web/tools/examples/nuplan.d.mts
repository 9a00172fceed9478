/** A log of two scenes, as a SQLite file. */
export function nuplanLog(): Uint8Array<ArrayBuffer>;
/** The map of its city, as a GeoPackage. */
export function nuplanMap(): Uint8Array<ArrayBuffer>;
