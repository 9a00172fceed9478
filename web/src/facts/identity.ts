import type { Description } from "../api.js";
import { FetchSource } from "../source/fetch-source.js";
import type { Source } from "../source/source.js";
import { hashOfText } from "../source/validator.js";
import type { Resolved } from "../source/zip-source.js";
import { type ObjectStates, statedSource } from "./chunk-states.js";

/**
 * Returns a text that differs if the data set is another one: its address and metadata,
 * and the state of its archive. Undefined if kept facts could not be checked, because the
 * source does not tell the archive's state. The states of chunks are kept with the facts
 * that were computed from them.
 */
export async function identityOf(
	resolved: Resolved,
	description: Description,
	states: Pick<ObjectStates, "of">,
	signal: AbortSignal | undefined,
): Promise<string | undefined> {
	const { zip } = resolved;
	const archive = zip && (await states.of([zip.archive.key], signal));
	if (zip && !archive) return undefined;
	const address = addressOf(statedSource(resolved));
	const metadata = hashOfText(JSON.stringify(description));
	return JSON.stringify([address, zip?.archive.folder, metadata, archive]);
}

function addressOf(source: Source): string {
	if (!(source instanceof FetchSource)) return "";
	return `${source.url.origin}${source.url.pathname}`;
}
