import type { AbortOptions } from "../../api.js";
import { BevError } from "../../base/errors.js";
import { SharedTask } from "../../base/shared-task.js";
import type { ChunkedDataset } from "../../dataset/dataset.js";
import type { Subjects } from "../../model/subjects.js";
import type { ImageForm, PictureOptions } from "../../samples/options.js";
import type { Sample } from "../../samples/sample.js";
import { Sampler } from "../../samples/sampler.js";
import type { Source } from "../../source/source.js";
import { clientOf } from "../../worker/client.js";
import type {
	NamedConfig,
	PredictOptions,
	RasterAt,
	RasterMaker,
	RasterOptions,
	RasterSource,
	UnrollOptions,
} from "./rasters.js";

/** Names of configs in the folders around a data set. */
const CONFIG_KEYS = ["config.json", "config.yaml"];
const utf8 = new TextDecoder();

function placeOf({ scene, frame, track }: RasterAt) {
	return { scene, state: frame, track };
}

/** What models do on samples. */
type ByModel = Required<Pick<RasterMaker, "simulate" | "predict" | "subjects">> & {
	/** Frees what choosing subjects has made. */
	close(): void;
};

/** Samples with one config; its map files are in one folder. */
class Maker implements RasterMaker {
	readonly #seen: Sampler;
	readonly #another: (image: ImageForm, signal?: AbortSignal) => Promise<Sampler>;
	readonly simulate: ByModel["simulate"];
	readonly predict: ByModel["predict"];
	readonly subjects: ByModel["subjects"];
	readonly #closeModel: () => void;

	constructor(
		seen: Sampler,
		another: (image: ImageForm, signal?: AbortSignal) => Promise<Sampler>,
		{ simulate, predict, subjects, close }: ByModel,
	) {
		this.#seen = seen;
		this.#another = another;
		this.simulate = simulate;
		this.predict = predict;
		this.subjects = subjects;
		this.#closeModel = close;
	}

	get channels(): readonly string[] {
		return this.#seen.channels;
	}

	sample(at: RasterAt, options: PictureOptions) {
		return this.#seen.sample<Sample<"rgba">>(placeOf(at), options);
	}

	async exact(at: RasterAt, { signal }: AbortOptions) {
		const sampler = await this.#another("f32", signal);
		try {
			return await sampler.sample<Sample<"f32">>(placeOf(at), { signal });
		} finally {
			sampler.close();
		}
	}

	batch(at: readonly RasterAt[], options: AbortOptions) {
		return this.#seen.batch<Sample<"rgba">>(at.map(placeOf), options);
	}

	close(): void {
		this.#closeModel();
		this.#seen.close();
	}
}

/** The folders around a data set and the config in them, for it and its edited scenes. */
interface Around {
	readonly folders: readonly Source[];
	readonly config: SharedTask<NamedConfig | undefined>;
}

const places = new WeakMap<() => readonly Source[], Around>();

function aroundOf(find: () => readonly Source[]): Around {
	const known = places.get(find);
	if (known) return known;
	const folders = find();
	const config = new SharedTask((signal) => findConfigIn(folders, signal));
	const around = { folders, config };
	places.set(find, around);
	return around;
}

async function findConfigIn(
	folders: readonly Source[],
	signal: AbortSignal,
): Promise<NamedConfig | undefined> {
	for (const folder of folders) {
		for (const name of CONFIG_KEYS) {
			const bytes = await folder.read(name, { signal, required: false });
			if (bytes) return { name, text: utf8.decode(bytes) };
		}
	}
	return undefined;
}

/**
 * Returns the rasters of `dataset`; config and map come from the first of the folders
 * that `find` returns. It is called once, and the config is read once, for all data sets
 * that share `find`: one and those with its edited scenes.
 */
export function rastersOf(
	dataset: ChunkedDataset,
	find: () => readonly Source[],
): RasterSource {
	const { folders, config: found } = aroundOf(find);
	const findConfig = ({ signal }: AbortOptions) => found.join(signal);
	const open = async (config: string, { signal, map, ...form }: RasterOptions) => {
		let absent: unknown = new BevError(
			"not_found",
			"config: the data has no parent folder",
		);
		// Samples without an image and lines need nothing beside the data.
		const isAlone = map !== undefined || (form.image === "none" && !form.vectorized);
		const roots = folders.length === 0 && isAlone ? [undefined] : folders;
		for (const root of roots) {
			const make = (image: ImageForm, within?: AbortSignal) => {
				const { vectorized } = form;
				const options = { root, image, vectorized, signal: within, ...map };
				return Sampler.make(dataset, config, "ego", options);
			};
			const samples = { config, root, ...form, ...map };
			let subjects: Promise<Subjects> | undefined;
			const byModel: ByModel = {
				subjects: async ({ scene, frame }, rules, options) => {
					const { Subjects } = await import("../../model/subjects.js");
					const made = async () => {
						const client = await clientOf(dataset).forReaders();
						return Subjects.open(client, { ...rules, config }, {});
					};
					subjects ??= made();
					return (await subjects).of(scene, frame, options);
				},
				close: () => {
					subjects?.then(
						(it) => it.close(),
						() => {}, // reported by the call that made it
					);
				},
				simulate: async ({ scene, ...options }: UnrollOptions) => {
					const { simulate } = await import("../../model/simulate.js");
					return simulate(dataset, { ...samples, ...options, scenes: [scene] });
				},
				predict: async ({ onBatch, ...options }: PredictOptions) => {
					const { predictedScenes } = await import("../../model/predict-scenes.js");
					return predictedScenes(dataset, { ...samples, ...options }, onBatch);
				},
			};
			try {
				return new Maker(await make(form.image ?? "rgba", signal), make, byModel);
			} catch (error) {
				if (!(error instanceof BevError) || error.code !== "not_found") throw error;
				absent = error;
			}
		}
		throw absent;
	};
	return { findConfig, open };
}
