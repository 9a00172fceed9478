import { XzReadableStream } from "xz-decompress";
import { BevError, toBevError } from "../base/errors.js";
import type { Core, Handle } from "../core/core.js";
import { naming, wholeOf } from "./files.js";
import type {
	ConvertRequest,
	NamedFile,
	RunInScene,
	RunInSceneRequest,
	RunRequest,
	RunScenes,
} from "./protocol.js";

const XZ = "\ufffd7zXZ\0";

/** Counts the bytes of a stream that were read. */
function counted(stream: ReadableStream<Uint8Array>): {
	readonly stream: ReadableStream<Uint8Array>;
	readonly read: () => number;
} {
	let read = 0;
	const count = new TransformStream<Uint8Array, Uint8Array>({
		transform(bytes, to) {
			read += bytes.length;
			to.enqueue(bytes);
		},
	});
	return { stream: stream.pipeThrough(count), read: () => read };
}

/** Passes the bytes of a file, inflated if it is compressed; the core refuses bombs. */
async function pushFile(
	core: Core,
	files: Handle<"SimulationFiles">,
	file: Blob,
): Promise<void> {
	if ((await file.slice(0, 6).text()) !== XZ) {
		const bytes = new Uint8Array(await wholeOf(file));
		core.run("simulation_push", { files, bytes, read: bytes.length });
		return;
	}
	const { stream, read } = counted(file.stream());
	const reader = new XzReadableStream(stream).getReader();
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			core.run("simulation_push", { files, bytes: value, read: read() });
		}
	} catch (error) {
		void reader.cancel().catch(() => {});
		const { code, message } = toBevError(error);
		if (code !== "internal") throw error;
		throw new BevError("corrupt_chunk", `xz: ${message}`, { cause: error });
	}
}

/** Passes the files of a simulation; `read` receives them. */
async function withFiles<T>(
	core: Core,
	given: readonly NamedFile[],
	read: (files: Handle<"SimulationFiles">) => T,
): Promise<T> {
	const files = core.run("simulation_files", {});
	try {
		for (const one of given) {
			core.run("simulation_begin", { files, name: one.name });
			await naming(one.name, () => pushFile(core, files, one.file));
			core.run("simulation_end", { files });
		}
		return read(files);
	} finally {
		core.release(files);
	}
}

/** Reads a simulation of nuPlan from its files. */
export function readSimulation(
	core: Core,
	converter: Handle<"Converter">,
	{ files: given, name }: Extract<ConvertRequest, { kind: "simulation" }>,
): Promise<void> {
	return withFiles(core, given, (files) => {
		core.run("read_simulation", { converter, files, id: name });
	});
}

/** The simulation that is open in a core. */
const runs = new WeakMap<Core, Handle<"PlannerRun">>();

/** Opens a simulation in place of another one, and finds its scenes in a data set. */
export async function openRun(
	core: Core,
	{ files: given, folder, times, logs }: RunRequest,
): Promise<RunScenes> {
	const run = await withFiles(core, given, (files) =>
		core.run("planner_run", { files, folder }),
	);
	const before = runs.get(core);
	if (before !== undefined) core.release(before);
	runs.set(core, run);
	const [scenario = "", log = "", , , planner = ""] = core.run("run_names", { run });
	const scenes = core.run("run_scenes", { run, times, logs });
	return { scenario, log, planner, scenes: [...scenes] };
}

/** Returns the open simulation's frames of a recorded scene, and its measures. */
export async function runInScene(
	core: Core,
	{ timestamps, attributes }: RunInSceneRequest,
): Promise<RunInScene> {
	const run = runs.get(core);
	if (run === undefined) throw new BevError("internal", "no simulation is open");
	const found = core.run("run_in_scene", { run, timestamps, attributes });
	const { plan_first, plan, expert, frames, interpolated, ...rollout } = found;
	const collisions = core.run("run_collisions", { run });
	const times = core.run("run_times_to_collision", { run, frames });
	const { ego_is_comfortable } = core.run("run_comfort", { run });
	return {
		rollout: { ...rollout, first_frame: rollout.first_frame[0] ?? 0 },
		...{ planFirst: plan_first, plan, expert, interpolated },
		measures: {
			collisions: collisions.frames.length,
			noEgoAtFaultCollisions: collisions.no_ego_at_fault_collisions,
			timeToCollisionWithinBound: times.time_to_collision_within_bound,
			egoIsComfortable: ego_is_comfortable,
			timeToCollisionAhead: times.ahead,
		},
	};
}
