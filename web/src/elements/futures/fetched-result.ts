import { nameOfUrl } from "../open/places.js";
import type { FuturesController } from "./futures-controller.js";
import { HEAD_BYTES, isFuturesFile, rangedUrl } from "./ranged-file.js";

type Ranged = Awaited<ReturnType<typeof rangedUrl>>;

/** What a file is that opens beside the data. */
type Kind = "submission" | "scores" | "unknown";

/** Maximum bytes of a file of scores. */
const MAX_SCORES = 2 ** 28;
/** Bytes of an end in which the columns of Parquet are named. */
const TAIL_BYTES = 2 ** 17;

/** Returns what a file is, by its first and last bytes. */
async function kindOf(file: Ranged, signal: AbortSignal): Promise<Kind> {
	const { size } = file;
	const begin = Math.min(size, HEAD_BYTES);
	const head = await file.read(0, begin, signal);
	const end = Math.max(begin, size - TAIL_BYTES);
	const tail = end < size ? await file.read(end, size, signal) : new Uint8Array();
	const ends = new Blob([head.slice(), tail.slice()]);
	if (await isFuturesFile(ends)) return "submission";
	const { scoreFileKinds } = await import("./score-files.js");
	const [found] = await scoreFileKinds([ends]);
	return found ? "scores" : "unknown";
}

/** Opens a file on a server as what it is: scores, or a submission. */
export async function fetchResult(
	futures: FuturesController,
	url: URL,
	address: string,
): Promise<void> {
	const { signal } = new AbortController();
	const file = await rangedUrl(url, nameOfUrl(url), signal);
	const { name, size } = file;
	const kind = size > MAX_SCORES ? "unknown" : await kindOf(file, signal);
	if (kind !== "scores") return futures.add({ file, address });
	const blob = new File([(await file.read(0, size, signal)).slice()], name);
	const { readScoreFiles } = await import("./score-files.js");
	for (const one of await readScoreFiles([blob])) futures.addScores(one, address);
}

/** Returns whether a file on a server is of scores or a submission. */
export async function isResultAt(url: URL): Promise<boolean> {
	const { signal } = new AbortController();
	const file = await rangedUrl(url, nameOfUrl(url), signal);
	return (await kindOf(file, signal)) !== "unknown";
}
