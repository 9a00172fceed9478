/** Lifetime of a file's object URL, long enough for the browser to start saving. */
const KEEP_MS = 60_000;

/** Saves a file as a browser download. */
export function save(blob: Blob, name: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(blob);
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}
