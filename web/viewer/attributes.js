import { Viewer } from "bevscope/element";
import "bevscope/define";

/** The viewer's attributes by property: `mapSrc` for `map-src`. */
const ATTRIBUTES = new Map(
	Viewer.observedAttributes.map((name) => [
		name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()),
		name,
	]),
);

/** Names of the viewer's attributes, in camel case. */
export const names = [...ATTRIBUTES.keys()];

/** Sets an attribute of a viewer; null, undefined and false remove it. */
export function assign(viewer, name, value) {
	const attribute = ATTRIBUTES.get(name);
	// Programs return the position of an event, while the viewer may already move on.
	if ((name === "frame" || name === "scene") && viewer[name] === value) return;
	if (value === null || value === undefined || value === false)
		viewer.removeAttribute(attribute);
	else viewer.setAttribute(attribute, value === true ? "" : String(value));
}

/** Returns a viewer of a height in pixels, or of any CSS length. */
export function made(height) {
	const viewer = document.createElement("bev-viewer");
	viewer.style.height = typeof height === "number" ? `${height}px` : height;
	return viewer;
}
