import type { PackedResult } from "../arrays/result.js";
import type { Handle } from "../core/core.js";
import type { Source } from "../source/source.js";
import { ZipSource } from "../source/zip-source.js";
import { pack } from "./pack.js";
import type { Instance, Run } from "./run.js";

/** An answer about what is beside a data set. */
export interface SideAnswer {
	readonly result?: PackedResult;
	readonly text: string;
}

/** Archives of pictures, and why they are not used; an absent one has no reason. */
type Archives = Map<string, ZipSource | { readonly why: string }>;

const archives = new WeakMap<Instance, Archives>();

/** Answers a scene's picture, or why it must be drawn. */
export async function answerThumbnail(
	facts: Handle<"Facts">,
	scene: number,
	run: Run,
): Promise<SideAnswer> {
	const [key, name] = run.core.run("fact_thumbnail", { facts, scene });
	if (key === undefined || name === undefined) return answerOf("");
	const known = archives.get(run.instance) ?? new Map();
	archives.set(run.instance, known);
	if (!known.has(key)) known.set(key, await opened(run, key));
	const archive = known.get(key);
	if (!(archive instanceof ZipSource)) return answerOf(archive?.why ?? "");
	try {
		const data = await archive.read(name, run.options);
		run.assertAlive();
		if (!data) return answerOf("");
		const png = { name: "png", dtype: "|u1", shape: [data.length], data };
		return { result: pack([png], run.buffers), text: JSON.stringify({ why: "" }) };
	} catch (thrown) {
		run.options.signal?.throwIfAborted();
		const why = run.explained(thrown).message;
		run.assertAlive();
		known.set(key, { why });
		return answerOf(why);
	}
}

function answerOf(why: string): SideAnswer {
	return { text: JSON.stringify({ why }) };
}

async function opened(run: Run, key: string): Promise<ZipSource | { why: string }> {
	const { source, core } = run;
	const size = await sizeOf(source, key);
	run.assertAlive();
	if (!size) return { why: "" };
	return new ZipSource(source, { key, size, folder: "" }, async () => core);
}

async function sizeOf(source: Source, key: string): Promise<number | undefined> {
	try {
		return await source.size?.(key);
	} catch {
		return undefined;
	}
}
