import type { PackedResult } from "../arrays/result.js";
import type { Handle } from "../core/core.js";
import { pack } from "./pack.js";
import type { SideFactsQuery } from "./protocol.js";
import type { Run } from "./run.js";

/** An answer about the facts beside a data set. */
export interface SideAnswer {
	readonly result?: PackedResult;
	readonly text: string;
}

/** Answers a query about the facts beside the data set; `facts` holds their reader. */
export async function answerSide(
	facts: Handle<"Facts">,
	query: SideFactsQuery,
	run: Run,
): Promise<SideAnswer> {
	const { core } = run;
	switch (query.kind) {
		case "side-open": {
			const [pb, meta] = query.map ?? [];
			const map = pb && meta ? core.run("map_mark", { pb, meta }) : "";
			core.run("open_fact_file", { facts, size: query.size, map });
			await supply(facts, run);
			return {
				text: JSON.stringify({ objects: core.run("fact_file_objects", { facts }) }),
			};
		}
		case "side-check": {
			const { sizes, newer } = query;
			core.run("check_fact_file", { facts, sizes, newer });
			return { text: state(facts, run) };
		}
		case "side-scenes":
			return { text: `${core.run("fact_file_scenes", { facts, scene: query.begin })}` };
		case "side-rows": {
			const { table, where, columns, begin, end } = query;
			core.run("select_fact_file", { facts, table, where, columns, begin, end });
			await supply(facts, run);
			const result = pack(core.views("fact_file_rows", { facts }), run.buffers);
			return { result, text: state(facts, run) };
		}
	}
}

async function supply(facts: Handle<"Facts">, run: Run): Promise<void> {
	await run.gather({ missing: () => run.core.run("fact_file_missing", { facts }) });
	run.assertAlive();
}

function state(facts: Handle<"Facts">, { core }: Run): string {
	const notice = core.run("fact_file_notice", { facts });
	return JSON.stringify({ notice, isUsed: core.run("fact_file_is_used", { facts }) });
}
