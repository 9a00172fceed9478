import type { AbortOptions } from "../api.js";
import { askArrays, type Client } from "../worker/client.js";
import { arraysBy, keeping, type Passed, valueBy } from "../worker/protocol.js";
import { askObject, free, newId } from "../worker/remote-object.js";
import type { FirstSteps } from "./binding.js";
import type { SimulatedScene } from "./simulated-scene.js";

/** L5Kit's SimulationConfig in the core's notation. */
export type LoopConfig = Passed<"simulate", never>;

/** Road users of one frame: tracks, or the ego vehicles of scenes. */
export interface Driven {
	readonly frame: number;
	/** Their scenes. */
	readonly scenes: Uint32Array;
	/** Their tracks; undefined for the ego vehicle. */
	readonly tracks: BigUint64Array | undefined;
}

/** Scenes in memory that a model drives through; the core has them and L5Kit's rules. */
export class ClosedLoop {
	/** Id of the engine with the simulated scenes. */
	readonly engine = newId();
	readonly #client: Client;
	readonly #id = newId();
	readonly #scenes: readonly number[];
	#frames = 0;

	/** Reads the scenes. Rejects with what the core says of scenes and frames. */
	static async open(
		client: Client,
		config: LoopConfig,
		scenes: readonly number[],
		{ signal }: AbortOptions,
	): Promise<ClosedLoop> {
		const loop = new ClosedLoop(client, scenes);
		await askObject(client, keeping(loop.#id, "simulate", config), { signal });
		try {
			await loop.#begin({ signal });
			return loop;
		} catch (error) {
			loop.close();
			throw error;
		}
	}

	private constructor(client: Client, scenes: readonly number[]) {
		this.#client = client;
		this.#scenes = scenes;
	}

	/** Number of frames. */
	get frames(): number {
		return this.#frames;
	}

	/** Returns the agents that are controlled in a frame. */
	async agents(frame: number, options: AbortOptions): Promise<Driven> {
		const query = valueBy("controlled_agents", { frame }, this.#of);
		const found = await askArrays(this.#client, query, options);
		const scenes = found.view("scenes", Uint32Array).slice();
		const tracks = found.view("tracks", BigUint64Array).slice();
		found.release();
		return { frame, scenes, tracks };
	}

	/** Returns the ego vehicles that are controlled in a frame. */
	async egos(frame: number, options: AbortOptions): Promise<Driven> {
		const query = valueBy("controlled_egos", { frame }, this.#of);
		const found = await askArrays(this.#client, query, options);
		const scenes = found.view("scenes", Uint32Array).slice();
		found.release();
		return { frame, scenes, tracks: undefined };
	}

	/** Moves road users in the next frame. */
	async take(
		driven: Driven,
		{ positions, yaws }: FirstSteps,
		options: AbortOptions,
	): Promise<void> {
		const given = { ...driven, positions, yaws, steps: 1 };
		await this.#client.ask(valueBy("take_steps", given, this.#of), options);
	}

	/** Returns frames of the scenes. */
	async scenes(
		begin: number,
		end: number,
		options: AbortOptions,
	): Promise<SimulatedScene[]> {
		const all: SimulatedScene[] = [];
		for (const scene of this.#scenes)
			all.push(await this.#scene({ scene, begin, end }, options));
		return all;
	}

	/** Frees the scenes. */
	close(): void {
		free(this.#client, this.engine);
		free(this.#client, this.#id);
	}

	get #of() {
		return { simulation: this.#id };
	}

	async #begin(options: AbortOptions): Promise<void> {
		const [client, of] = [this.#client, this.#of];
		for (const scene of this.#scenes)
			await client.ask(arraysBy("simulated_scene", { scene }, of), options);
		const { text } = await client.ask(valueBy("simulation_frames", {}, of), options);
		this.#frames = Number(text);
		const given = { recorded: false };
		const query = keeping(this.engine, "simulation_engine", given, of);
		await askObject(client, query, options);
	}

	async #scene(
		given: { readonly scene: number; readonly begin: number; readonly end: number },
		options: AbortOptions,
	): Promise<SimulatedScene> {
		const query = valueBy("simulation_rollout", given, this.#of);
		const found = await askArrays(this.#client, query, options);
		const numbers = (name: string) => found.view(name, Float64Array).slice();
		const made: SimulatedScene = {
			scene: given.scene,
			firstFrame: found.view("first_frame", Uint32Array)[0] ?? 0,
			timestamps: found.view("timestamps", BigInt64Array).slice(),
			ego: { x: numbers("ego_x"), y: numbers("ego_y"), yaw: numbers("ego_yaw") },
			agents: {
				counts: found.view("counts", Uint32Array).slice(),
				trackId: found.view("track_id", BigUint64Array).slice(),
				...{ x: numbers("x"), y: numbers("y"), yaw: numbers("yaw") },
				...{ length: numbers("length"), width: numbers("width") },
			},
		};
		found.release();
		return made;
	}
}
