// Compiled with Svelte's types; never run.
import type {} from "bevscope-viewer/svelte";
import type { SvelteHTMLElements } from "svelte/elements";

export const picture: SvelteHTMLElements["bev-viewer"] = {
	src: "https://host/sample.zarr",
	frame: 3,
	class: "wide",
	"onscene-change": ({ detail }) => detail.scene.toFixed(),
};
// @ts-expect-error: no such attribute value
export const wrong: SvelteHTMLElements["bev-viewer"] = { theme: "blue" };
