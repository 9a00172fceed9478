import type { AbortOptions } from "../api.js";
import type { CoreSelectionRules } from "../core.js";
import type { ChunkedDataset } from "../dataset.js";
import { BevError } from "../errors.js";
import { ResultArrays } from "../result.js";
import type { Client } from "../worker/client.js";
import { clientOf } from "../worker/clients.js";
import { askKept } from "../worker/kept.js";
import type { SelectionReport } from "./options.js";

/** When an agent counts; what is not given is as in L5Kit. */
export type SelectionRules = Readonly<CoreSelectionRules>;

/** How long the agents of a scene are to be seen. */
export interface SelectedScene {
	readonly scene: number;
	/** Scenes and agents of the data set. */
	readonly scenes: number;
	readonly agents: number;
	/** The row in `agents` of the first agent of the scene. */
	readonly first: number;
	/** (n, 2): frames before and after it in which an agent's track is to be seen. */
	readonly mask: Uint32Array;
	/** Of this scene and those before it. */
	readonly report: SelectionReport;
}

type Progress = Pick<SelectedScene, "scene" | "scenes" | "agents" | "report">;

/** Selections are told apart by number, whichever client they are of. */
let nextSelection = 0;

/**
 * L5Kit's selection of agents, scene by scene: a scene is in memory at a time. Leaving the
 * loop or aborting ends it.
 */
export async function* selectAgents(
	dataset: ChunkedDataset,
	rules: SelectionRules = {},
	{ signal }: AbortOptions = {},
): AsyncGenerator<SelectedScene, void, undefined> {
	const { client } = clientOf(dataset);
	const selection = nextSelection++;
	await askKept(client, { kind: "selection", selection, rules }, { signal });
	try {
		for (
			let selected = await next(client, selection, signal);
			selected;
			selected = await next(client, selection, signal)
		) {
			yield selected;
		}
	} finally {
		client.ask({ kind: "free-selection", selection }).catch(() => {});
	}
}

/** As `selectAgents`, of one scene. Throws `out_of_range` if there is no such scene. */
export async function selectScene(
	dataset: ChunkedDataset,
	scene: number,
	rules: SelectionRules = {},
	{ signal }: AbortOptions = {},
): Promise<SelectedScene> {
	const { client } = clientOf(dataset);
	const selection = nextSelection++;
	const from = { ...rules, first_scene: scene };
	await askKept(client, { kind: "selection", selection, rules: from }, { signal });
	try {
		const selected = await next(client, selection, signal);
		if (selected?.scene === scene) return selected;
		const found = selected ? `scene ${selected.scene}` : "none";
		throw new BevError(
			"internal",
			`selection: found ${found}, expected scene ${scene}`,
		);
	} finally {
		client.ask({ kind: "free-selection", selection }).catch(() => {});
	}
}

/** The mask of all agents, (n, 2) as L5Kit stores it, and what was left out. */
export async function agentsMask(
	dataset: ChunkedDataset,
	rules: SelectionRules = {},
	options: AbortOptions = {},
): Promise<{ mask: Uint32Array; report: SelectionReport | undefined }> {
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
