import type { AbortOptions } from "../api.js";
import { askArrays, type Client } from "../worker/client.js";
import { arraysBy, keeping, valueBy } from "../worker/protocol.js";
import { askObject, free, newId } from "../worker/remote-object.js";

/** Which agents of a frame a model predicts. */
export interface SubjectRules {
	/** L5Kit's config as JSON; it has the threshold. */
	readonly config: string;
	/** Names of labels; none for all. */
	readonly labels: readonly string[];
	/** Maximum number in a frame. */
	readonly most: number;
}

/** The agents that a model predicts, scene by scene; the core chooses them. */
export class Subjects {
	readonly #client: Client;
	readonly #id = newId();
	#scene: number | undefined;

	/** Rejects for an invalid config and for unknown labels. */
	static async open(
		client: Client,
		rules: SubjectRules,
		{ signal }: AbortOptions,
	): Promise<Subjects> {
		const subjects = new Subjects(client);
		await askObject(client, keeping(subjects.#id, "subjects", rules), { signal });
		return subjects;
	}

	private constructor(client: Client) {
		this.#client = client;
	}

	/** Returns the tracks in a frame, the nearest to the ego vehicle first. */
	async of(scene: number, frame: number, options: AbortOptions): Promise<bigint[]> {
		const of = { subjects: this.#id };
		if (scene !== this.#scene) {
			this.#scene = undefined;
			await this.#client.ask(arraysBy("scene_of_subjects", { scene }, of), options);
			this.#scene = scene;
		}
		const query = valueBy("subjects_of_frame", { frame }, of);
		const found = await askArrays(this.#client, query, options);
		const tracks = [...found.view("tracks", BigUint64Array)];
		found.release();
		return tracks;
	}

	close(): void {
		free(this.#client, this.#id);
	}
}
