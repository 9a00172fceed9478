import type { ExportDialog } from "./ui/export-dialog.js";
import type { Plots } from "./ui/plots.js";
import type { Raster } from "./ui/raster.js";

declare global {
	interface HTMLElementTagNameMap {
		"bev-export": ExportDialog;
		"bev-plots": Plots;
		"bev-raster": Raster;
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

/** As `definePlots`: what a model sees, the first time that something is selected. */
export async function defineRaster(): Promise<void> {
	const { Raster } = await import("./ui/raster.js");
	if (!customElements.get("bev-raster")) customElements.define("bev-raster", Raster);
}
