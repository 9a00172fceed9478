import type { ExportDialog } from "./ui/export-dialog.js";
import type { Plots } from "./ui/plots.js";

declare global {
	interface HTMLElementTagNameMap {
		"bev-export": ExportDialog;
		"bev-plots": Plots;
	}
}

/** Loads and registers the elements that no first picture needs. */
export async function definePlots(): Promise<void> {
	const { Plots } = await import("./ui/plots.js");
	if (!customElements.get("bev-plots")) customElements.define("bev-plots", Plots);
}

/** As `definePlots`: what saving files needs, the first time that it is asked for. */
export async function defineExport(): Promise<void> {
	const { ExportDialog } = await import("./ui/export-dialog.js");
	if (!customElements.get("bev-export")) {
		customElements.define("bev-export", ExportDialog);
	}
}
