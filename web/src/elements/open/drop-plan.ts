import { scenarioId } from "../../converting/names.js";

/** A dropped or dragged item. */
export interface DropItem {
	readonly name: string;
	readonly folder: boolean;
}

/** The effect of a drop. */
export type DropPlan =
	/** All items together are the data set. */
	| { readonly act: "open" }
	/** Predictions or, by their content, joint futures, or tracks of INTERACTION. */
	| { readonly act: "predictions"; readonly files: readonly string[] }
	/** A model, and the documents that describe it. */
	| { readonly act: "model"; readonly files: readonly string[] }
	| { readonly act: "map"; readonly files: readonly string[] }
	/** Files whose content tells what they are. */
	| { readonly act: "documents"; readonly files: readonly string[] }
	| { readonly act: "none"; readonly notice: string };

const DOCUMENT = /\.(ya?ml|json)$/i;
/** Joint futures; the content distinguishes CSV files of them from predictions. */
const SUBMISSION = /\.(npz|binproto(-\d{5}-of-\d{5})?)$/i;

function listed(names: readonly string[]): string {
	const shown = names.slice(0, 3).join(", ");
	return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** Returns the effect of a drop; `open` is whether a data set is open. */
export function dropPlan(items: readonly DropItem[], open: boolean): DropPlan {
	const files = items.filter(({ folder }) => !folder).map(({ name }) => name);
	const ending = (pattern: RegExp) => files.filter((name) => pattern.test(name));
	// Other Parquet files than tracks are forecasts of the open scenarios.
	const parquet = ending(/\.parquet$/i);
	const forecasts = open
		? parquet.filter((name) => scenarioId(name) === undefined)
		: [];
	if (
		files.length < items.length ||
		ending(/\.osm$/i).length > 0 ||
		parquet.length > forecasts.length ||
		ending(/\.(zip|pkl|db|xml|xz|tfrecord[-0-9a-z]*)$/i).length > 0
	)
		return { act: "open" };
	if (ending(/^(\.zgroup|\.zarray|\.zmetadata|zarr\.json)$/).length > 0)
		return { act: "open" };
	const plan = modelPlan(files, open);
	if (plan) return plan;
	const models = [...ending(/\.csv$/i), ...forecasts];
	if (models.length > 0)
		return { act: "predictions", files: [...models, ...ending(SUBMISSION)] };
	const maps = ending(/\.pb$/i);
	if (maps.length > 0) {
		if (open) return { act: "map", files: [...maps, ...ending(/\.json$/i)] };
		const notice = `${listed(maps)}: a map needs a data set; drop both together or open the data first`;
		return { act: "none", notice };
	}
	return documentPlan(files, open);
}

function modelPlan(files: readonly string[], open: boolean): DropPlan | undefined {
	const model = files.find((name) => /\.onnx$/i.test(name));
	if (model !== undefined && open) return { act: "model", files };
	if (model !== undefined)
		return { act: "none", notice: `${model}: needs a data set; open the data first` };
	const script = files.find((name) => /\.pth?$/i.test(name));
	if (script === undefined) return undefined;
	const notice = `${script}: PyTorch's files cannot run in a page; export the model to ONNX`;
	return { act: "none", notice };
}

function documentPlan(files: readonly string[], open: boolean): DropPlan {
	const documents = files.filter(
		(name) => DOCUMENT.test(name) || SUBMISSION.test(name),
	);
	const [document] = documents;
	if (document === undefined) {
		const are = files.length === 1 ? "is" : "are";
		const images = files.every((name) => /\.(png|jpe?g)$/i.test(name));
		const aerial =
			open && images
				? ". An aerial image is chosen in the list of layers, with its meta.json"
				: "";
		const notice = `${listed(files)} ${are} no data that the viewer opens${aerial}`;
		return { act: "none", notice };
	}
	const id = /^log_map_archive_(.+)\.json$/.exec(document)?.[1];
	if (id !== undefined) {
		const notice = `${document}: a scenario's map; drop it together with scenario_${id}.parquet`;
		return { act: "none", notice };
	}
	if (/^meta\.json$/i.test(document)) {
		const notice = `${document}: positions a map; drop it together with the map's .pb file`;
		return { act: "none", notice };
	}
	// Serialized scenes of a simulation are a data set, as their content tells.
	if (open || documents.every((name) => /\.json$/i.test(name)))
		return { act: "documents", files: documents };
	const notice = `${document}: needs a data set; open the data first`;
	return { act: "none", notice };
}
