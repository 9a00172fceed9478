import { MAX_ROWS } from "../../reviewing/protocol.js";
import {
	compares,
	coversAll,
	type KeptList,
	type RankedRows,
	type ReviewState,
} from "../review/review-state.js";

/** Maximum number of listed predictions of all scenes. */
const MAX_LISTED = 200;

/** Returns what passes the brushes of the list that is shown; undefined without a model. */
export async function keptListOf(
	{ table, ids }: RankedRows,
	{ list, by, active, pair }: ReviewState,
	open: number,
): Promise<KeptList | undefined> {
	if (active === undefined) return undefined;
	const all = coversAll(list);
	const scene = all ? undefined : open;
	const rows = { scene, most: all ? MAX_LISTED : MAX_ROWS };
	const of = { list, by, active, pair, scene };
	const [model = -1, a = -1, b = -1] = [active, pair?.a, pair?.b].map((id) =>
		ids.indexOf(id ?? -1),
	);
	if (!compares(list)) {
		const report = model < 0 ? undefined : await table.kept(model, by, rows);
		return { ...of, report, comparison: undefined };
	}
	const isKnown = a >= 0 && b >= 0;
	const comparison = isKnown ? await table.keptPairs(a, b, rows) : undefined;
	return { ...of, report: undefined, comparison };
}
