export type Bytes = Uint8Array<ArrayBuffer>;

/** One encoded picture of a film. */
export interface FilmChunk {
	readonly bytes: Bytes;
	/** Milliseconds from the film's beginning. */
	readonly time: number;
	/** It can be shown without those before it. */
	readonly key: boolean;
}

export interface FilmTrack {
	/** As WebCodecs names it: `vp8`, `vp09.00.40.08`. */
	readonly codec: string;
	readonly width: number;
	readonly height: number;
	/** What a decoder has to know beforehand, where the codec has such. */
	readonly description?: Bytes | undefined;
}

/** Makes a file of one silent film; `duration` in milliseconds. */
export type FilmWriter = (
	track: FilmTrack,
	chunks: readonly FilmChunk[],
	duration: number,
) => Bytes;

export function joined(parts: readonly Bytes[]): Bytes {
	const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		all.set(part, at);
		at += part.length;
	}
	return all;
}

export function ascii(value: string): Bytes {
	return Uint8Array.from(value, (c) => c.charCodeAt(0));
}
