import { html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";

/**
 * Returns the status of the aerial image in the layer list: its size in pixels, or the
 * problem.
 */
export function aerialWords({ aerial, aerialState, layers }: ViewerState): string {
	if (aerial) return `${aerial.image.width} × ${aerial.image.height}`;
	if (aerialState === "loading") return "loading";
	return layers.has("aerial") && aerialState !== "unknown" ? "no image" : "";
}

function choose(controller: ViewerController, input: HTMLInputElement): void {
	const files = [...(input.files ?? [])];
	input.value = ""; // allows choosing the same files again
	if (files.length === 0) return;
	const read = import("./open-aerial.js").then(({ chosenAerial }) =>
		chosenAerial(files),
	);
	void controller.openAerial(read);
}

/** Renders a file chooser if no aerial image was found. */
export function chooseAerial(
	controller: ViewerController | undefined,
): TemplateResult | typeof nothing {
	if (!controller?.state.layers.has("aerial")) return nothing;
	const { aerialState } = controller.state;
	if (aerialState !== "absent" && aerialState !== "failed") return nothing;
	return html`<label class="choose">Choose image and meta.json
		<input type="file" class="sr" multiple accept="image/*,.json"
			@change=${(event: Event) => choose(controller, event.currentTarget as HTMLInputElement)}>
	</label>`;
}
