import {
	type Constant,
	type Graph,
	imageModel,
	type ModelInput,
	type Node,
	onnxFile,
	velocityModel,
} from "./onnx-model.js";

/** A file that is not what it says. */
export interface HostileModel {
	/** What is wrong with it. */
	readonly kind: string;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

type Random = (below: number) => number;

/** Returns random whole numbers, the same ones for the same seed. */
function randomBy(seed: number): Random {
	let state = seed;
	return (below) => {
		state = (state * 48_271) % 2_147_483_647;
		return state % below;
	};
}

function pick<T>(random: Random, all: readonly T[]): T {
	return all[random(all.length)] as T;
}

/** Sizes that overflow, or that nothing has. */
const SIZES = [0, 1, 3, 7, 10, 12, 31, 255, 65_536, 2 ** 30];
const TYPES = ["float64", "float16", "int32", "int64", "uint8", "bool", "int8", "none"];
const VALUES = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3e38];

/** Files that a reference may name; none of them is to be read. */
const PLACES = [
	"../../../../../../etc/passwd",
	"/etc/passwd",
	"http://localhost/secret",
	"file:///etc/passwd",
	"model.onnx.data",
	"",
	"a\0b",
	"\\\\host\\share",
];

/** A small model whose parts are wrong one at a time. */
function graph(): Graph & { readonly constants: readonly Constant[] } {
	const weights = Array.from({ length: 44 }, (_, i) => Math.sin(i));
	return {
		inputs: [{ name: "history_positions", type: "float32", dims: [undefined, 11, 2] }],
		outputs: [{ name: "positions", type: "float32", dims: [undefined, 4, 2] }],
		nodes: [["MatMul", ["w", "history_positions"], "positions"]],
		constants: [{ name: "w", type: "float32", dims: [4, 11], values: weights }],
	};
}

function flip(file: Uint8Array, at: number, bit: number): void {
	file[at] = (file[at] ?? 0) ^ (1 << bit);
}

function bits(random: Random, whole: Uint8Array): Uint8Array<ArrayBuffer> {
	const file = Uint8Array.from(whole);
	for (let k = 0; k <= random(8); k += 1) flip(file, random(file.length), random(8));
	return file;
}

function bytes(random: Random, whole: Uint8Array): Uint8Array<ArrayBuffer> {
	const file = Uint8Array.from(whole);
	// The first bytes have the lengths of all others.
	for (let k = 0; k <= random(6); k += 1)
		file[random(Math.min(200, file.length))] = random(256);
	return file;
}

function resized(random: Random, whole: Uint8Array): Uint8Array<ArrayBuffer> {
	const at = random(whole.length);
	const count = 1 + random(12);
	const rest = random(2) === 0 ? at + count : at; // without some bytes, or with more
	const more = rest === at ? Array.from({ length: count }, () => random(256)) : [];
	return Uint8Array.from([...whole.slice(0, at), ...more, ...whole.slice(rest)]);
}

function shapes(random: Random): Graph {
	const { inputs, outputs, nodes, constants } = graph();
	const [w] = constants as [Constant];
	const any = (): number[] =>
		Array.from({ length: random(5) }, () => pick(random, SIZES));
	const sized = (one: ModelInput): ModelInput => ({ ...one, dims: any() });
	return [
		() => ({ inputs: inputs.map(sized), outputs, nodes, constants }),
		() => ({ inputs, outputs: outputs.map(sized), nodes, constants }),
		() => ({ inputs, outputs, nodes, constants: [{ ...w, dims: any() }] }),
		() => ({ inputs, outputs, nodes, constants: [{ ...w, dims: [3, 11] }] }),
	][random(4)]?.() as Graph;
}

function types(random: Random): Graph {
	const { inputs, outputs, nodes, constants } = graph();
	const type = pick(random, TYPES);
	const of = <T extends { readonly type: string }>(all: readonly T[]): T[] =>
		all.map((one) => ({ ...one, type }));
	return [
		() => ({ inputs: of(inputs), outputs, nodes, constants }),
		() => ({ inputs, outputs: of(outputs), nodes, constants }),
		() => ({ inputs, outputs, nodes, constants: of(constants) }),
		() => ({
			inputs: of(inputs),
			outputs: of(outputs),
			nodes,
			constants: of(constants),
		}),
	][random(4)]?.() as Graph;
}

function values(random: Random): Graph {
	const { constants, ...rest } = graph();
	const [w] = constants as [Constant];
	const changed = [...w.values];
	for (let k = 0; k <= random(3); k += 1)
		changed[random(changed.length)] = pick(random, VALUES);
	return { ...rest, constants: [{ ...w, values: changed }] };
}

function references(random: Random): Graph {
	const { constants, ...rest } = graph();
	const [w] = constants as [Constant];
	const size = pick(random, ["", "0", "176", "-1", "99999999999999", "x"]);
	const external = { location: pick(random, PLACES), offset: size, length: size };
	return { ...rest, constants: [{ ...w, external }] };
}

function parts(random: Random): Graph {
	const { inputs, outputs, constants } = graph();
	const all: readonly (readonly Node[])[] = [
		[],
		[["Fly", ["history_positions"], "positions"]],
		[["MatMul", ["w", "positions"], "positions"]],
		[["MatMul", ["v", "history_positions"], "positions"]],
		[["MatMul", ["w", "history_positions"], "elsewhere"]],
		[["MatMul", ["w"], "positions"]],
		[["Reshape", ["history_positions", "w"], "positions"]],
		[
			["MatMul", ["w", "history_positions"], "positions"],
			["Identity", ["history_positions"], "positions"],
		],
	];
	const nodes = pick(random, all);
	return [
		() => ({ inputs, outputs, nodes, constants }),
		() => ({ inputs: [...inputs, ...inputs], outputs, nodes, constants }),
		() => ({ inputs, outputs: [], nodes, constants }),
		() => ({ inputs: [], outputs, nodes, constants: [] }),
		() => ({ inputs, outputs, nodes, constants: [...constants, ...constants] }),
	][random(5)]?.() as Graph;
}

const KINDS: Readonly<
	Record<string, (random: Random, whole: Uint8Array) => Uint8Array<ArrayBuffer>>
> = {
	bits,
	bytes,
	resized,
	truncated: (random, whole) => Uint8Array.from(whole.slice(0, random(whole.length))),
	shapes: (random) => onnxFile(shapes(random)),
	types: (random) => onnxFile(types(random)),
	values: (random) => onnxFile(values(random)),
	references: (random) => onnxFile(references(random)),
	parts: (random) => onnxFile(parts(random)),
};

/** Returns damaged models: the same ones for the same number, each kind as often. */
export function hostileModels(count: number): HostileModel[] {
	const random = randomBy(47);
	const whole = [velocityModel(4), imageModel([4, 32], [3, 4])] as const;
	const kinds = Object.entries(KINDS);
	return Array.from({ length: count }, (_, i) => {
		const [kind, make] = kinds[i % kinds.length] as (typeof kinds)[number];
		return { kind, bytes: make(random, pick(random, whole)) };
	});
}
