import type { ExportDialog } from "./ui/export-dialog.js";
import type { Help } from "./ui/help.js";
import type { MapRecord } from "./ui/map-record.js";
import type { Plots } from "./ui/plots.js";
import type { Raster } from "./ui/raster.js";
import type { Review } from "./ui/review.js";

declare global {
	interface HTMLElementTagNameMap {
		"bev-export": ExportDialog;
		"bev-help": Help;
		"bev-map-record": MapRecord;
		"bev-plots": Plots;
		"bev-raster": Raster;
		"bev-review": Review;
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

/** As `definePlots`: the list of keys, the first time that it is asked for. */
export async function defineHelp(): Promise<void> {
	const { Help } = await import("./ui/help.js");
	if (!customElements.get("bev-help")) customElements.define("bev-help", Help);
}

/** As `definePlots`: a part of the map, the first time that one is selected. */
export async function defineMapRecord(): Promise<void> {
	const { MapRecord } = await import("./ui/map-record.js");
	if (!customElements.get("bev-map-record"))
		customElements.define("bev-map-record", MapRecord);
}

/** As `definePlots`: what a model sees, the first time that something is selected. */
export async function defineRaster(): Promise<void> {
	const { Raster } = await import("./ui/raster.js");
	if (!customElements.get("bev-raster")) customElements.define("bev-raster", Raster);
}

/** As `definePlots`: how good predictions are, once there is a scene to set them beside. */
export async function defineReview(): Promise<void> {
	const { Review } = await import("./ui/review.js");
	if (!customElements.get("bev-review")) customElements.define("bev-review", Review);
}
