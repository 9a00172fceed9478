export function scenarionetPickle(): Uint8Array<ArrayBuffer>;
