import type { AbortOptions, Stats } from "../api.js";
import { check, checkOptions } from "../base/arguments.js";
import { BevError, messageOf } from "../base/errors.js";
import type { Source } from "../source/source.js";
import type { AskOptions, Client } from "../worker/client.js";
import {
	type Answer,
	arraysBy,
	keeping,
	type Query,
	valueBy,
} from "../worker/protocol.js";
import { askObject, free, newId } from "../worker/remote-object.js";
import { SharedObjects } from "../worker/shared-objects.js";
import type { Answered, DatasetEngines, Opened } from "./engines.js";
import type { Patch } from "./patch.js";

/** Has the core edit scenes; returns engines that read them. */
export async function patchedEngines(
	base: DatasetEngines,
	patch: Patch | string,
	options: AbortOptions,
): Promise<DatasetEngines> {
	checkOptions("patched", options, { signal: "any" });
	const json = jsonOf(patch);
	const { signal } = options;
	const client = await base.forReaders(signal);
	const [id, engine] = [newId(), newId()];
	await askObject(client, keeping(id, "patch", { json }), { signal });
	try {
		const of = { patch: id };
		const { text } = await client.ask(valueBy("patch_scenes", {}, of), { signal });
		const scenes = Object.values(JSON.parse(text ?? "{}") as Record<string, number>);
		for (const scene of scenes)
			await client.ask(arraysBy("patched_scene", { scene }, of), { signal });
		await askObject(client, keeping(engine, "patched_engine", {}, of), { signal });
	} finally {
		free(client, id);
	}
	return new PatchedEngines(base, new PatchedClient(client, engine));
}

function jsonOf(patch: Patch | string): string {
	if (typeof patch === "string") return patch;
	check("patched: patch", patch ?? null, "options");
	try {
		return JSON.stringify(patch);
	} catch (thrown) {
		const said = `patched: patch: ${messageOf(thrown)}`;
		throw new BevError("invalid_argument", said, { cause: thrown });
	}
}

/** The engine of edited scenes, in the worker of the readers of the stored ones. */
class PatchedEngines implements DatasetEngines {
	readonly main: Opened;
	readonly source: Source;
	/** What is stored beside the data set is of the stored scenes. */
	readonly usesStatistics = false;
	readonly isPatched = true;

	constructor(base: DatasetEngines, client: Client) {
		this.main = { ...base.main, client };
		this.source = base.source;
	}

	async ask(query: Query, options: AskOptions): Promise<Answered> {
		const { client } = this.main;
		return { client, answer: await client.ask(query, options) };
	}

	async forReaders(): Promise<Client> {
		return this.main.client;
	}

	async absentChunks({ signal }: AskOptions): Promise<readonly string[]> {
		const query = valueBy("absent_chunks", {});
		const { text } = await this.main.client.ask(query, { signal });
		return JSON.parse(text ?? "[]") as string[];
	}

	forgetFailures(key?: string): void {
		this.main.client.forgetFailures(key);
	}

	close(): void {
		this.main.client.close();
	}
}

/** Asks another client about edited scenes, whose engine that client keeps. */
class PatchedClient implements Client {
	onStats: ((stats: Stats) => void) | undefined;
	readonly shared: SharedObjects;
	readonly #base: Client;
	readonly #engine: number;
	/** What the other client keeps: the engine, and objects of queries. */
	readonly #kept = new Set<number>();
	readonly #pending = new Set<AbortController>();
	#closed: BevError | undefined;

	constructor(base: Client, engine: number) {
		this.#base = base;
		this.#engine = engine;
		this.shared = new SharedObjects(base);
		this.#kept.add(engine);
	}

	async ask(query: Query, options: AskOptions = {}): Promise<Answer> {
		if (query.kind === "free") {
			this.#kept.delete(query.id);
			return this.#base.ask(query, options);
		}
		if (this.#closed) throw this.#closed;
		const { signal } = options;
		signal?.throwIfAborted();
		if ("id" in query) this.#kept.add(query.id);
		const control = new AbortController();
		const abort = (): void => control.abort(signal?.reason);
		signal?.addEventListener("abort", abort, { once: true });
		this.#pending.add(control);
		try {
			const within = { ...options, signal: control.signal };
			const answer = await this.#base.ask(ofEngine(query, this.#engine), within);
			this.onStats?.(answer.stats);
			return answer;
		} catch (thrown) {
			throw explained(thrown);
		} finally {
			signal?.removeEventListener("abort", abort);
			this.#pending.delete(control);
		}
	}

	forgetFailures(key?: string): void {
		this.#base.forgetFailures(key);
	}

	recycle(buffer: ArrayBuffer): void {
		this.#base.recycle(buffer);
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = new BevError("closed", "data set: closed");
		for (const control of this.#pending) control.abort(this.#closed);
		for (const id of this.#kept) free(this.#base, id);
		this.shared.close();
	}
}

/** Returns the query to an engine, except one of stored scenes or of a simulation. */
function ofEngine(query: Query, engine: number): Query {
	if (query.kind === "sampler")
		return { ...query, objects: { engine, ...query.objects } };
	return isOfSceneRows(query) ? query : { ...query, engine };
}

/** Whether rows of `scenes` are asked for: edits change none, also not numbers of frames. */
function isOfSceneRows(query: Query): boolean {
	if (query.kind !== "query" || query.name !== "rows") return false;
	return (query.given as { readonly array?: unknown }).array === "scenes";
}

/** A failure of the core's module frees all that it keeps. */
function explained(thrown: unknown): unknown {
	if (!(thrown instanceof BevError) || thrown.message !== "engine: released")
		return thrown;
	const said = "data set: edited scenes lost in a failure; call patched() again";
	return new BevError(thrown.code, said, { cause: thrown });
}
