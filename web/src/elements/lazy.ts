import type { ExportDialog } from "./export/export-dialog.js";
import type { Help } from "./keys/help.js";
import type { MapRecord } from "./map/map-record.js";
import type { Raster } from "./raster/raster.js";
import type { Review } from "./review/review.js";
import type { Plots } from "./timeline/plots.js";

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

/**
 * Loads and registers the plots. The elements of this module are not needed for the
 * first picture.
 */
export async function definePlots(): Promise<void> {
	const { Plots } = await import("./timeline/plots.js");
	if (!customElements.get("bev-plots")) customElements.define("bev-plots", Plots);
}

/** Like `definePlots`, for the export dialog. */
export async function defineExport(): Promise<void> {
	const { ExportDialog } = await import("./export/export-dialog.js");
	if (!customElements.get("bev-export")) {
		customElements.define("bev-export", ExportDialog);
	}
}

/** Like `definePlots`, for the list of keys. */
export async function defineHelp(): Promise<void> {
	const { Help } = await import("./keys/help.js");
	if (!customElements.get("bev-help")) customElements.define("bev-help", Help);
}

/** Like `definePlots`, for the map record. */
export async function defineMapRecord(): Promise<void> {
	const { MapRecord } = await import("./map/map-record.js");
	if (!customElements.get("bev-map-record"))
		customElements.define("bev-map-record", MapRecord);
}

/** Like `definePlots`, for the raster panel. */
export async function defineRaster(): Promise<void> {
	const { Raster } = await import("./raster/raster.js");
	if (!customElements.get("bev-raster")) customElements.define("bev-raster", Raster);
}

/** Like `definePlots`, for the predictions panel. */
export async function defineReview(): Promise<void> {
	const { Review } = await import("./review/review.js");
	if (!customElements.get("bev-review")) customElements.define("bev-review", Review);
}
