import type { AbortOptions } from "../../api.js";
import { Latest } from "../../base/latest.js";
import { arraysOf, type Client } from "../../worker/client.js";
import { askObject, free, newId } from "../../worker/remote-object.js";

/** Facts of a scene that edits are judged by; NaN if unknown. docs/scenarios.md. */
export interface SceneMeasures {
	/** Metres from the ego vehicle to the nearest agent in any frame; 0 if they touch. */
	readonly closest: number;
	/** The least time to collision in seconds. */
	readonly ttc: number;
	/** The ego vehicle's least acceleration in metres per second squared. */
	readonly brake: number;
	/** Tracks that cut in. */
	readonly cutIns: number;
}

/** The measures of a scene as recorded, and edited. */
export interface ComparedMeasures {
	readonly recorded: SceneMeasures;
	readonly edited: SceneMeasures;
}

const CLOSEST = ["closest_vehicle", "closest_cyclist", "closest_pedestrian"];

/** Returns the measures of a scene; computes all its facts. */
export async function sceneMeasures(
	client: Client,
	scene: number,
	{ signal }: AbortOptions,
): Promise<SceneMeasures> {
	const id = newId();
	await askObject(client, { kind: "facts", id, map: undefined }, { signal });
	try {
		const part = { begin: scene, end: scene + 1 };
		const query = { kind: "facts-part", facts: id, ...part } as const;
		const found = arraysOf(client, query, await client.ask(query, { signal }));
		const of = (name: string): number =>
			Number(found.array(`scenes.${name}`).data[0] ?? Number.NaN);
		const nearer = (a: number, b: number) => (a < b || Number.isNaN(b) ? a : b);
		const made = {
			closest: CLOSEST.map(of).reduce(nearer),
			ttc: of("min_ttc"),
			brake: of("ego_hardest_brake"),
			cutIns: of("cut_ins"),
		};
		found.release();
		return made;
	} finally {
		free(client, id);
	}
}

/** Pause after an edit before the measures are computed, in milliseconds. */
const REST_MS = 300;

/** Measures of the displayed scene, computed once its edits rest. */
export class LatestMeasures {
	readonly #onChange: () => void;
	readonly #computing = new Latest();
	#asked: readonly unknown[] = [];
	#found: ComparedMeasures | undefined;

	/** @param onChange called when there are measures */
	constructor(onChange: () => void) {
		this.#onChange = onChange;
	}

	/** The measures; undefined until they are computed. */
	get found(): ComparedMeasures | undefined {
		return this.#found;
	}

	/** Computes the measures of a scene, unless they were asked for; none without `of`. */
	update(
		of:
			| { measures(scene: number, options: AbortOptions): Promise<ComparedMeasures> }
			| undefined,
		scene: number,
	): void {
		if (of === this.#asked[0] && scene === this.#asked[1]) return;
		if (!of || scene !== this.#asked[1]) this.#found = undefined;
		this.#asked = [of, scene];
		this.#computing.cancel();
		if (!of) return;
		const work = async (signal: AbortSignal) => {
			await new Promise((resolve) => setTimeout(resolve, REST_MS));
			signal.throwIfAborted();
			return of.measures(scene, { signal });
		};
		void this.#computing.run(work, {
			done: (found) => {
				this.#found = found;
				this.#onChange();
			},
			failed: () => {}, // edits are shown without measures
		});
	}
}
