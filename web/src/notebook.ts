/**
 * Entry of the notebook widget (`bevscope.Viewer` in Python), by anywidget's contract, and of
 * the components for dashboards (`bevscope.streamlit`, `bevscope.gradio`, `bevscope.panel`).
 */
import { define } from "./elements/define.js";
import { useConfigReader } from "./elements/raster/config-reader.js";
import type { WidgetModel } from "./notebook/kernel-messages.js";
import { NotebookView } from "./notebook/notebook-view.js";
import { type Values, ValuesModel } from "./notebook/values-model.js";
import { parseConfig } from "./yaml.js";

/** Displays the viewer in `el`; returns the function that removes it. */
function render({ model, el }: { model: WidgetModel; el: ParentNode }): () => void {
	define();
	useConfigReader(parseConfig);
	const view = new NotebookView(model, el);
	return () => view.close();
}

/** A viewer in a dashboard. */
export interface Mounted {
	/** Takes values that the host has changed. */
	update(values: Values): void;
	/** Removes the viewer. */
	close(): void;
}

/** Displays the viewer in `el` with the host's values; reports the user's changes. */
export function mount(
	el: HTMLElement | ShadowRoot,
	values: Values,
	onChange: (values: Values) => void,
): Mounted {
	const model = new ValuesModel(values, onChange);
	const close = render({ model, el });
	return { update: (changed) => model.update(changed), close };
}

// anywidget requires a default export.
export default { render };
