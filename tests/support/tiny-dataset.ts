/**
 * A small data set in L5Kit's format, as objects by key: two scenes of six frames with
 * three agents each, uncompressed, four rows per chunk. Everything moves east at 10
 * m/s; agent k is 10 (k + 1) metres north of the ego vehicle.
 */
export const TINY = {
	scenes: 2,
	framesPerScene: 6,
	agentsPerFrame: 3,
	rowsPerChunk: 4,
	labels: Array.from({ length: 17 }, (_, i) => `LABEL_${i}`),
	/** Nanoseconds. */
	start: 1_572_643_684_000_000_000n,
	step: 100_000_000n,
} as const;

type Field = readonly [name: string, dtype: string, shape?: readonly number[]];
type Value = number | bigint | string | readonly (number | bigint)[];

const FIELDS = {
	scenes: [
		["frame_index_interval", "<i8", [2]],
		["host", "<U16"],
		["start_time", "<i8"],
		["end_time", "<i8"],
	],
	frames: [
		["timestamp", "<i8"],
		["agent_index_interval", "<i8", [2]],
		["traffic_light_faces_index_interval", "<i8", [2]],
		["ego_translation", "<f8", [3]],
		["ego_rotation", "<f8", [3, 3]],
	],
	agents: [
		["centroid", "<f8", [2]],
		["extent", "<f4", [3]],
		["yaw", "<f4"],
		["velocity", "<f4", [2]],
		["track_id", "<u8"],
		["label_probabilities", "<f4", [17]],
	],
	traffic_light_faces: [
		["face_id", "<U16"],
		["traffic_light_id", "<U16"],
		["traffic_light_face_status", "<f4", [3]],
	],
} as const satisfies Record<string, readonly Field[]>;

type ArrayName = keyof typeof FIELDS;

/** Sizes that may be larger than in TINY. */
export type TinySize = Readonly<
	Record<"scenes" | "framesPerScene" | "rowsPerChunk", number>
>;

function sceneRow(s: number, { framesPerScene }: TinySize): Value[] {
	const begin = s * framesPerScene;
	const end = begin + framesPerScene;
	const time = (f: number): bigint => TINY.start + BigInt(f) * TINY.step;
	return [[begin, end], `host-${s}`, time(begin), time(end - 1)];
}

function frameRow(f: number, { framesPerScene }: TinySize): Value[] {
	const agents = f * TINY.agentsPerFrame;
	return [
		TINY.start + BigInt(f) * TINY.step,
		[agents, agents + TINY.agentsPerFrame],
		[f, f + 1],
		[eastOf(f, framesPerScene), 0, 0],
		[1, 0, 0, 0, 1, 0, 0, 0, 1],
	];
}

/** Returns the ego vehicle's metres east in frame `f`, counted over all scenes. */
export function eastOf(
	f: number,
	framesPerScene: number = TINY.framesPerScene,
): number {
	return f % framesPerScene;
}

function agentRow(row: number, { framesPerScene }: TinySize): Value[] {
	const [f, k] = [Math.floor(row / TINY.agentsPerFrame), row % TINY.agentsPerFrame];
	const label = [3, 12, 14][k] ?? 0; // car, cyclist, pedestrian
	const probabilities = TINY.labels.map((_, i) => (i === label ? 0.75 : 0));
	return [
		[eastOf(f, framesPerScene), 10 * (k + 1)],
		[4, 2, 1.5],
		0,
		[10, 0],
		BigInt(k + 1),
		probabilities,
	];
}

function faceRow(f: number): Value[] {
	return [`face-${f % 2}`, "light-0", f % 2 === 0 ? [1, 0, 0] : [0, 0, 1]];
}

const ROWS: Record<ArrayName, (i: number, size: TinySize) => Value[]> = {
	scenes: sceneRow,
	frames: frameRow,
	agents: agentRow,
	traffic_light_faces: faceRow,
};

function countOf(name: ArrayName, { scenes, framesPerScene }: TinySize): number {
	if (name === "scenes") return scenes;
	const frames = scenes * framesPerScene;
	return name === "agents" ? frames * TINY.agentsPerFrame : frames;
}

const utf8 = (value: unknown): Uint8Array =>
	new TextEncoder().encode(JSON.stringify(value));

/** Returns the bytes of one field of row `row`, for damaging them. */
export function fieldOf(
	objects: ReadonlyMap<string, Uint8Array>,
	array: ArrayName,
	row: number,
	name: string,
	rowsPerChunk: number = TINY.rowsPerChunk,
): DataView {
	const fields: readonly Field[] = FIELDS[array];
	const at = fields.findIndex(([field]) => field === name);
	const chunk = objects.get(`${array}/${Math.floor(row / rowsPerChunk)}`);
	const field = fields[at];
	if (!chunk || !field) throw new Error(`${array} row ${row}: there is no ${name}`);
	const size = (some: readonly Field[]) =>
		some.reduce((sum, f) => sum + fieldSize(f), 0);
	const begin = (row % rowsPerChunk) * size(fields) + size(fields.slice(0, at));
	return new DataView(chunk.buffer, chunk.byteOffset + begin, fieldSize(field));
}

/** Returns all objects of the data set by key; `size` overrides TINY. */
export function tinyDataset(size: Partial<TinySize> = {}): Map<string, Uint8Array> {
	const objects = new Map<string, Uint8Array>();
	objects.set(".zgroup", utf8({ zarr_format: 2 }));
	objects.set(".zattrs", utf8({ format_version: 2, labels: TINY.labels }));
	for (const name of Object.keys(ROWS) as ArrayName[]) {
		addArray(objects, name, { ...TINY, ...size });
	}
	return objects;
}

function addArray(
	objects: Map<string, Uint8Array>,
	name: ArrayName,
	sizes: TinySize,
): void {
	const [count, row] = [countOf(name, sizes), ROWS[name]];
	const fields: readonly Field[] = FIELDS[name];
	const rows = Math.min(sizes.rowsPerChunk, count);
	const size = fields.reduce((sum, field) => sum + fieldSize(field), 0);
	const meta = {
		zarr_format: 2,
		shape: [count],
		chunks: [rows],
		dtype: fields,
		order: "C",
		compressor: null,
		filters: null,
		fill_value: null,
	};
	objects.set(`${name}/.zarray`, utf8(meta));
	for (let chunk = 0; chunk * rows < count; chunk += 1) {
		const bytes = new Uint8Array(rows * size);
		for (let i = 0; i < rows && chunk * rows + i < count; i += 1) {
			const record = new DataView(bytes.buffer, i * size, size);
			writeRecord(record, fields, row(chunk * rows + i, sizes));
		}
		objects.set(`${name}/${chunk}`, bytes);
	}
}

const SIZES: Record<string, number> = {
	"<i8": 8,
	"<u8": 8,
	"<f8": 8,
	"<f4": 4,
	"<U16": 64,
};

function fieldSize([, dtype, shape = []]: Field): number {
	return shape.reduce((product, side) => product * side, SIZES[dtype] ?? 0);
}

function writeRecord(
	record: DataView,
	fields: readonly Field[],
	values: readonly Value[],
): void {
	let at = 0;
	fields.forEach((field, i) => {
		const value = values[i] ?? 0;
		const list = typeof value === "object" ? value : [value];
		list.forEach((one, k) => {
			writeScalar(record, at + k * (SIZES[field[1]] ?? 0), field[1], one);
		});
		at += fieldSize(field);
	});
}

function writeScalar(
	record: DataView,
	at: number,
	dtype: string,
	value: number | bigint | string,
): void {
	if (dtype === "<f8") record.setFloat64(at, Number(value), true);
	else if (dtype === "<f4") record.setFloat32(at, Number(value), true);
	else if (dtype === "<U16") {
		[...String(value)].forEach((character, i) => {
			record.setUint32(at + 4 * i, character.codePointAt(0) ?? 0, true);
		});
	} else record.setBigInt64(at, BigInt(value), true);
}
