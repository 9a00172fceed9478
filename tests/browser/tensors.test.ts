import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type ModelInput, onnxModel } from "../support/onnx-model.js";
import { openPage, STRICT_CSP, serve, useServers } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** ONNX Runtime Web and TensorFlow.js, with lock file scripts/node/tensors. */
const PACKAGES = at("build/tensors/node_modules");

const started = useServers({
	server: () => {
		if (!existsSync(PACKAGES)) {
			throw new Error("build/tensors is not installed: run scripts/build tensors");
		}
		return serve({}, { "/packages/": `${PACKAGES}/`, "/tests/": at("tests/browser/") });
	},
});

interface Values {
	readonly name: string;
	readonly shape: readonly number[];
	readonly data: readonly number[];
}

interface Batch {
	readonly items: number;
	readonly columns: readonly Values[];
	readonly outputs: {
		readonly arrays: readonly (Values & { readonly type: string })[];
		/** Inputs whose memory is not the batch's. */
		readonly copied?: readonly string[];
	};
}

/** Windows of two rows; every track's first one lacks a row. */
const OPTIONS = {
	fields: ["centroid", "extent", "track_id", "class", "row", "frame"],
	window: { past: 1, edges: "pad" },
	batch: 10,
};

const WEIGHTS: Readonly<Record<string, number[][]>> = {
	centroid: [
		[2, 0, -1],
		[0.5, 1, 4],
	],
	extent: [[1], [-2], [0.25]],
};

/** Calls a function of tensors.page.js in a page with a strict policy. */
async function inPage(name: string, ...given: unknown[]): Promise<Batch[]> {
	const { server, browser } = started;
	server.csp = STRICT_CSP;
	const { page, complaints } = await openPage(browser, server);
	const args = [`${server.origin}/tiny.zarr`, OPTIONS, ...given];
	const called = `${name}(${args.map((one) => JSON.stringify(one)).join(", ")})`;
	const script = `import("/tests/tensors.page.js").then((it) => it.${called})`;
	const batches = await page.evaluate<Batch[]>(script);
	expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
	// Each of the 36 agents once; the last batch is smaller.
	expect(batches.map(({ items }) => items)).toEqual([10, 10, 10, 6]);
	return batches;
}

function named<T extends Values>(all: readonly T[], name: string): T {
	const found = all.find((one) => one.name === name);
	if (!found) throw new Error(`no ${name} in ${all.map((one) => one.name)}`);
	return found;
}

/** Multiplies the rows along the last axis with a matrix. */
function product({ data }: Values, matrix: readonly (readonly number[])[]): number[] {
	const width = matrix.length;
	return Array.from({ length: data.length / width }, (_, row) =>
		Array.from({ length: matrix[0]?.length ?? 0 }, (_, column) =>
			matrix.reduce(
				(sum, weights, i) =>
					sum + (data[row * width + i] ?? 0) * (weights[column] ?? 0),
				0,
			),
		),
	).flat();
}

describe("browser/tensors", () => {
	it("ONNX Runtime Web computes with batches, whose memory it shares", async () => {
		const input = (name: string, type: string, ...rest: number[]): ModelInput => ({
			name,
			type,
			dims: [undefined, 2, ...rest],
		});
		const inputs = [
			input("centroid", "float64", 2),
			input("extent", "float32", 3),
			input("track_id", "uint64"),
			input("class", "uint8"),
			input("row", "int64"),
			input("frame", "uint32"),
			input("window.mask", "bool"),
		];
		const weights = Object.entries(WEIGHTS).map(([name, rows]) => ({
			input: name,
			rows,
		}));
		started.server.put("/tiny.onnx", onnxModel(inputs, weights));
		for (const { items, columns, outputs } of await inPage(
			"throughOnnx",
			"/tiny.onnx",
		)) {
			expect(outputs.copied).toEqual([]);
			for (const { name, type } of inputs) {
				const expected = { ...named(columns, name), name: `${name}.same`, type };
				expect(named(outputs.arrays, `${name}.same`)).toEqual(expected);
			}
			for (const [name, rows] of Object.entries(WEIGHTS)) {
				const made = named(outputs.arrays, `${name}.product`);
				expect(made.shape).toEqual([items, 2, rows[0]?.length]);
				expect(made.data).toEqual(product(named(columns, name), rows));
			}
		}
	});

	it("TensorFlow.js computes with batches", async () => {
		for (const { columns, outputs } of await inPage("throughTensorFlow", WEIGHTS)) {
			for (const column of columns) {
				const same = named(outputs.arrays, `${column.name}.same`);
				expect(same).toMatchObject({ ...column, name: same.name });
				if (same.type === "int32") {
					const sum = column.data.reduce((a, b) => a + b, 0);
					expect(named(outputs.arrays, `${column.name}.sum`).data).toEqual([sum]);
				}
			}
			for (const [name, rows] of Object.entries(WEIGHTS)) {
				const expected = product(named(columns, name), rows);
				expect(named(outputs.arrays, `${name}.product`).data).toEqual(expected);
			}
			const mask = named(columns, "window.mask").data;
			const not = named(outputs.arrays, "window.mask.not");
			expect(not).toMatchObject({ type: "bool", data: mask.map((one) => 1 - one) });
			expect(named(outputs.arrays, "track_id.same").type).toBe("int32");
		}
	});
});
