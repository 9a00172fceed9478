import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GOLDENS } from "../../../tests/support/goldens.js";
import {
	type DrivenBy,
	type ModelTensors,
	type SimulatedScene,
	simulate,
} from "../../src/model.js";
import { openGolden } from "../support/golden-samples.js";

interface Found {
	readonly scene: number;
	readonly agents: number;
	readonly last: readonly number[];
	/** Of the last frame's agents. */
	readonly centre?: readonly number[];
	readonly poses: string;
}

interface Vectors {
	readonly config: Readonly<Record<string, unknown>>;
	readonly scenes: readonly number[];
	readonly runs: readonly {
		readonly name: string;
		readonly ego: DrivenBy;
		readonly agents: DrivenBy;
		readonly farDistance: number;
		readonly closeDistance: number;
		readonly newAgents: boolean;
		readonly start: number;
		readonly steps: number;
		readonly found: readonly Found[];
	}[];
}

const { config, scenes, runs } = JSON.parse(
	readFileSync(
		new URL("../../../tests/vectors/unroll.json", import.meta.url).pathname,
		"utf8",
	),
) as Vectors;

/** The model of the vectors. */
function formula({ history_positions }: ModelTensors) {
	const { data, dims } = history_positions ?? { data: [], dims: [] };
	const [count = 0, length = 0] = dims;
	const before = (row: number, axis: number) =>
		-Number(data[2 * (row * length + 1) + axis]);
	const rows = Array.from({ length: count }, (_, row) => row);
	const steps = rows.flatMap((row) => [
		0.75 * before(row, 0) + 0.25,
		0.5 * before(row, 1) + 0.0625,
	]);
	const turns = rows.map((row) => 0.125 * before(row, 1) + 0.015625);
	return {
		positions: { data: Float64Array.from(steps), dims: [count, 1, 2] },
		yaws: { data: Float64Array.from(turns), dims: [count, 1, 1] },
	};
}

function summary({ scene, ego, agents }: SimulatedScene): Found {
	if (!agents) throw new Error("no agents");
	const { counts, trackId, x, y, yaw, length, width } = agents;
	const hash = createHash("sha256");
	for (const column of [ego.x, ego.y, counts, trackId, x, y, yaw, length, width])
		hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
	return {
		scene,
		agents: trackId.length,
		last: [ego.x, ego.y, ego.yaw].map((values) => values.at(-1) ?? Number.NaN),
		poses: hash.digest("hex"),
	};
}

describe.skipIf(!GOLDENS)("model/simulate-vectors", () => {
	it.each(runs)(
		"$name: poses are those of the native loop, to the bit",
		async (run) => {
			const { name: _, found, ...options } = run;
			using dataset = await openGolden("multi");
			const predict = formula;
			const made = await simulate(dataset, { config, scenes, predict, ...options });
			for (const [i, scene] of made.entries()) {
				const { last, ...rest } = summary(scene);
				const { last: expected = [], centre: _, ...others } = found[i] ?? {};
				expect(rest).toEqual(others);
				for (const [axis, value] of last.entries())
					expect(value).toBeCloseTo(expected[axis] ?? Number.NaN, 9);
			}
			expect(made).toHaveLength(found.length);
		},
	);
});
