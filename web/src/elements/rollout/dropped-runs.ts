import { FileSource } from "../../source/file-source.js";
import { simulationsIn } from "../open/simulation-files.js";
import type { ViewerController } from "../session/controller.js";
import type { Place } from "../session/dataset.js";
import { whyOf } from "../session/problem.js";
import { counted } from "../ui/words.js";
import { isOfNuplan, type JoinedRun, joinShown } from "./planner-run.js";
import { rolloutTab } from "./rollout-tab.js";

/** Simulations of a drop that are joined; the memory of one is up to some megabytes. */
const MAX_RUNS = 64;
/** Simulations that are named. */
const MAX_NAMED = 3;

/** Returns runs of one planner as one; of a scene that several have, the first's. */
function merged(runs: readonly JoinedRun[]): JoinedRun | undefined {
	const [first] = runs;
	if (!first) return undefined;
	const own = runs.filter(({ name }) => name === first.name);
	const planned = new Map([...own].reverse().flatMap((run) => [...run.planned]));
	const scenes = own
		.flatMap((run) => run.scenes)
		.filter((one, i, all) => all.findIndex(({ scene }) => scene === one.scene) === i);
	const left = own.flatMap((run) => run.left || []).join("; ");
	return { name: first.name, scenes, planned, left };
}

/** Returns why simulations were not joined, of many the first ones. */
function unmatchedWords(unmatched: readonly string[]): readonly string[] {
	const more = unmatched.length - MAX_NAMED;
	const words = unmatched.slice(0, MAX_NAMED);
	return more > 0
		? [...words, `${counted(more, "more simulation")} of other scenes`]
		: words;
}

/** Returns which simulations are beyond the limit, in words. */
export function beyondWords(
	beyond: readonly { readonly name: string }[],
): readonly string[] {
	if (beyond.length === 0) return [];
	const named = beyond.slice(0, MAX_NAMED).map(({ name }) => name);
	const more = beyond.length > MAX_NAMED ? ", …" : "";
	const all = counted(beyond.length, "simulation");
	return [
		`${all} left out (${named.join(", ")}${more}): at most ${MAX_RUNS} are joined at once`,
	];
}

/**
 * Opens dropped simulations of nuPlan as a rollout of the open scenes; false if they are
 * none, or of other scenes, which a notice tells.
 */
export async function joinDropped(
	controller: ViewerController,
	place: Extract<Place, { kind: "files" }>,
): Promise<boolean> {
	const { dataset, scene, phase } = controller.state;
	if (phase !== "ready" || !dataset || !isOfNuplan(dataset, scene)) return false;
	const sources = await simulationsIn(new FileSource(place.files));
	if (sources.length === 0) return false;
	const { signal } = new AbortController();
	// Of a folder, paths are within it.
	const above = /\.(xz|json)$/i.test(place.name) ? "" : `${place.name}/`;
	const runs: JoinedRun[] = [];
	const unmatched: string[] = [];
	for (const source of sources.slice(0, MAX_RUNS)) {
		try {
			const request = await source.request();
			if (request.kind !== "simulation") return false;
			const run = { ...request, folder: `${above}${request.folder || request.name}` };
			runs.push(await joinShown(controller.state, run, signal));
		} catch (error) {
			unmatched.push(whyOf(error));
		}
	}
	const run = merged(runs);
	if (!run) {
		controller.notify(`${unmatchedWords(unmatched).join("; ")}; opened by itself`);
		return false;
	}
	await controller.rollout.use((it) => it.give(run, run.name));
	const scenes = run.scenes.map((one) => one.scene);
	const [first] = scenes;
	if (first !== undefined && !scenes.includes(controller.state.scene))
		controller.setScene(first);
	const others = runs.filter(({ name }) => name !== run.name).length;
	const left = [
		...(others > 0
			? [`${counted(others, "simulation")} of other planners left out`]
			: []),
		...beyondWords(sources.slice(MAX_RUNS)),
		...(run.left === "" ? [] : [run.left]),
		...unmatchedWords(unmatched),
	];
	const { problem } = controller.state.rollout ?? {};
	const told =
		problem ?? `${run.name}: opened as a rollout; see ${rolloutTab(controller.state)}`;
	controller.notify([told, ...left].join("; "));
	return true;
}
