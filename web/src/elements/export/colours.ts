/** Codes of colours, of all containers: ITU-T H.273. */
const PRIMARIES: Record<string, number> = {
	bt709: 1,
	bt470bg: 5,
	smpte170m: 6,
	bt2020: 9,
	smpte432: 12,
};
const TRANSFERS: Record<string, number> = {
	bt709: 1,
	smpte170m: 6,
	linear: 8,
	"iec61966-2-1": 13,
	pq: 16,
	hlg: 18,
};
const MATRICES: Record<string, number> = {
	rgb: 0,
	bt709: 1,
	bt470bg: 5,
	smpte170m: 6,
	"bt2020-ncl": 9,
};

/** Codes of a video's colours. */
export interface ColourCodes {
	readonly primaries: number;
	readonly transfer: number;
	readonly matrix: number;
	/** Whether black is 0, not 16. */
	readonly full: boolean;
}

/** Returns the codes of a decoder's colours; undefined if any of them is unknown. */
export function codesOf(colours: VideoColorSpaceInit = {}): ColourCodes | undefined {
	const primaries = PRIMARIES[colours.primaries ?? ""];
	const transfer = TRANSFERS[colours.transfer ?? ""];
	const matrix = MATRICES[colours.matrix ?? ""];
	if (primaries === undefined || transfer === undefined || matrix === undefined)
		return undefined;
	return { primaries, transfer, matrix, full: colours.fullRange ?? false };
}
