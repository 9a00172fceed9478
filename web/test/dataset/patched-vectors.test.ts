import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DirectorySource } from "../../../tests/support/directory-source.js";
import { GOLDENS } from "../../../tests/support/goldens.js";
import type { ResultArrays } from "../../src/arrays/result.js";
import {
	type ChunkedDataset,
	EgoDataset,
	EgoDatasetVectorized,
	type FactTableName,
	type Patch,
} from "../../src/index.js";
import { askArrays, clientOf } from "../../src/worker/client.js";
import { arraysBy, type OperationQuery } from "../../src/worker/protocol.js";
import { goldenConfig, openGolden } from "../support/golden-samples.js";

type Digests = Readonly<Record<string, string>>;

interface Vectors {
	readonly config: Readonly<Record<string, unknown>>;
	readonly scene: number;
	readonly state: number;
	readonly track: number;
	readonly patch: Patch;
	readonly answers: Readonly<Record<string, Digests>>;
}

const FILE = new URL("../../../tests/vectors/patched.json", import.meta.url);
const vectors = JSON.parse(readFileSync(FILE, "utf8")) as Vectors;
const { config, scene, state, patch, answers } = vectors;
const track = BigInt(vectors.track);

/** Hashes bytes; all NaNs are one. */
function digest(data: ArrayBufferView): string {
	const isFloat = data instanceof Float32Array || data instanceof Float64Array;
	const { buffer, byteOffset, byteLength } = isFloat ? data.map((one) => one) : data;
	return createHash("sha256")
		.update(new Uint8Array(buffer, byteOffset, byteLength))
		.digest("hex")
		.slice(0, 16);
}

/** Hashes the arrays that the vectors have of an answer. */
function digests(of: string, array: (name: string) => ArrayBufferView): Digests {
	const names = Object.keys(answers[of] ?? {});
	return Object.fromEntries(names.map((name) => [name, digest(array(name))]));
}

/** Asks for arrays by the core's names. */
function ask(dataset: ChunkedDataset, query: OperationQuery): Promise<ResultArrays> {
	return askArrays(clientOf(dataset).client, query, {});
}

const keyed = (sample: object) => (name: string) =>
	(sample as Readonly<Record<string, { readonly data: ArrayBufferView }>>)[name]
		?.data as ArrayBufferView;

describe.skipIf(!GOLDENS)("dataset/patched-vectors", () => {
	it("frames and time lines are those of the native library, to the bit", async () => {
		using dataset = await openGolden("multi");
		using edited = await dataset.patched(patch);
		const frames = Object.keys(answers).filter((name) => name.startsWith("frame "));
		expect(frames).toHaveLength(5);
		for (const name of frames) {
			const given = { scene, frame: Number(name.slice(6)), past: 25, future: 10 };
			const query = arraysBy("frame", given);
			const found = await ask(edited, query);
			expect(digests(name, (one) => found.array(one).data)).toEqual(answers[name]);
			const stored = await ask(dataset, query);
			const before = digests(name, (one) => stored.array(one).data);
			// No edit begins with the first frame.
			if (given.frame > 0) expect(before).not.toEqual(answers[name]);
			else expect(before).toEqual(answers[name]);
		}
		const found = await ask(edited, arraysBy("timeline", { scene, track }));
		expect(digests("timeline", (one) => found.array(one).data)).toEqual(
			answers.timeline,
		);
	});

	it("so are facts", async () => {
		using dataset = await openGolden("multi");
		await dataset.facts().read(); // kept facts are not those of edited scenes
		using edited = await dataset.patched(JSON.stringify(patch));
		for (const table of ["scenes", "tracks"] as FactTableName[]) {
			const found = await edited.facts({ table, where: `scene == ${scene}` }).read();
			expect(digests(table, (one) => found.column(one).data)).toEqual(answers[table]);
		}
	});

	it("so are samples, rasters and vectors", async () => {
		using dataset = await openGolden("multi");
		using edited = await dataset.patched(patch);
		using ego = await EgoDataset.create(config, edited);
		using vectorized = await EgoDatasetVectorized.create(goldenConfig("V1"), edited, {
			root: new DirectorySource(`${GOLDENS}/inputs`),
		});
		const found = {
			ego: await ego.getFrame(scene, state),
			agent: await ego.getFrame(scene, state, track),
			vectors: await vectorized.getFrame(scene, state),
		};
		for (const [name, sample] of Object.entries(found))
			expect(digests(name, keyed(sample))).toEqual(answers[name]);
	});
});
