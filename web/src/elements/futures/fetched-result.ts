import { nameOfUrl } from "../open/places.js";
import type { FuturesController } from "./futures-controller.js";
import { HEAD_BYTES, isSubmission, rangedUrl } from "./ranged-file.js";

type Ranged = Awaited<ReturnType<typeof rangedUrl>>;

/** Maximum bytes of a file of scores. */
const MAX_SCORES = 2 ** 28;
/** Bytes of an end that tell whether a Parquet file is of scores. */
const TAIL_BYTES = 2 ** 16;

/** Returns what a file is, by its first and last bytes. */
async function kindOf(
	file: Ranged,
	signal: AbortSignal,
): Promise<"submission" | "scores" | "unknown"> {
	const { size } = file;
	const begin = Math.min(size, HEAD_BYTES);
	const head = await file.read(0, begin, signal);
	if (isSubmission(head)) return "submission";
	const end = Math.max(begin, size - TAIL_BYTES);
	const tail = end < size ? await file.read(end, size, signal) : new Uint8Array();
	const { isScores } = await import("./scores-file.js");
	const ends = new Blob([head.slice(), tail.slice()]);
	return (await isScores(ends)) ? "scores" : "unknown";
}

/** Opens a file on a server as what it is: scores, or a submission. */
export async function fetchResult(
	futures: FuturesController,
	url: URL,
	address: string,
): Promise<void> {
	const { signal } = new AbortController();
	const file = await rangedUrl(url, nameOfUrl(url), signal);
	if (file.size > MAX_SCORES || (await kindOf(file, signal)) !== "scores")
		return futures.add({ file, address });
	const bytes = await file.read(0, file.size, signal);
	const { readScores } = await import("./scores-file.js");
	futures.addScores(await readScores(new Blob([bytes.slice()]), file.name), address);
}

/** Returns whether a file on a server is of scores or a submission. */
export async function isResultAt(url: URL): Promise<boolean> {
	const { signal } = new AbortController();
	const file = await rangedUrl(url, nameOfUrl(url), signal);
	return (await kindOf(file, signal)) !== "unknown";
}
