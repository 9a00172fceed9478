import { register } from "../ui/define-lazy.js";
import { Distributions } from "./distributions.js";
import { Histogram } from "./histogram.js";
import { ScatterPlot } from "./scatter-plot.js";

/** Registers the elements of the distributions. */
export function defineDistributions(): void {
	register("bev-histogram", Histogram);
	register("bev-scatter-plot", ScatterPlot);
	register("bev-distributions", Distributions);
}
