import type { CoreArray } from "../core.js";
import type { CoreRollout, CoreTools } from "../core-tools.js";
import { BevError } from "../errors.js";
import type { RolloutInput, RolloutShape, RolloutTruth } from "./protocol.js";

export type RolloutCore = Pick<CoreTools, "readRollout" | "rolloutOf">;

/** A rollout in the core: a file has all its scenes, arrays are one rollout each. */
export class HeldRollout {
	readonly shape: RolloutShape;
	readonly #scenes = new Map<number, CoreRollout>();

	/** Throws an error of the core that names the invalid part. */
	constructor(core: RolloutCore, from: RolloutInput) {
		let title = "";
		try {
			if ("bytes" in from) title = this.#read(core.readRollout(from.bytes, from.name));
			else for (const one of from) this.#add(one.scene, core.rolloutOf(one));
		} catch (error) {
			this.release();
			throw error;
		}
		this.shape = { scenes: Float64Array.from(this.#scenes.keys()).sort(), title };
	}

	compare({ scene, rows, lanes }: RolloutTruth): readonly CoreArray[] {
		const one = this.#scenes.get(scene);
		if (one) return one.compare(scene, rows, lanes);
		throw new BevError("out_of_range", `rollout: scene ${scene} is not simulated`);
	}

	/** Frees the memory. */
	release(): void {
		for (const one of new Set(this.#scenes.values())) one.delete();
		this.#scenes.clear();
	}

	#read(rollout: CoreRollout): string {
		const scenes = rollout.scenes();
		for (const scene of scenes) this.#scenes.set(scene, rollout);
		const title = rollout.name();
		if (scenes.length === 0) rollout.delete();
		return title;
	}

	#add(scene: number, rollout: CoreRollout): void {
		this.#scenes.get(scene)?.delete();
		this.#scenes.set(scene, rollout);
	}
}
