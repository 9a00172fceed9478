import { BevError } from "../base/errors.js";
import type { Arrays, Handle } from "../core/core.js";
import type { Port } from "../core/port.js";
import type { RolloutInput, RolloutShape, RolloutTruth } from "./protocol.js";

/** A rollout in the core: a file has all its scenes, arrays are one rollout each. */
export class RemoteRollout {
	readonly #port: Port;
	readonly #scenes = new Map<number, Handle<"Rollout">>();
	readonly #all = new Set<Handle<"Rollout">>();
	#title = "";

	/** Rejects with an error that names the invalid part. */
	static async read(port: Port, from: RolloutInput): Promise<RemoteRollout> {
		const held = new RemoteRollout(port);
		try {
			if ("bytes" in from) await held.#read(from.bytes, from.name);
			else for (const one of from) await held.#add(one);
			return held;
		} catch (error) {
			held.release();
			throw error;
		}
	}

	private constructor(port: Port) {
		this.#port = port;
	}

	get shape(): RolloutShape {
		return {
			scenes: Float64Array.from(this.#scenes.keys()).sort(),
			title: this.#title,
		};
	}

	async compare({ scene, rows, lanes }: RolloutTruth): Promise<Arrays> {
		const rollout = this.#scenes.get(scene);
		if (rollout === undefined) {
			throw new BevError("out_of_range", `rollout: scene ${scene} is not simulated`);
		}
		return this.#port.run("compare_rollout", {
			...{ rollout, scene, ...rows },
			...{ left: lanes?.left.points, left_offsets: lanes?.left.offsets },
			...{ right: lanes?.right.points, right_offsets: lanes?.right.offsets },
		});
	}

	/** Frees the memory. */
	release(): void {
		for (const rollout of this.#all) this.#port.release(rollout);
		this.#all.clear();
		this.#scenes.clear();
	}

	async #read(json: Uint8Array, where: string): Promise<void> {
		const rollout = await this.#port.run("read_rollout", { json, where });
		this.#all.add(rollout);
		const scenes = await this.#port.run("rollout_scenes", { rollout });
		for (const scene of scenes) this.#scenes.set(scene, rollout);
		this.#title = await this.#port.run("rollout_name", { rollout });
	}

	async #add(from: Exclude<RolloutInput, { bytes: unknown }>[number]): Promise<void> {
		const rollout = await this.#port.run("rollout_of", from);
		this.#all.add(rollout);
		this.#scenes.set(from.scene, rollout);
	}
}
