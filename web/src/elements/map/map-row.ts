import { html, nothing, type TemplateResult } from "lit";
import { resolved } from "../open/places.js";
import { shownAddress } from "../open/secrets.js";
import type { ViewerController } from "../session/controller.js";

function chooseFiles(controller: ViewerController, input: HTMLInputElement): void {
	const files = [...(input.files ?? [])];
	input.value = ""; // allows choosing the same files again
	if (files.length > 0) void controller.openMap(files);
}

function readAddress(controller: ViewerController, event: SubmitEvent): void {
	event.preventDefault();
	const form = event.currentTarget as HTMLFormElement;
	const address = String(new FormData(form).get("map") ?? "").trim();
	if (address === "") return;
	const url = resolved(address, document.baseURI);
	if (url) void controller.openMap(url, address);
	else controller.notify(`Map: invalid URL (found ${shownAddress(address)})`);
}

/** Renders a form to open a map if there is none, or another one. */
export function chooseMap(
	controller: ViewerController | undefined,
): TemplateResult | typeof nothing {
	if (!controller?.canReadMaps) return nothing;
	const { mapState, mapPlace, mapAddress } = controller.state;
	if (mapState === "absent" || mapState === "failed") return form(controller);
	if (mapState !== "present") return nothing;
	const isChosen = mapPlace !== undefined || mapAddress !== undefined;
	return html`<details><summary>Use another map</summary>
		${form(controller)}
		${
			isChosen
				? html`<button class="raised reset" @click=${() => controller.useMap(undefined)}>Use the map beside the data</button>`
				: nothing
		}
	</details>`;
}

function form(controller: ViewerController): TemplateResult {
	return html`<label class="choose">Choose map and meta.json
			<input type="file" class="sr" multiple accept=".pb,.json"
				@change=${(event: Event) => chooseFiles(controller, event.currentTarget as HTMLInputElement)}>
		</label>
		<form class="address" @submit=${(event: SubmitEvent) => readAddress(controller, event)}>
			<input type="text" name="map" inputmode="url" autocomplete="off" spellcheck="false"
				aria-label="Map URL" placeholder="or its URL">
			<button class="raised">Load</button>
		</form>`;
}
