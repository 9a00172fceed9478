/** The text of a map of Lanelet2, LOCATION.osm. */
export function interactionMap(): string;
/** Tracks of two cases on it, LOCATION_val.csv. */
export function interactionTracks(): string;
