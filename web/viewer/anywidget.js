import { assign, made, names } from "./attributes.js";

/** Names of the traits, as Python writes them. */
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Shows the viewer in `el`; returns the function that removes it. */
function render({ model, el }) {
	const viewer = made(model.get("height") ?? 480);
	const ended = new AbortController();
	for (const name of names) {
		const trait = snake(name);
		const set = () => assign(viewer, name, model.get(trait));
		set();
		model.on(`change:${trait}`, set);
		ended.signal.addEventListener("abort", () => model.off(`change:${trait}`, set));
	}
	const moved = ({ detail }) => {
		model.set("scene", detail.scene);
		model.set("frame", detail.frame);
		model.save_changes();
	};
	viewer.addEventListener("frame-change", moved, { signal: ended.signal });
	el.append(viewer);
	return () => {
		ended.abort();
		viewer.remove();
	};
}

// anywidget requires a default export.
export default { render };
