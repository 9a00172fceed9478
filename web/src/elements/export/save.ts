/** How long an address of a file must live for the browser to begin saving it. */
const KEEP_MS = 60_000;

/** Has the browser save a file. */
export function save(blob: Blob, name: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(blob);
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}
