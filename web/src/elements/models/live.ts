import { BevError } from "../../base/errors.js";
import type { ViewerController } from "../session/controller.js";
import {
	LiveController,
	type LiveModelOptions,
	type ModelFrom,
} from "./live-controller.js";

/** The live model of each viewer. */
const controllers = new WeakMap<ViewerController, LiveController>();

/** Returns the live model of a viewer. */
export function liveOf(controller: ViewerController): LiveController {
	const found = controllers.get(controller) ?? new LiveController(controller);
	controllers.set(controller, found);
	return found;
}

/** Opens a model of the page in place of the present one; undefined closes that. */
export async function setModel(
	controller: ViewerController | undefined,
	from: ModelFrom | undefined,
	options?: LiveModelOptions,
): Promise<void> {
	if (!controller) return;
	if (from === undefined) liveOf(controller).close();
	else await liveOf(controller).open(from, options);
}

/** Maximum size of the documents beside a model. */
const MAX_BYTES = 2 ** 20;

/**
 * Opens a model; the other files are its settings, or L5Kit's config.
 *
 * @throws BevError `invalid_argument`
 */
export async function openModel(
	controller: ViewerController,
	files: readonly File[],
): Promise<void> {
	const models = files.filter(({ name }) => /\.onnx$/i.test(name));
	const [model] = models;
	if (!model || models.length > 1)
		throw new BevError(
			"invalid_argument",
			`models: one at a time (found ${models.length})`,
		);
	// At once, so that of two models the one dropped last is opened, whatever is beside it.
	await liveOf(controller).open(model, async () => {
		let settings: string | undefined;
		for (const file of files) {
			if (file === model) continue;
			if (file.size > MAX_BYTES) {
				const said = `${file.name}: too large (expected 1 MiB)`;
				throw new BevError("limit_exceeded", said);
			}
			settings = await settingsOf(controller, await file.text(), settings);
		}
		return { settings };
	});
}

/** Returns the settings with those of a document, or with a config. */
async function settingsOf(
	controller: ViewerController,
	text: string,
	before: string | undefined,
): Promise<string> {
	if (/"format"\s*:\s*"bevscope-model"/.test(text)) return text;
	const config = await controller.rasters.readConfig(text);
	const base = { format: "bevscope-model", version: 1 };
	return JSON.stringify({ ...base, ...JSON.parse(before ?? "{}"), config });
}
