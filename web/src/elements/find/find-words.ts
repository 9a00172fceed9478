import { type Found, MAX_HITS } from "./find-loader.js";
import { isOfFacts } from "./find-state.js";

/** Returns the column in an error of the filter, from 0. */
export function columnOf(why: string): number | undefined {
	const [, column] = /filter, column (\d+):/.exec(why) ?? [];
	return column === undefined ? undefined : Number(column) - 1;
}

/** Most names that an error lists; the box completes the others. */
const MAX_NAMES = 6;

/** Returns an error's text without most of a long list of expected names. */
export function shortened(why: string): string {
	return why.replace(/\(expected ([^()]+)\)/, (whole, list: string) => {
		const names = list.split(", ");
		const more = names.length - MAX_NAMES;
		if (more < 3) return whole;
		return `(expected ${names.slice(0, MAX_NAMES).join(", ")} or ${more} others)`;
	});
}

/** Returns the count and the progress, for the eye. */
export function wordsOf(found: Found): string {
	const { phase, done, of } = found;
	if (phase === "done") return foundIn(found);
	if (phase === "running" && of === 0) return "Searching";
	const part =
		of === 0
			? ""
			: ` in ${numeral(done)} of ${numeral(of)} ${of === 1 ? "scene" : "scenes"}`;
	if (phase === "running") return `${countOf(found)}${part}`;
	if (phase !== "stopped") return "";
	const kept = isOfFacts(found.filter.table) ? ". What was computed is kept" : "";
	return `Stopped: ${countOf(found)}${part}${kept}`;
}

/** Returns what screen readers hear: the begin and the end, not each step. */
export function statusOf(found: Found): string {
	if (found.phase === "running") return "Searching";
	return found.phase === "failed" ? "" : wordsOf(found);
}

/** Returns the sentence about scenes without an answer; undefined if there are none. */
export function unreadWords({ unread }: Found): string | undefined {
	const [first] = unread;
	if (!first) return undefined;
	if (unread.length === 1) {
		return `Scene ${first.scene} could not be searched: ${first.error}`;
	}
	const count = numeral(unread.length);
	return `${count} scenes could not be searched, the first is scene ${first.scene}: ${first.error}`;
}

/** Returns the sentence about hits that may be outdated; undefined if none may be. */
export function uncheckedWords({ phase, isUnchecked }: Found): string | undefined {
	if (!isUnchecked || phase === "failed") return undefined;
	return phase === "running"
		? "Results stored with the data are used"
		: "Found in results stored with the data. Whether the data has changed since is being checked";
}

function foundIn(found: Found): string {
	if (found.count > 0) return countOf(found);
	const what = { scenes: "scene", tracks: "track", agents: "agent", frames: "frame" };
	return `No ${what[found.filter.table]} passes the filter`;
}

function countOf({ count, hits, order }: Found): string {
	const sorted = order.by === "found" ? "" : " in this order";
	const listed = `, the first ${numeral(MAX_HITS)}${sorted} are listed`;
	const more = count > hits.length ? listed : "";
	return `${numeral(count)} ${count === 1 ? "hit" : "hits"}${more}`;
}

function numeral(count: number): string {
	return count.toLocaleString("en");
}
