import { Latest } from "../../base/latest.js";
import { isSimulation } from "../../converting/names.js";
import { type Arrays, pick } from "../../core/core.js";
import type { RolloutInput, RolloutShape } from "../../reviewing/protocol.js";
import type { Reviewer } from "../../reviewing/reviewer.js";
import { unlessAborted } from "../../source/unless-aborted.js";
import type { FuturesController } from "../futures/futures-controller.js";
import { isFuturesFile, RESULT_NAME, rangedBlob } from "../futures/ranged-file.js";
import { nameOfUrl } from "../open/places.js";
import { addressesIn } from "../review/addresses.js";
import { fetched } from "../review/fetched.js";
import { startReviewer } from "../review/start-reviewer.js";
import { withOutcomes } from "../session/outcomes.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import { ghostsOf } from "./ghosts.js";
import type { JoinedRun, PlannedScene, RunFiles } from "./planner-run.js";
import { recordedScene } from "./recorded.js";
import type { RolloutReport, RolloutState } from "./rollout-state.js";
import type { RolloutMeasure } from "./rollout-text.js";
import { coreSceneOf, type SimulatedScene } from "./simulated-scene.js";

/** A rollout: the text of a file, a file, arrays, or a simulation that was joined. */
export type RolloutFrom = string | Blob | readonly SimulatedScene[] | JoinedRun;

const NONE: ViewerState["simulated"] = [];

function reportOf(arrays: Arrays, planned: PlannedScene | undefined): RolloutReport {
	const numbers = (name: string) => pick(arrays, name, Float64Array);
	const displacement = numbers("displacement");
	return {
		firstFrame: pick(arrays, "first_frame", Uint32Array)[0] ?? 0,
		frames: displacement.length,
		displacement,
		agents_displacement: numbers("agents_displacement"),
		reference_distance: numbers("reference_distance"),
		yaw_error: numbers("yaw_error"),
		speed_difference: numbers("speed_difference"),
		time_to_collision: planned?.measures.timeToCollisionAhead ?? new Float64Array(),
		planned,
		simulatedMiles: numbers("simulated_miles"),
		recordedMiles: numbers("recorded_miles"),
		collision: pick(arrays, "collision", Uint8Array),
		collisionTrack: pick(arrays, "collision_track", BigUint64Array),
		offRoad: pick(arrays, "off_road", Uint8Array),
		counts: pick(arrays, "counts", Uint32Array),
		moved: pick(arrays, "moved", Uint8Array),
		outlines: numbers("outlines"),
	};
}

async function inputOf(from: RolloutFrom, name: string): Promise<RolloutInput> {
	if (typeof from === "string") return { bytes: new TextEncoder().encode(from), name };
	if ("planned" in from) return from.scenes;
	if (!(from instanceof Blob)) return from.map(coreSceneOf);
	return { bytes: new Uint8Array(await from.arrayBuffer()), name };
}

/** A rollout in a worker of its own, which ends with it. */
interface Held {
	readonly reviewer: Reviewer;
	readonly shape: RolloutShape;
	/** Of nuPlan's simulations. */
	readonly run: JoinedRun | undefined;
	/** Whether it was read from a file, of which a saved copy could lose a part. */
	readonly isFile: boolean;
}

/** Joins a simulation with the open data. */
export type JoinRun = (signal: AbortSignal) => Promise<JoinedRun>;

/** Reads a rollout; `signal` ends the worker. */
async function readRollout(
	from: RolloutFrom,
	name: string,
	{ signal, start }: { signal: AbortSignal; start: () => Promise<Reviewer> },
): Promise<Held> {
	const input = await inputOf(from, name);
	const reviewer = await start();
	const end = (): void => reviewer.close();
	signal.addEventListener("abort", end, { once: true });
	try {
		signal.throwIfAborted();
		const shape = await reviewer.rollout(input);
		const run = typeof from === "object" && "planned" in from ? from : undefined;
		return { reviewer, shape, run, isFile: "bytes" in input || run !== undefined };
	} catch (error) {
		reviewer.close();
		throw error;
	} finally {
		signal.removeEventListener("abort", end);
	}
}

/** Returns whether a file is a submission to a challenge, by its content. */
async function isFutures(from: RolloutFrom): Promise<boolean> {
	return from instanceof Blob && (await isFuturesFile(from));
}

/** Reads a rollout, and compares it with the displayed scene. */
export class RolloutController {
	readonly #store: Store<ViewerState>;
	readonly #start: () => Promise<Reviewer>;
	readonly #reading = new Latest();
	readonly #comparing = new Latest();
	#held: Held | undefined;
	#futures: FuturesController | undefined;
	/** Ends when the last read and comparison have. */
	#work = Promise.resolve();

	/** @internal */
	constructor(
		store: Store<ViewerState>,
		start: () => Promise<Reviewer> = startReviewer,
	) {
		this.#store = store;
		this.#start = start;
		store.subscribe((state, before) => {
			if (state.sceneInfo !== before.sceneInfo || state.map !== before.map)
				this.#do(this.#compare());
			if (state.shown !== before.shown) this.#draw();
		});
	}

	/**
	 * Opens a rollout in place of the present one, or a submission to a challenge beside
	 * another. `address` is its address in links.
	 */
	give(from: RolloutFrom, name: string, address?: string): Promise<void> {
		return this.#do(this.#give(from, name, address));
	}

	/**
	 * Opens a rollout that grows in place of the present one. The returned function shows
	 * its scenes; it returns false once the rollout is closed or replaced.
	 */
	growing(name: string): (scenes: readonly SimulatedScene[]) => Promise<boolean> {
		let held: Held | undefined;
		return async (scenes) => {
			if (!held) {
				await this.#do(this.#read({ name, address: undefined }, async () => scenes));
				held = this.#held;
				return held !== undefined;
			}
			const before = held;
			if (this.#held !== before) return false;
			try {
				const shape = await before.reviewer.rollout(scenes.map(coreSceneOf));
				if (this.#held !== before) return false;
				held = { ...before, shape };
				this.#held = held;
			} catch (error) {
				if (this.#held !== before) return false; // its worker has ended
				throw error;
			}
			await this.#do(this.#compare(true));
			return this.#held === held;
		};
	}

	/** Returns the rollout as a file; undefined if there is none. */
	async file(): Promise<Blob | undefined> {
		const { rollout } = this.#store.state;
		const text = await this.#held?.reviewer.writeRollout(rollout?.name ?? "");
		return text === undefined
			? undefined
			: new Blob([text], { type: "application/json" });
	}

	/**
	 * Returns the submissions, whose code is loaded on first use; later without a task, so
	 * that a press and the key after it act in this order.
	 */
	async futures(): Promise<FuturesController> {
		if (this.#futures) return this.#futures;
		const { FuturesController } = await import("../futures/futures-controller.js");
		this.#futures ??= new FuturesController(this.#store, this.#start, () =>
			this.#draw(),
		);
		return this.#futures;
	}

	async #give(from: RolloutFrom, name: string, address?: string): Promise<void> {
		if (from instanceof Blob && (await isFutures(from))) {
			const file = rangedBlob(from, name);
			await (await this.futures()).add({ file, address });
		} else await this.#read({ name, address }, async () => from);
	}

	/** Resolves when nothing is being read or compared. */
	async settled(): Promise<void> {
		for (let work: unknown; work !== this.#work; ) {
			work = this.#work;
			await work;
		}
	}

	/** Opens a simulation of nuPlan that `join` joins with the open data. */
	giveRun(join: JoinRun, name: string, address?: string): Promise<void> {
		return this.#do(this.#read({ name, address }, join));
	}

	/** Like `give`, for a file at `url`. */
	fetch(url: URL, address: string): Promise<void> {
		if (isSimulation(url.pathname)) return this.#do(this.#fetchRun(url, address));
		if (RESULT_NAME.test(url.pathname))
			return this.#do(this.#fetchResult(url, address));
		const find = async (signal: AbortSignal) => {
			return (await fetched(url, signal)).blob();
		};
		return this.#do(this.#read({ name: nameOfUrl(url), address }, find));
	}

	/** Resolves when a scene is displayed. */
	#sceneShown(): Promise<void> {
		if (this.#store.state.sceneInfo) return Promise.resolve();
		return new Promise((resolve) => {
			const end = this.#store.subscribe(({ sceneInfo }) => {
				if (!sceneInfo) return;
				end();
				resolve();
			});
		});
	}

	async #fetchRun(url: URL, address: string): Promise<void> {
		const name = nameOfUrl(url);
		await this.#read({ name, address }, async (signal) => {
			const file = await (await fetched(url, signal)).blob();
			const { joinShown } = await import("./planner-run.js");
			// A link's data may still be opening.
			await unlessAborted(this.#sceneShown(), signal);
			const run: RunFiles = { name, folder: "", files: [{ file, name }] };
			const joined = await joinShown(this.#store.state, run, signal);
			if (joined.left !== "")
				this.#store.patch(withOutcomes(this.#store.state, joined.left));
			return joined;
		});
	}

	async #fetchResult(url: URL, address: string): Promise<void> {
		const futures = await this.futures();
		try {
			const { fetchResult } = await import("../futures/fetched-result.js");
			await fetchResult(futures, url, address);
		} catch (error) {
			futures.fail(nameOfUrl(url), whyOf(error), address);
		}
	}

	/**
	 * Opens the rollouts of a link that are not open, and asks for local files; `own`
	 * returns the URLs of addresses that are allowed. `view` is what is shown of submissions.
	 */
	async restore(
		addresses: string | undefined,
		view: string | undefined,
		own: (address: string) => URL | undefined,
	): Promise<void> {
		const entries = addressesIn(addresses ?? "");
		const isLocal = (entry: string): boolean => entry.startsWith("local:");
		const isOfFutures = view !== undefined || entries.length > 1;
		if (isOfFutures || entries.some(isLocal)) await this.futures();
		this.#futures?.show(view, entries);
		const { rollout, futures } = this.#store.state;
		const open = [rollout?.address, ...(futures?.open ?? [])];
		for (const address of entries) {
			if (open.includes(address) || isLocal(address)) continue;
			const url = own(address);
			if (url) await this.fetch(url, address);
		}
	}

	/** Closes the rollout. */
	clear(): void {
		this.#reading.cancel();
		this.#comparing.cancel();
		this.#held?.reviewer.close();
		this.#held = undefined;
		this.#store.patch({ rollout: undefined, simulated: NONE });
	}

	/** Sets the measure on the timeline. */
	measure(measure: RolloutMeasure): void {
		this.#change({ measure });
	}

	#do(work: Promise<void>): Promise<void> {
		const before = this.#work;
		this.#work = work.then(() => before);
		return work;
	}

	async #read(
		{ name, address }: Pick<RolloutState, "name" | "address">,
		find: (signal: AbortSignal) => Promise<RolloutFrom>,
	): Promise<void> {
		const measure = this.#store.state.rollout?.measure ?? "displacement";
		this.clear();
		const state = { name, address, measure, scenes: undefined };
		this.#store.patch({
			rollout: { ...state, report: undefined, problem: undefined },
		});
		let compared: Promise<void> | undefined;
		await this.#reading.run(
			async (signal) =>
				readRollout(await find(signal), name, { signal, start: this.#start }),
			{
				done: (held) => {
					this.#held = held;
					const { title, scenes } = held.shape;
					const own = held.run?.name ?? title;
					const given = own === "" ? {} : { name: own };
					this.#change({ ...given, scenes: [...scenes], isFile: held.isFile });
					compared = this.#compare();
				},
				failed: (error) => this.#change({ problem: whyOf(error) }),
				discard: ({ reviewer }) => reviewer.close(),
			},
		);
		await compared;
	}

	/**
	 * Compares the displayed scene, if it is simulated.
	 *
	 * @param keeps whether the last report stays until the next one is there
	 */
	async #compare(keeps = false): Promise<void> {
		this.#comparing.cancel();
		const { rollout, dataset, sceneInfo, map } = this.#store.state;
		if (!rollout) return;
		if (!keeps) {
			this.#change({ report: undefined, problem: undefined });
			this.#draw();
		}
		const { reviewer, shape, run } = this.#held ?? {};
		const scene = sceneInfo?.index;
		if (!reviewer || !dataset || scene === undefined || !shape?.scenes.includes(scene))
			return;
		await this.#comparing.run(
			async (signal) => {
				const { recorded: rows } = await recordedScene(dataset, scene, signal);
				const lanes = map && { left: map.lanes.left, right: map.lanes.right };
				const arrays = await reviewer.compareRollout({ scene, rows, lanes });
				return reportOf(arrays, run?.planned.get(scene));
			},
			{
				done: (report) => {
					this.#change({ report });
					this.#draw();
				},
				failed: (error) => this.#change({ problem: whyOf(error) }),
			},
		);
	}

	/** Updates what the picture shows of the rollout. */
	#draw(): void {
		const { rollout, shown, sceneInfo, simulated } = this.#store.state;
		const report = rollout?.report;
		const isCurrent = shown && shown.scene === sceneInfo?.index;
		const all = [
			...(report && isCurrent ? ghostsOf(report, shown) : NONE),
			...(this.#futures?.overlays() ?? NONE),
		];
		if (all.length > 0) this.#store.patch({ simulated: all });
		else if (simulated.length > 0) this.#store.patch({ simulated: NONE });
	}

	#change(change: Partial<RolloutState>): void {
		const { rollout } = this.#store.state;
		if (rollout) this.#store.patch({ rollout: { ...rollout, ...change } });
	}
}
