/** Entry of the component of Streamlit (`bevscope.streamlit` in Python), version 2. */
import { type Mounted, mount } from "../notebook.js";
import type { Values } from "./values-model.js";

/** The part of Streamlit's arguments that is used here. */
interface Component {
	readonly data: Values;
	readonly parentElement: HTMLElement | ShadowRoot;
	setStateValue(name: string, value: unknown): void;
}

interface Instance extends Mounted {
	readonly data: Values;
}

/** Viewers by the element that they are in: Streamlit calls again with other data. */
const mounted = new WeakMap<Node, Instance>();

function show({ data, parentElement, setStateValue }: Component): () => void {
	let instance = mounted.get(parentElement);
	if (instance && instance.data._url === data._url) instance.update(data);
	else {
		instance?.close();
		const tell = (values: Values): void => setStateValue("shown", values);
		instance = { ...mount(parentElement, data, tell), data };
		mounted.set(parentElement, instance);
	}
	return () => {
		mounted.get(parentElement)?.close();
		mounted.delete(parentElement);
	};
}

// Streamlit requires a default export.
export default show;
