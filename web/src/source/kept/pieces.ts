import type { ByteRange } from "../source.js";

/** The least range that, with `pieces`, covers `range`; undefined where they cover it. */
export function hole(
	range: ByteRange,
	pieces: readonly ByteRange[],
): ByteRange | undefined {
	const begin = reach(range.begin, pieces);
	if (begin >= range.end) return undefined;
	let end = range.end;
	for (let moved = true; moved; ) {
		const before = end;
		for (const piece of pieces) {
			if (piece.begin < end && piece.end >= end) end = piece.begin;
		}
		moved = end < before;
	}
	return { begin, end };
}

/** Where what is held from `begin` on ends. */
function reach(begin: number, pieces: readonly ByteRange[]): number {
	let at = begin;
	for (let moved = true; moved; ) {
		const before = at;
		for (const piece of pieces) {
			if (piece.begin <= at && piece.end > at) at = piece.end;
		}
		moved = at > before;
	}
	return at;
}

/** Those of `pieces` that it takes to cover `range`, as far as they do, in order. */
export function covering<T extends ByteRange>(
	range: ByteRange,
	pieces: readonly T[],
): T[] {
	const taken: T[] = [];
	for (let at = range.begin; at < range.end; ) {
		const next = pieces
			.filter((piece) => piece.begin <= at && piece.end > at)
			.reduce<T | undefined>((a, b) => (a && a.end >= b.end ? a : b), undefined);
		if (!next) return taken;
		taken.push(next);
		at = next.end;
	}
	return taken;
}
