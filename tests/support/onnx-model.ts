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
	float64: 11,
	uint32: 12,
	uint64: 13,
};

/** An input of a model; axes of any length are undefined. */
export interface ModelInput {
	readonly name: string;
	readonly type: string;
	readonly dims: readonly (number | undefined)[];
}

/** A constant matrix of the type of the input that it is multiplied with. */
export interface Weights {
	readonly input: string;
	/** Rows of equal length. */
	readonly rows: readonly (readonly number[])[];
}

/**
 * Returns a model whose outputs are `NAME.same`, each input unchanged, and
 * `NAME.product`, inputs multiplied with weights.
 */
export function onnxModel(
	inputs: readonly ModelInput[],
	weights: readonly Weights[],
): Uint8Array {
	const types = new Map(inputs.map(({ name, type }) => [name, type]));
	const typeOf = (name: string): string => types.get(name) ?? "";
	const same = inputs.map(({ name }) => node("Identity", [name], `${name}.same`));
	const products = weights.map(({ input }) =>
		node("MatMul", [input, `${input}.weights`], `${input}.product`),
	);
	const constants = weights.map((one) => initializer(one, typeOf(one.input)));
	const outputs = [
		...inputs.map(({ name }) => value(`${name}.same`, typeOf(name))),
		...weights.map(({ input }) => value(`${input}.product`, typeOf(input))),
	];
	const graph = [
		...[...same, ...products].map((one) => bytes(1, one)),
		text(2, "graph"),
		...constants.map((one) => bytes(5, one)),
		...inputs.map(({ name, type, dims }) => bytes(11, value(name, type, dims))),
		...outputs.map((one) => bytes(12, one)),
	].flat();
	// The version of the format, the graph, and the version of the operators.
	return Uint8Array.from([
		...number(1, 8),
		...bytes(7, graph),
		...bytes(8, number(2, 17)),
	]);
}

function node(operator: string, inputs: readonly string[], output: string): number[] {
	return [...inputs.flatMap((name) => text(1, name)), ...text(2, output)].concat(
		text(4, operator),
	);
}

/** Returns a value's name and type; without `dims`, of any shape. */
function value(name: string, type: string, dims?: ModelInput["dims"]): number[] {
	const element = number(1, ELEMENTS[type] ?? 0);
	const axes = dims?.flatMap((length) =>
		bytes(1, length === undefined ? text(2, "n") : number(1, length)),
	);
	const tensor = axes ? [...element, ...bytes(2, axes)] : element;
	return [...text(1, name), ...bytes(2, bytes(1, tensor))];
}

function initializer({ input, rows }: Weights, type: string): number[] {
	const values = type === "float64" ? Float64Array : Float32Array;
	const raw = new Uint8Array(values.from(rows.flat()).buffer);
	return [
		...number(1, rows.length),
		...number(1, rows[0]?.length ?? 0),
		...number(2, ELEMENTS[type] ?? 0),
		...text(8, `${input}.weights`),
		...bytes(9, raw),
	];
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
