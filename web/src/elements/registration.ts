import { defineAround } from "./lazy.js";
import { SceneView } from "./scene-view/scene-view.js";
import { useRegistry } from "./ui/define-lazy.js";
import { LazyParts } from "./viewer/lazy-parts.js";
import { Viewer } from "./viewer/viewer.js";

/** Elements of the first picture, by tag. */
const ELEMENTS = {
	"bev-scene-view": SceneView,
	"bev-viewer": Viewer,
};

declare global {
	interface HTMLElementTagNameMap {
		"bev-scene-view": SceneView;
		"bev-viewer": Viewer;
	}
}

/**
 * Registers the elements; tags that are already defined are skipped. Elements that the
 * first picture does not need follow after it or, on pages without a viewer, when the
 * page is loaded. Does nothing without a document.
 */
export function define(
	registry: CustomElementRegistry = globalThis.customElements,
): void {
	if (!registry) return; // a page that is rendered on a server
	useRegistry(registry);
	for (const [tag, element] of Object.entries(ELEMENTS)) {
		if (!registry.get(tag)) registry.define(tag, element);
	}
	const { document } = globalThis;
	if (document?.readyState === "complete") defineOthers();
	else globalThis.addEventListener?.("load", defineOthers, { once: true });
}

/** Loads the elements that a viewer would load after its picture. */
function defineOthers(): void {
	setTimeout(() => {
		if (!LazyParts.used) void defineAround();
	});
}
