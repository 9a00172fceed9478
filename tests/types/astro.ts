/// <reference types="astro/astro-jsx" />
// Compiled with Astro's types; never run.
import type {} from "bevscope-viewer/astro";

type Props = astroHTML.JSX.IntrinsicElements["bev-viewer"];

export const picture: Props = {
	src: "https://host/sample.zarr",
	frame: 3,
	class: "wide",
	"onframe-change": ({ detail }) => detail.frame.toFixed(),
};
// @ts-expect-error: no such attribute value
export const wrong: Props = { theme: "blue" };
