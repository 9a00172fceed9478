import { type DropParts, heldTypes, partsOf } from "../open/drop.js";
import { hasFiles, showOpening } from "./start-page.js";
import type { ViewerHost } from "./viewer-host.js";

/** Shows what files dragged over the viewer will do, and takes them when they are dropped. */
export function watchDrops(host: ViewerHost): void {
	const over = (types: readonly string[] | undefined): void => {
		if (types?.join() !== host.over?.join()) host.over = types;
	};
	const onDrag = (event: DragEvent): void => {
		if (!hasFiles(event)) return;
		event.preventDefault();
		over(event.type === "dragover" ? heldTypes(event) : undefined);
	};
	host.addEventListener("dragover", onDrag);
	host.addEventListener("dragleave", onDrag);
	host.addEventListener("drop", (event) => {
		if (!hasFiles(event)) return;
		event.preventDefault();
		over(undefined);
		void take(host, partsOf(event));
	});
}

async function take(host: ViewerHost, parts: DropParts): Promise<void> {
	const { controller } = host;
	try {
		const { takeDrop } = await import("../open/take-drop.js");
		if (controller) takeDrop(controller, parts, () => showOpening(host));
	} catch (error) {
		controller?.notify(`Drop: loading failed: ${String(error)}`);
	}
}
