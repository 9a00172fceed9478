import type { ResultArrays } from "../arrays/result.js";
import { check } from "../base/arguments.js";
import { BevError } from "../base/errors.js";
import { camelNames } from "../base/names.js";
import type { Engines } from "../dataset/engines.js";
import type { SampleMaps } from "../samples/sample-maps.js";
import { type AskOptions, arraysOf, type Client } from "../worker/client.js";
import type {
	Answer,
	BatchInfo,
	ReaderPosition,
	ReaderQuery,
} from "../worker/protocol.js";
import { askObject, free, newId } from "../worker/remote-object.js";
import type { Plan } from "./options.js";

/** The part of a data set's engines that readers use. */
export type ReaderEngines = Pick<Engines, "forReaders" | "source">;

/** A plan, and where to start. */
export interface SessionStart {
	readonly plan: Plan;
	readonly start: ReaderPosition | string;
	/** Whether to count items instead of reading them. Default false. */
	readonly counts?: boolean;
	/** Maps of samples, in the readers' engine. */
	readonly maps?: SampleMaps;
}

/** One batch; without arrays at the end of the epoch. */
export interface Answered {
	readonly info: BatchInfo;
	readonly arrays: ResultArrays | undefined;
}

/** A reader in the engine. It reads one batch at a time. */
export class ReaderSession {
	readonly #client: Client;
	readonly #id: number;

	private constructor(client: Client, id: number) {
		this.#client = client;
		this.#id = id;
	}

	static async open(
		engines: ReaderEngines,
		{ plan: given, start, counts = false, maps }: SessionStart,
		signal: AbortSignal,
	): Promise<ReaderSession> {
		check("reader: state", start, typeof start === "object" ? "object" : "text");
		const client = await engines.forReaders(signal);
		const id = newId();
		const plan = JSON.stringify(given);
		const query = { kind: "reader", id, plan, start, counts, ...maps } as const;
		await askObject(client, query, { signal });
		return new ReaderSession(client, id);
	}

	async next(options: AskOptions): Promise<Answered> {
		const query = { kind: "reader-next", reader: this.#id } as const;
		const answer = await this.#ask(query, options);
		const arrays = answer.result && arraysOf(this.#client, query, answer);
		return { info: JSON.parse(textOf(answer)) as BatchInfo, arrays };
	}

	/** Counts the items of up to `batches` batches. */
	async count(batches: number, options: AskOptions): Promise<BatchInfo> {
		const query = { kind: "reader-count", reader: this.#id, batches } as const;
		return JSON.parse(textOf(await this.#ask(query, options))) as BatchInfo;
	}

	async state(options: AskOptions): Promise<string> {
		return textOf(await this.#ask({ kind: "reader-state", reader: this.#id }, options));
	}

	async explain<T>(options: AskOptions): Promise<T> {
		const query = { kind: "reader-explain", reader: this.#id } as const;
		const said = JSON.parse(textOf(await this.#ask(query, options))) as {
			readonly counts: object;
		};
		return camelNames<T>({ ...said, counts: camelNames(said.counts) });
	}

	close(): void {
		free(this.#client, this.#id);
	}

	/** Statistics of the engine, with every answer. */
	onStats: ((stats: Answer["stats"]) => void) | undefined;

	async #ask(query: ReaderQuery, options: AskOptions): Promise<Answer> {
		const answer = await this.#client.ask(query, options);
		this.onStats?.(answer.stats);
		return answer;
	}
}

function textOf({ text }: Answer): string {
	if (text !== undefined) return text;
	throw new BevError("internal", "reader: answer without text");
}
