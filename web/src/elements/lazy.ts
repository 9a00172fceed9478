import type { CommandDialog } from "./commands/command-dialog.js";
import type { ExportDialog } from "./export/export-dialog.js";
import type { FindDialog } from "./find/find-dialog.js";
import type { Help } from "./keys/help.js";
import type { MapRecord } from "./map/map-record.js";
import type { NotesPanel } from "./notes/notes-panel.js";
import type { SeriesPanel } from "./plots/series-panel.js";
import type { Raster } from "./raster/raster.js";
import type { Review } from "./review/review.js";
import type { Scatter } from "./review/scatter.js";
import type { Plots } from "./timeline/plots.js";

declare global {
	interface HTMLElementTagNameMap {
		"bev-commands": CommandDialog;
		"bev-export": ExportDialog;
		"bev-find": FindDialog;
		"bev-help": Help;
		"bev-map-record": MapRecord;
		"bev-notes": NotesPanel;
		"bev-plots": Plots;
		"bev-raster": Raster;
		"bev-review": Review;
		"bev-series": SeriesPanel;
		"bev-scatter": Scatter;
	}
}

// The elements of this module are not needed for the first picture.

function register(tag: string, element: CustomElementConstructor): void {
	if (!customElements.get(tag)) customElements.define(tag, element);
}

/** Loads and registers the plots. */
export async function definePlots(): Promise<void> {
	register("bev-plots", (await import("./timeline/plots.js")).Plots);
}

/** Like `definePlots`, for the list of commands. */
export async function defineCommands(): Promise<void> {
	register(
		"bev-commands",
		(await import("./commands/command-dialog.js")).CommandDialog,
	);
}

/** Like `definePlots`, for the export dialog. */
export async function defineExport(): Promise<void> {
	register("bev-export", (await import("./export/export-dialog.js")).ExportDialog);
}

/** Like `definePlots`, for the search of all scenes. */
export async function defineFind(): Promise<void> {
	register("bev-find", (await import("./find/find-dialog.js")).FindDialog);
}

/** Like `definePlots`, for the list of keys. */
export async function defineHelp(): Promise<void> {
	register("bev-help", (await import("./keys/help.js")).Help);
}

/** Like `definePlots`, for the map record. */
export async function defineMapRecord(): Promise<void> {
	register("bev-map-record", (await import("./map/map-record.js")).MapRecord);
}

/** Like `definePlots`, for the raster panel. */
export async function defineRaster(): Promise<void> {
	register("bev-raster", (await import("./raster/raster.js")).Raster);
}

/** Like `definePlots`, for the predictions panel. */
export async function defineReview(): Promise<void> {
	const [{ Review }, { Scatter }] = await Promise.all([
		import("./review/review.js"),
		import("./review/scatter.js"),
	]);
	register("bev-scatter", Scatter);
	register("bev-review", Review);
}

/** Like `definePlots`, for the panel of plots with axes. */
export async function defineSeries(): Promise<void> {
	register("bev-series", (await import("./plots/series-panel.js")).SeriesPanel);
}

/** Like `definePlots`, for the notes. */
export async function defineNotes(): Promise<void> {
	register("bev-notes", (await import("./notes/notes-panel.js")).NotesPanel);
}
