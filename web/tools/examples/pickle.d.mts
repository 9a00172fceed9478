export function pickled(of: unknown): Uint8Array<ArrayBuffer>;
