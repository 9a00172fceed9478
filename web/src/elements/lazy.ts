import type { AgentTable } from "./agents/agent-table.js";
import type { Inspector } from "./agents/inspector.js";
import type { SelectionLine } from "./agents/selection-line.js";
import type { CommandDialog } from "./commands/command-dialog.js";
import type { Distributions } from "./distributions/distributions.js";
import type { Histogram } from "./distributions/histogram.js";
import type { ScatterPlot } from "./distributions/scatter-plot.js";
import type { EditsPanel } from "./edits/edits-panel.js";
import type { ExportDialog } from "./export/export-dialog.js";
import type { FindDialog } from "./find/find-dialog.js";
import type { GalleryDialog } from "./gallery/gallery-dialog.js";
import type { Help } from "./keys/help.js";
import type { Layers } from "./layers/layers.js";
import type { Share } from "./link/share.js";
import type { LightList } from "./map/light-list.js";
import type { MapRecord } from "./map/map-record.js";
import type { NotesPanel } from "./notes/notes-panel.js";
import type { Open } from "./open/open.js";
import type { SeriesPanel } from "./plots/series-panel.js";
import type { Raster } from "./raster/raster.js";
import type { Review } from "./review/review.js";
import type { Scatter } from "./review/scatter.js";
import type { Scenes } from "./scenes/scenes.js";
import type { FrameThumbnail } from "./timeline/frame-thumbnail.js";
import type { Plots } from "./timeline/plots.js";
import type { Timeline } from "./timeline/timeline.js";
import { defineLazy, register } from "./ui/define-lazy.js";

/** Elements that the first picture does not need, by tag. */
interface LazyElements {
	"bev-agent-table": AgentTable;
	"bev-commands": CommandDialog;
	"bev-distributions": Distributions;
	"bev-edits": EditsPanel;
	"bev-export": ExportDialog;
	"bev-find": FindDialog;
	"bev-frame-thumbnail": FrameThumbnail;
	"bev-gallery": GalleryDialog;
	"bev-help": Help;
	"bev-histogram": Histogram;
	"bev-inspector": Inspector;
	"bev-layers": Layers;
	"bev-light-list": LightList;
	"bev-map-record": MapRecord;
	"bev-notes": NotesPanel;
	"bev-open": Open;
	"bev-plots": Plots;
	"bev-raster": Raster;
	"bev-review": Review;
	"bev-scatter": Scatter;
	"bev-scatter-plot": ScatterPlot;
	"bev-scenes": Scenes;
	"bev-selection-line": SelectionLine;
	"bev-series": SeriesPanel;
	"bev-share": Share;
	"bev-timeline": Timeline;
}

declare global {
	interface HTMLElementTagNameMap extends LazyElements {}
}

/** Loads the start page, which also shows the progress of opening. */
export function defineOpen(): Promise<void> {
	return defineLazy("bev-open", async () => (await import("./open/open.js")).Open);
}

/**
 * Loads the elements around every picture, and the start page. Rejects if that fails; a
 * later call tries again.
 */
export async function defineAround(): Promise<void> {
	const [{ AROUND }] = await Promise.all([import("./around.js"), defineOpen()]);
	for (const [tag, element] of Object.entries(AROUND)) register(tag, element);
}
