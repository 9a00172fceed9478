import { BevError } from "../base/errors.js";
import type { Arrays, Handle } from "../core/core.js";
import type { Port } from "../core/port.js";
import type { RolloutInput, RolloutShape, RolloutTruth } from "./protocol.js";

/** A rollout in the core. */
export class RemoteRollout {
	readonly #port: Port;
	#rollout: Handle<"Rollout"> | undefined;
	#scenes: Float64Array = new Float64Array();
	#title = "";

	/** Rejects with an error that names the invalid part. */
	static async read(port: Port, from: RolloutInput): Promise<RemoteRollout> {
		const held = new RemoteRollout(port);
		try {
			if ("bytes" in from) await held.#read(from.bytes, from.name);
			else for (const one of from) await held.#add(one);
			await held.#look();
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
		return { scenes: this.#scenes, title: this.#title };
	}

	async compare({ scene, rows, lanes }: RolloutTruth): Promise<Arrays> {
		const rollout = this.#rollout;
		if (rollout === undefined || !this.#scenes.includes(scene)) {
			throw new BevError("out_of_range", `rollout: scene ${scene} is not simulated`);
		}
		return this.#port.run("compare_rollout", {
			...{ rollout, scene, ...rows },
			...{ left: lanes?.left.points, left_offsets: lanes?.left.offsets },
			...{ right: lanes?.right.points, right_offsets: lanes?.right.offsets },
		});
	}

	/** Returns the rollout as a file, which has the name. */
	async write(name: string): Promise<string> {
		const rollout = this.#rollout;
		if (rollout !== undefined)
			return this.#port.run("write_rollout", { rollout, name });
		throw new BevError("invalid_argument", "rollout: no scenes");
	}

	/** Frees the memory. */
	release(): void {
		if (this.#rollout !== undefined) this.#port.release(this.#rollout);
		this.#rollout = undefined;
	}

	async #read(json: Uint8Array, where: string): Promise<void> {
		this.#rollout = await this.#port.run("read_rollout", { json, where });
	}

	async #add(from: Exclude<RolloutInput, { bytes: unknown }>[number]): Promise<void> {
		const rollout = this.#rollout;
		if (rollout === undefined) this.#rollout = await this.#port.run("rollout_of", from);
		else await this.#port.run("add_simulated", { rollout, ...from });
	}

	async #look(): Promise<void> {
		const rollout = this.#rollout;
		if (rollout === undefined) return;
		this.#scenes = await this.#port.run("rollout_scenes", { rollout });
		this.#title = await this.#port.run("rollout_name", { rollout });
	}
}
