import { BevError } from "../../base/errors.js";
import type { Patch } from "../../dataset/patch.js";
import type { ViewerController } from "../session/controller.js";
import { editsInPatch, patchOf } from "./edit-list.js";
import { EditsController } from "./edits-controller.js";

/** The editor of each viewer. */
const controllers = new WeakMap<ViewerController, EditsController>();

/** Returns the editor of a viewer. */
export function editorOf(controller: ViewerController): EditsController {
	const found = controllers.get(controller) ?? new EditsController(controller);
	controllers.set(controller, found);
	return found;
}

/** Shows the scenes with the edits of a patch; undefined shows the recorded ones. */
export async function setPatch(
	controller: ViewerController | undefined,
	patch: Patch | string | undefined,
): Promise<void> {
	if (!controller) return;
	const edits = patch === undefined ? [] : editsInPatch(patch);
	await editorOf(controller).replace(edits);
}

/** Maximum size of a patch's file. */
const MAX_BYTES = 2 ** 20;

/**
 * Opens a file of a patch in place of the present edits.
 *
 * @throws BevError `limit_exceeded`, `invalid_argument`, what the core says of it
 */
export async function openPatch(
	controller: ViewerController,
	file: File,
): Promise<number> {
	if (file.size > MAX_BYTES)
		throw new BevError("limit_exceeded", `${file.name}: too large (expected 1 MiB)`);
	const edits = editsInPatch(await file.text());
	await editorOf(controller).replace(edits);
	return edits.length;
}

/** Returns the present patch as a file. */
export function patchFile(controller: ViewerController): Blob {
	const patch = patchOf(editorOf(controller).list);
	return new Blob([`${JSON.stringify(patch)}\n`], { type: "application/json" });
}
