/** Sets the newest entry of a map with at most `limit` entries; drops the oldest. */
export function remember<T>(
	map: Map<string, T>,
	key: string,
	value: T,
	limit: number,
): void {
	map.delete(key);
	map.set(key, value);
	if (map.size <= limit) return;
	for (const oldest of map.keys()) {
		map.delete(oldest);
		break;
	}
}
