import { BevError } from "../../base/errors.js";
import { loadEdits } from "../edits/load-edits.js";
import { farAway } from "../futures/futures-view.js";
import { HEAD_BYTES, isFuturesFile, isNuscenes } from "../futures/ranged-file.js";
import { MAX_DOCUMENT_BYTES, parseNotes } from "../notes/note.js";
import { rolloutTab } from "../rollout/rollout-tab.js";
import type { ViewerController } from "../session/controller.js";
import { whyOf } from "../session/problem.js";
import { counted } from "../ui/words.js";

/** What a document of settings or annotations is, by its content. */
export type DocumentKind = "notes" | "rollout" | "patch" | "config" | "unknown";

/** The part of a document in which its format is looked for. */
const HEAD = 4096;

/** A config's key, in JSON or YAML. */
const CONFIG = /(^|[\s{,])["']?raster_params["']?\s*:/;

/** Returns what a text is; the viewer's own documents name their format. */
export function documentKind(text: string): DocumentKind {
	const [, format] =
		/"format"\s*:\s*"bevscope-(notes|rollout|patch)"/.exec(text.slice(0, HEAD)) ?? [];
	if (format) return format as DocumentKind;
	return CONFIG.test(text) ? "config" : "unknown";
}

/** Opens a dropped `.json` or `.yaml` file as what it is, and tells the effect. */
export async function useDocument(
	controller: ViewerController,
	file: File,
): Promise<void> {
	const { name } = file;
	try {
		if (await isFuturesFile(file)) return await addFutures(controller, file);
		const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
		if (isNuscenes(head)) return await controller.reviews.give(file, name);
		const kind = documentKind(await file.slice(0, MAX_DOCUMENT_BYTES).text());
		if (kind === "notes") await addNotes(controller, file);
		else if (kind === "rollout") {
			await controller.rollout.use((it) => it.give(file, name));
			const { problem } = controller.state.rollout ?? {};
			controller.notify(
				`${name}: ${problem ?? `opened as a rollout; see ${rolloutTab(controller.state)}`}`,
			);
		} else if (kind === "patch") {
			const { openPatch } = await loadEdits();
			const count = await openPatch(controller, file);
			controller.notify(`${name}: ${counted(count, "edit")}; see What if`);
		} else if (kind === "config") {
			controller.rasters.choose({ name, text: await file.text() });
			controller.notify(
				`${name}: raster config loaded; select an agent to display its raster`,
			);
		} else {
			controller.notify(
				`${name}: unknown document (expected notes, a rollout, a patch, or a raster config with raster_params)`,
			);
		}
	} catch (error) {
		controller.notify(`${name}: ${whyOf(error)}`);
	}
}

/** Opens a submission to a challenge beside the data. */
async function addFutures(controller: ViewerController, file: File): Promise<void> {
	const { name } = file;
	await controller.rollout.use((it) => it.give(file, name));
	const sets = controller.state.futures?.sets ?? [];
	const set = sets.find((one) => name.startsWith(one.name));
	const { problem, here } = set ?? {};
	const isFar = set && farAway(set) !== undefined;
	const place = isFar ? "opened; not in the recording's frame" : "opened";
	const done = here === null ? "opened; this scene is not in it" : place;
	const told = problem ?? `${done}; see ${rolloutTab(controller.state)}`;
	controller.notify(told.startsWith(`${name}: `) ? told : `${name}: ${told}`);
}

async function addNotes(controller: ViewerController, file: File): Promise<void> {
	if (file.size > MAX_DOCUMENT_BYTES)
		throw new BevError("limit_exceeded", "notes: too large (expected at most 8 MiB)");
	const notes = parseNotes(await file.text());
	(await controller.notes).put(...notes);
	const { length } = notes;
	controller.notify(`${file.name}: added ${counted(length, "note")}`);
}
