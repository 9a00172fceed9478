import type { AbortOptions } from "../api.js";
import type { Engines } from "../dataset/engines.js";
import type { Resolved } from "../source/zip-source.js";
import { arraysOf, type Client } from "../worker/client.js";
import { askObject, newId } from "../worker/remote-object.js";
import { SideFacts } from "./side-facts.js";

/** Options of reading pictures of scenes. */
export interface SceneImageOptions extends AbortOptions {
	/** Called with the reason if pictures beside the data set cannot be used. */
	readonly onNotice?: ((notice: string) => void) | undefined;
}

/** The data set whose pictures are read. */
interface ImagesOf {
	readonly engines: Pick<Engines, "forReaders" | "usesStatistics">;
	readonly resolved: Resolved;
}

interface Opened {
	readonly client: Client;
	readonly facts: number;
}

const opening = new WeakMap<object, Promise<Opened | undefined>>();

/**
 * Returns the picture of a scene's first frame that `bevscope index --thumbnails` wrote
 * beside the data set, as PNG. Undefined if there is none of the scene as it is, as far as
 * is known: facts beside the data set tell.
 */
export async function sceneImage(
	of: ImagesOf,
	scene: number,
	{ signal, onNotice }: SceneImageOptions,
): Promise<Uint8Array | undefined> {
	const { engines } = of;
	const asked = opening.get(engines) ?? open(of);
	opening.set(engines, asked);
	asked.catch(() => opening.delete(engines));
	const opened = await asked;
	if (!opened) return undefined;
	const { client, facts } = opened;
	const query = { kind: "side-thumbnail", facts, scene } as const;
	const answer = await client.ask(query, { signal });
	const { why } = JSON.parse(answer.text ?? "{}") as { why?: string };
	if (why) onNotice?.(`${why} (pictures are drawn)`);
	if (!answer.result) return undefined;
	const arrays = arraysOf(client, query, answer);
	const bytes = new Uint8Array(arrays.array("png").data as Uint8Array);
	arrays.release();
	return bytes;
}

async function open({ engines, resolved }: ImagesOf): Promise<Opened | undefined> {
	if (!engines.usesStatistics) return undefined;
	const client = await engines.forReaders();
	const facts = newId();
	await askObject(client, { kind: "facts", id: facts, map: undefined }, {});
	const of = { facts, resolved, map: undefined };
	// Until the facts are compared with the data set, they are believed.
	const side = await SideFacts.open(client, of, { onCheck: () => {} });
	if (!side) return undefined;
	side.checkLater().catch(() => {}); // the data set is closed
	return { client, facts };
}
