import type { Plots } from "./ui/plots.js";

declare global {
	interface HTMLElementTagNameMap {
		"bev-plots": Plots;
	}
}

/** Loads and registers the elements that no first picture needs. */
export async function definePlots(): Promise<void> {
	const { Plots } = await import("./ui/plots.js");
	if (!customElements.get("bev-plots")) customElements.define("bev-plots", Plots);
}
