import type { Handle } from "../core/core.js";
import { pack } from "./pack.js";
import type { SideFactsQuery } from "./protocol.js";
import type { Run } from "./run.js";
import { answerThumbnail, type SideAnswer } from "./side-thumbnails.js";

/** The object that `bevscope index` writes. */
const KEY = ".bevscope/facts.zip";

/** Answers a query about the facts beside the data set; `facts` holds their reader. */
export async function answerSide(
	facts: Handle<"Facts">,
	query: SideFactsQuery,
	run: Run,
): Promise<SideAnswer> {
	const { core } = run;
	switch (query.kind) {
		case "side-open":
			return { text: await open(facts, query, run) };
		case "side-believe":
			core.run("believe_fact_file", { facts });
			return { text: state(facts, run) };
		case "side-check": {
			const { sizes, newer } = query;
			const zip_crcs = sizes.map(() => Number.NaN);
			core.run("check_fact_file", { facts, sizes, newer, zip_crcs });
			return { text: state(facts, run) };
		}
		case "side-scenes":
			return { text: `${core.run("fact_file_scenes", { facts, scene: query.begin })}` };
		case "side-thumbnail":
			core.run("need_fact_states", { facts });
			await supply(facts, run);
			return answerThumbnail(facts, query.scene, run);
		case "side-rows": {
			const { table, where, columns, begin, end } = query;
			core.run("select_fact_file", { facts, table, where, columns, begin, end });
			await supply(facts, run);
			const result = pack(core.views("fact_file_rows", { facts }), run.buffers);
			return { result, text: state(facts, run) };
		}
	}
}

async function open(
	facts: Handle<"Facts">,
	query: Extract<SideFactsQuery, { readonly kind: "side-open" }>,
	run: Run,
): Promise<string> {
	const { core } = run;
	const size = query.size ?? (await run.source.size?.(KEY));
	run.assertAlive();
	if (size === undefined) return JSON.stringify({ isUsed: false, isAbsent: true });
	const [pb, meta] = query.map ?? [];
	const map = pb && meta ? core.run("map_mark", { pb, meta }) : "";
	core.run("open_fact_file", { facts, size, map, address: query.address });
	await supply(facts, run);
	if (core.run("fact_file_is_published", { facts })) {
		core.run("believe_fact_file", { facts });
		return state(facts, run, { isPublished: true });
	}
	const objects = core.run("fact_file_objects", { facts });
	if (query.size === undefined) await checkArchive(facts, objects, run);
	return state(facts, run, { objects });
}

/** Compares the objects with the directory of the archive that they are in. */
async function checkArchive(
	facts: Handle<"Facts">,
	objects: readonly string[],
	run: Run,
): Promise<void> {
	const sizes = new Float64Array(objects.length);
	const zip_crcs = new Float64Array(objects.length);
	for (const [i, key] of objects.entries()) {
		sizes[i] = (await run.source.size?.(key)) ?? -1;
		zip_crcs[i] = (await run.source.checksum?.(key)) ?? Number.NaN;
	}
	run.assertAlive();
	const newer = sizes.map(() => Number.NaN);
	run.core.run("check_fact_file", { facts, sizes, newer, zip_crcs });
}

async function supply(facts: Handle<"Facts">, run: Run): Promise<void> {
	await run.gather({ missing: () => run.core.run("fact_file_missing", { facts }) });
	run.assertAlive();
}

function state(facts: Handle<"Facts">, { core }: Run, more: object = {}): string {
	const notice = core.run("fact_file_notice", { facts });
	const isUsed = core.run("fact_file_is_used", { facts });
	return JSON.stringify({ notice, isUsed, ...more });
}
