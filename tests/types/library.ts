// Compiled against the package by several versions of TypeScript, also without the DOM
// library; never run. A line below @ts-expect-error must not compile.
import {
	AgentClass,
	AgentDataset,
	type BevError,
	ChunkedDataset,
	type Columns,
	concatReaders,
	DatasetReader,
	EgoAgentDatasetVectorized,
	EgoDataset,
	type FrameView,
	type Sample,
	type Scene,
	type StructuredArray,
} from "bevscope";

/** Fails to compile unless the types are equal. */
function same<A>() {
	return <B>(
		_: B & ([A] extends [B] ? ([B] extends [A] ? unknown : never) : never),
	) => {};
}

export async function rows(dataset: ChunkedDataset): Promise<void> {
	const some = await dataset.frames.rows(0, 10, { fields: ["timestamp"] });
	same<BigInt64Array>()(some.column("timestamp").data);
	// @ts-expect-error: this field was not read
	some.column("ego_translation");
	// @ts-expect-error: no such field
	await dataset.frames.rows(0, 10, { fields: ["timestmap"] });
	const all = await dataset.agents.take([1, 2]);
	same<Float64Array>()(all.column("centroid").data);
	same<Float32Array>()(all.column("yaw").data);
	same<BigUint64Array>()(all.column("track_id").data);
	// @ts-expect-error: no such field
	all.column("centriod");
	const x: number | undefined = all.column("centroid").data[0];
	const explicit = await dataset.scenes.rows<"host">(0, 1, { fields: ["host"] });
	const hosts: readonly string[] = explicit.strings("host");
	const any: StructuredArray = await dataset.array("agents");
	const dynamic: Columns = await any.rows(0, 1, { fields: ["anything"] });
	dynamic.column("anything");
	const wide: StructuredArray = dataset.agents;
	use(x, hosts, wide);
}

export async function readers(dataset: ChunkedDataset, names: string[]): Promise<void> {
	const some = dataset.reader({ fields: ["centroid", "yaw"], window: { past: 1 } });
	for await (const batch of some) {
		same<Float64Array>()(batch.column("centroid").data);
		same<Uint8Array>()(batch.column("window.mask").data);
		same<Float32Array>()(batch.column("yaw@-1").data);
		// @ts-expect-error: this field is not read
		batch.column("velocity");
		// @ts-expect-error: a misspelt field
		batch.column("centriod");
	}
	// @ts-expect-error: no such option
	dataset.reader({ fields: ["yaw"], wehre: "yaw > 0" });
	for await (const batch of dataset.reader()) {
		same<BigUint64Array>()(batch.column("track_id").data);
		// @ts-expect-error: not a stored field
		batch.column("speed");
	}
	const derived = {
		from: "agents",
		fields: ["speed", "label", "scene", "host"],
	} as const;
	for await (const batch of dataset.reader(derived)) {
		same<Float32Array>()(batch.column("speed").data);
		same<Uint8Array>()(batch.column("label").data);
		same<Uint32Array>()(batch.column("scene").data);
	}
	for await (const batch of dataset.reader({ from: "frames" }))
		same<BigInt64Array>()(batch.column("timestamp").data);
	const past = { past: 1, fieldsAt: { "-1": ["speed"] } } as const;
	for await (const batch of dataset.reader({ window: past }))
		same<Float32Array>()(batch.column("speed@-1").data);
	const own = dataset.reader<{ x: Float64Array }>({ from: "mine", fields: ["x"] });
	for await (const batch of own) {
		same<Float64Array>()(batch.column("x").data);
		// @ts-expect-error: no such column
		batch.column("y");
	}
	const open = [
		dataset.reader({ fields: names }),
		dataset.reader({ fields: ["yaw", /^ego_/] }),
		dataset.reader({ from: "mine" }),
	];
	for (const reader of open) for await (const batch of reader) batch.column("anything");
	const all = concatReaders([some, own, ...open]);
	for await (const { batch } of all) batch.column("anything");
	// The former names of options.
	dataset.reader({ batch: { drop_last: true }, on_damage: "skip" });
	// @ts-expect-error: only the package makes readers
	new DatasetReader();
}

export async function sampled(dataset: ChunkedDataset, config: string): Promise<void> {
	const rasters = dataset.reader({ from: "frames", sample: { config, image: "u8" } });
	for await (const batch of rasters) {
		same<Uint8Array>()(batch.column("image").data);
		same<Float32Array>()(batch.column("target_positions").data);
		// @ts-expect-error: a misspelt key
		batch.column("imgae");
	}
	const vectors = dataset.reader({
		from: "agents",
		sample: { config, vectorized: true, minFrameHistory: 1 },
		fields: ["lanes"],
	});
	for await (const batch of vectors) same<Float32Array>()(batch.column("lanes").data);
}

export async function samples(dataset: ChunkedDataset, config: string): Promise<void> {
	const ego = await EgoDataset.create(config, dataset);
	const sample = await ego.sample(0);
	same<Float32Array>()(sample.image.data);
	same<Float64Array>()(sample.raster_from_world.data);
	// @ts-expect-error: a misspelt key
	sample.imgae;
	const shown = await EgoDataset.create(config, dataset, { image: "rgba" });
	same<Uint8Array>()((await shown.sample(0)).image.data);
	for await (const batch of shown.samples({ batch: 2 }))
		same<Uint8Array>()(batch.image.data);
	const none = await AgentDataset.create(config, dataset, { image: "none" });
	// @ts-expect-error: there is no image
	(await none.sample(0)).image.data;
	const vectors = await AgentDataset.create(config, dataset, { vectorized: true });
	const vector = await vectors.sample(0);
	same<Float32Array>()(vector.lanes.data);
	same<Uint8Array>()(vector.lanes_availabilities.data);
	// @ts-expect-error: vectorized samples have no image
	vector.image;
	const among = await EgoAgentDatasetVectorized.create(config, dataset);
	same<Float64Array>()((await among.sample(0)).all_valid_agents_track_ids.data);
	const kept: Sample<"f32"> = sample;
	use(kept);
}

export async function scenes(url: string): Promise<void> {
	const dataset = await ChunkedDataset.open(url);
	const scene: Scene = await dataset.scene(0);
	const seconds: number = scene.seconds;
	for await (const frame of dataset.sceneFrames(0, { prefetch: 2 })) {
		const view: FrameView = frame;
		if (view.agents.class[0] === AgentClass.pedestrian) use(view);
	}
	const kind: AgentClass = 2;
	// @ts-expect-error: no such class
	const wrong: AgentClass = 4;
	use(seconds, kind, wrong);
}

export function failures(error: BevError): void {
	if (error.code === "missing_key") use(error.key, error.url, error.status);
	// @ts-expect-error: no such code
	if (error.code === "missing") use(error);
}

declare function use(...values: unknown[]): void;
