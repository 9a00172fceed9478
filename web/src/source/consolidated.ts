/**
 * Returns whether consolidated metadata lists a document; undefined if the bytes are
 * not consolidated metadata.
 */
export function listedIn(zmetadata: Uint8Array, key: string): boolean | undefined {
	try {
		const { metadata } = JSON.parse(new TextDecoder().decode(zmetadata)) as {
			metadata?: unknown;
		};
		if (typeof metadata !== "object" || metadata === null) return undefined;
		return Object.hasOwn(metadata, key);
	} catch {
		return undefined;
	}
}
