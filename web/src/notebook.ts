/** Entry of the notebook widget (`bevscope.Viewer` in Python), by anywidget's contract. */
import { define } from "./elements/define.js";
import { useConfigReader } from "./elements/raster/config-reader.js";
import type { WidgetModel } from "./notebook/kernel-source.js";
import { NotebookView } from "./notebook/notebook-view.js";
import { parseConfig } from "./yaml.js";

/** Displays the viewer in `el`; returns the function that removes it. */
function render({ model, el }: { model: WidgetModel; el: HTMLElement }): () => void {
	define();
	useConfigReader(parseConfig);
	const view = new NotebookView(model, el);
	return () => view.close();
}

// anywidget requires a default export.
export default { render };
