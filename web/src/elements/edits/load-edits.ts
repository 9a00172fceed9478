import { loaderOf } from "../../base/loader.js";
import type { ViewerController } from "../session/controller.js";
import type { EditsController } from "./edits-controller.js";

/** Loads the code of edits. */
export const loadEdits = loaderOf(() => import("./edits.js"));

/** Acts with the editor of a controller, or says why it could not be loaded. */
export async function withEditor(
	controller: ViewerController,
	act: (editor: EditsController) => void | Promise<void>,
): Promise<void> {
	try {
		const { editorOf } = await loadEdits();
		await act(editorOf(controller));
	} catch (error) {
		controller.notify(`What if: loading failed: ${String(error)}`);
	}
}
