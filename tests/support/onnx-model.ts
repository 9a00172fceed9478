/** Element types of ONNX, by their names in ONNX Runtime Web. */
const ELEMENTS: Readonly<Record<string, number>> = {
	float32: 1,
	uint8: 2,
	int8: 3,
	uint16: 4,
	int16: 5,
	int32: 6,
	int64: 7,
	bool: 9,
	float16: 10,
	float64: 11,
	uint32: 12,
	uint64: 13,
};

/** Classes of a constant's values. */
const CLASSES: Readonly<
	Record<string, { from(values: readonly number[]): { readonly buffer: ArrayBuffer } }>
> = {
	float32: Float32Array,
	float64: Float64Array,
	// Bits of the values.
	float16: Uint16Array,
	int64: {
		from: (values) => BigInt64Array.from(values, (value) => BigInt(Math.trunc(value))),
	},
};

/** An input or output of a model; axes of any length are undefined. */
export interface ModelInput {
	readonly name: string;
	readonly type: string;
	/** Absent for an output of any shape. */
	readonly dims?: readonly (number | undefined)[] | undefined;
}

/** A constant matrix of the type of the input that it is multiplied with. */
export interface Weights {
	readonly input: string;
	/** Rows of equal length. */
	readonly rows: readonly (readonly number[])[];
}

/** A constant. */
export interface Constant {
	readonly name: string;
	readonly type: string;
	readonly dims: readonly number[];
	readonly values: readonly number[];
	/** Where a file beside the model has the values instead: `location`, `offset`, ... */
	readonly external?: Readonly<Record<string, string>>;
}

/** An operator with its inputs, its output, and its lists of integers by name. */
export type Node = readonly [
	operator: string,
	inputs: readonly string[],
	output: string,
	attributes?: Readonly<Record<string, readonly number[]>>,
];

/** A model's parts. */
export interface Graph {
	readonly inputs: readonly ModelInput[];
	readonly outputs: readonly ModelInput[];
	readonly nodes: readonly Node[];
	readonly constants?: readonly Constant[];
	/** Metadata of the file, by key. */
	readonly metadata?: Readonly<Record<string, string>>;
}

/** Returns a model as a file. */
export function onnxFile(parts: Graph): Uint8Array<ArrayBuffer> {
	const { inputs, outputs, nodes, constants = [], metadata = {} } = parts;
	const graph = [
		...nodes.map((one) => bytes(1, node(...one))),
		text(2, "graph"),
		...constants.map((one) => bytes(5, initializer(one))),
		...inputs.map((one) => bytes(11, value(one))),
		...outputs.map((one) => bytes(12, value(one))),
	].flat();
	const entries = Object.entries(metadata).flatMap(([key, content]) =>
		bytes(14, [...text(1, key), ...text(2, content)]),
	);
	// The version of the format, the graph, and the version of the operators.
	return Uint8Array.from([
		...number(1, 8),
		...bytes(7, graph),
		...bytes(8, number(2, 17)),
		...entries,
	]);
}

/**
 * Returns a model whose outputs are `NAME.same`, each input unchanged, and
 * `NAME.product`, inputs multiplied with weights.
 */
export function onnxModel(
	inputs: readonly ModelInput[],
	weights: readonly Weights[],
): Uint8Array<ArrayBuffer> {
	const types = new Map(inputs.map(({ name, type }) => [name, type]));
	const typeOf = (name: string): string => types.get(name) ?? "";
	return onnxFile({
		inputs,
		outputs: [
			...inputs.map(({ name, type }) => ({ name: `${name}.same`, type })),
			...weights.map(({ input }) => ({
				name: `${input}.product`,
				type: typeOf(input),
			})),
		],
		nodes: [
			...inputs.map(({ name }): Node => ["Identity", [name], `${name}.same`]),
			...weights.map(
				({ input }): Node => [
					"MatMul",
					[input, `${input}.weights`],
					`${input}.product`,
				],
			),
		],
		constants: weights.map(({ input, rows }) => ({
			name: `${input}.weights`,
			type: typeOf(input),
			dims: [rows.length, rows[0]?.length ?? 0],
			values: rows.flat(),
		})),
	});
}

/**
 * Returns a model of constant velocity: from `history_positions`, `steps` positions in the
 * subject's frame.
 */
export function velocityModel(
	steps: number,
	{ past = 11, ...more }: { past?: number } & Pick<Graph, "metadata"> = {},
): Uint8Array<ArrayBuffer> {
	// Of the current and the previous position: p + k (p - q).
	const rows = Array.from({ length: steps }, (_, k) =>
		Array.from({ length: past }, (_, i) => (i === 0 ? k + 2 : i === 1 ? -k - 1 : 0)),
	);
	const constant = { name: "w", type: "float32", dims: [steps, past] };
	return onnxFile({
		inputs: [
			{ name: "history_positions", type: "float32", dims: [undefined, past, 2] },
		],
		outputs: [{ name: "positions", type: "float32", dims: [undefined, steps, 2] }],
		nodes: [["MatMul", ["w", "history_positions"], "positions"]],
		constants: [{ ...constant, values: rows.flat() }],
		...more,
	});
}

/**
 * Returns a model of an image: the means of its channels, multiplied with weights, are
 * `modes` paths of `steps` positions and as many logits.
 */
export function imageModel(
	[channels, size]: readonly [channels: number, size: number],
	[modes, steps]: readonly [modes: number, steps: number],
	more: Pick<Graph, "metadata"> = {},
): Uint8Array<ArrayBuffer> {
	const weights = (name: string, width: number): Constant => ({
		name,
		type: "float32",
		dims: [channels, width],
		values: Array.from({ length: channels * width }, (_, i) => Math.sin(i + width)),
	});
	const shape = [-1, modes, steps, 2];
	return onnxFile({
		inputs: [
			{ name: "input.1", type: "float32", dims: [undefined, channels, size, size] },
		],
		outputs: [
			{ name: "pred", type: "float32", dims: [undefined, modes, steps, 2] },
			{ name: "logits", type: "float32", dims: [undefined, modes] },
		],
		nodes: [
			["GlobalAveragePool", ["input.1"], "pooled"],
			["Flatten", ["pooled"], "means"],
			["MatMul", ["means", "wp"], "flat"],
			["Reshape", ["flat", "shape"], "pred"],
			["MatMul", ["means", "wl"], "logits"],
		],
		constants: [
			weights("wp", modes * steps * 2),
			weights("wl", modes),
			{ name: "shape", type: "int64", dims: [4], values: shape },
		],
		...more,
	});
}

/** Returns a model that computes for minutes: products of large matrices. */
export function endlessModel(): Uint8Array<ArrayBuffer> {
	const nodes = Array.from({ length: 200 }, (_, i): Node => {
		const from = i === 0 ? "large" : `p${i}`;
		return ["MatMul", [from, "large"], `p${i + 1}`];
	});
	return onnxFile({
		inputs: [{ name: "yaw", type: "float32", dims: [undefined] }],
		outputs: [{ name: "positions", type: "float32", dims: [undefined, 1, 2] }],
		nodes: [
			["Expand", ["yaw", "size"], "large"],
			...nodes,
			["Reshape", ["p200", "shape"], "positions"],
		],
		constants: [
			{ name: "size", type: "int64", dims: [2], values: [2000, 2000] },
			{ name: "shape", type: "int64", dims: [3], values: [-1, 1, 2] },
		],
	});
}

function node(
	operator: string,
	inputs: readonly string[],
	output: string,
	attributes: Readonly<Record<string, readonly number[]>> = {},
): readonly number[] {
	const lists = Object.entries(attributes).flatMap(([name, values]) => {
		const integers = values.flatMap((value) => number(8, value));
		return bytes(5, [...text(1, name), ...integers, ...number(20, 7)]);
	});
	const named = [...inputs.flatMap((name) => text(1, name)), ...text(2, output)];
	return [...named, ...text(4, operator), ...lists];
}

/** Returns a value's name and type; without `dims`, of any shape. */
function value({ name, type, dims }: ModelInput): number[] {
	const element = number(1, ELEMENTS[type] ?? 0);
	const axes = dims?.flatMap((length) =>
		bytes(1, length === undefined ? text(2, "n") : number(1, length)),
	);
	const tensor = axes ? [...element, ...bytes(2, axes)] : element;
	return [...text(1, name), ...bytes(2, bytes(1, tensor))];
}

function initializer({ name, type, dims, values, external }: Constant): number[] {
	const head = [
		...dims.flatMap((length) => number(1, length)),
		...number(2, ELEMENTS[type] ?? 0),
		...text(8, name),
	];
	if (external) {
		const entries = Object.entries(external).flatMap(([key, content]) =>
			bytes(13, [...text(1, key), ...text(2, content)]),
		);
		return [...head, ...entries, ...number(14, 1)];
	}
	const raw = new Uint8Array(CLASSES[type]?.from(values).buffer ?? new ArrayBuffer(0));
	return [...head, ...bytes(9, raw)];
}

// Fields of protobuf.

function varint(value: number): number[] {
	return value < 128 ? [value] : [(value % 128) + 128, ...varint(value >> 7)];
}

function number(field: number, value: number): number[] {
	return [...varint(field << 3), ...varint(value)];
}

function bytes(field: number, content: ArrayLike<number>): number[] {
	return [
		...varint((field << 3) | 2),
		...varint(content.length),
		...Array.from(content),
	];
}

function text(field: number, content: string): number[] {
	return bytes(field, new TextEncoder().encode(content));
}
