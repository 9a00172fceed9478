import type { AbortOptions } from "../api.js";
import { ResultArrays } from "../arrays/result.js";
import { check } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import type { WithFormer } from "../base/names.js";
import type { ChunkedDataset } from "../dataset/dataset.js";
import { type Client, clientOf } from "../worker/client.js";
import { keeping } from "../worker/protocol.js";
import { askObject, free, newId } from "../worker/remote-object.js";
import type { SelectionReport, SelectionRules } from "./options.js";

/** Track lengths of the agents of a scene. */
export interface SelectedScene {
	/** Index of the scene. */
	readonly scene: number;
	/** Number of scenes and agents in the data set. */
	readonly scenes: number;
	/** Number of agents in the data set. */
	readonly agents: number;
	/** Row in `agents` of the scene's first agent. */
	readonly first: number;
	/**
	 * (n, 2): number of past and future frames in which each agent's track is visible.
	 */
	readonly mask: Uint32Array;
	/** Totals of this scene and the scenes before it. */
	readonly report: SelectionReport;
}

type Progress = Pick<SelectedScene, "scene" | "scenes" | "agents" | "report">;

/**
 * Runs L5Kit's agent selection and yields scene by scene, with one scene in memory at a
 * time. Leaving the loop or aborting ends it.
 */
export async function* selectAgents(
	dataset: ChunkedDataset,
	rules: Readonly<WithFormer<SelectionRules>> = {},
	{ signal }: AbortOptions = {},
): AsyncGenerator<SelectedScene, void, undefined> {
	const { client } = clientOf(dataset);
	const { selectionRules } = await import("./sampler.js");
	const given = selectionRules(rules);
	const id = newId();
	await askObject(client, keeping(id, "selection", given), { signal });
	try {
		for (
			let selected = await next(client, id, signal);
			selected;
			selected = await next(client, id, signal)
		) {
			yield selected;
		}
	} finally {
		free(client, id);
	}
}

/**
 * As `selectAgents`, for one scene. Throws `out_of_range` if the scene does not exist.
 */
export async function selectScene(
	dataset: ChunkedDataset,
	scene: number,
	rules: Readonly<WithFormer<SelectionRules>> = {},
	{ signal }: AbortOptions = {},
): Promise<SelectedScene> {
	const { client } = clientOf(dataset);
	check("selection: scene", scene, "index");
	const { selectionRules } = await import("./sampler.js");
	const from = { ...selectionRules(rules), first_scene: scene };
	const id = newId();
	await askObject(client, keeping(id, "selection", from), { signal });
	try {
		const selected = await next(client, id, signal);
		if (selected?.scene === scene) return selected;
		const found = selected ? `scene ${selected.scene}` : "none";
		throw new BevError(
			"internal",
			`selection: unexpected scene (found ${found}, expected scene ${scene})`,
		);
	} finally {
		free(client, id);
	}
}

/**
 * Returns the mask of all agents, (n, 2) as stored by L5Kit, and the number of rejected
 * agents by reason.
 */
export async function agentsMask(
	dataset: ChunkedDataset,
	rules: Readonly<WithFormer<SelectionRules>> = {},
	options: AbortOptions = {},
): Promise<{
	/** (n, 2): past and future frames of each agent. */
	mask: Uint32Array;
	/** Rejected agents by reason; undefined without scenes. */
	report: SelectionReport | undefined;
}> {
	clientOf(dataset); // or an error
	const mask = new Uint32Array(2 * dataset.agents.length);
	let report: SelectionReport | undefined;
	for await (const selected of selectAgents(dataset, rules, options)) {
		mask.set(selected.mask, 2 * selected.first);
		report = selected.report;
	}
	return { mask, report };
}

async function next(
	client: Client,
	selection: number,
	signal: AbortSignal | undefined,
): Promise<SelectedScene | undefined> {
	const query = { kind: "next-selected", selection } as const;
	const { result, text } = await client.ask(query, { signal });
	if (!result || text === undefined) return undefined;
	const arrays = new ResultArrays(result, () => {});
	return {
		...(JSON.parse(text) as Progress),
		first: Number(arrays.view("first", BigInt64Array)[0]),
		mask: arrays.view("mask", Uint32Array),
	};
}
