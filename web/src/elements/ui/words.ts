/** Returns a count and its noun: `1 face`, `2 faces`. */
export function counted(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}

/** Like `counted`, with thousands apart: `4,586 predictions`. */
export function groupedCount(count: number, one: string, many = `${one}s`): string {
	return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/**
 * Formats a number with a minus sign as wide as a digit: `−709.30`; a dash if unknown.
 */
export function formatNumber(value: number, digits = 2): string {
	return Number.isFinite(value) ? value.toFixed(digits).replace("-", "−") : "–";
}

/** Formats bytes: `1.9 MB`, `14 kB`, `312 B`. */
export function formatBytes(bytes: number): string {
	if (bytes < 1000) return `${bytes} B`;
	if (bytes < 1e6) return `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB`;
	if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
	return `${(bytes / 1e9).toFixed(2)} GB`;
}
