/** Hits that are listed; further ones are only counted. */
export const MAX_HITS = 1_000;

/** Rows that PageUp and PageDown move by. */
const SCREEN = 12;

/** Returns the hit that `key` moves to; undefined for other keys. */
export function movedTo(
	key: string,
	active: number,
	total: number,
): number | undefined {
	const to: Readonly<Record<string, number>> = {
		ArrowUp: active - 1,
		ArrowDown: active + 1,
		PageUp: active - SCREEN,
		PageDown: active + SCREEN,
		Home: 0,
		End: total - 1,
	};
	const position = Object.hasOwn(to, key) ? to[key] : undefined;
	if (position === undefined) return undefined;
	return Math.max(0, Math.min(total - 1, position));
}
