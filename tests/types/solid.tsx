/** @jsxImportSource solid-js */
// Compiled with Solid's types; never run.
import type {} from "bevscope-viewer/solid";

export const picture = (
	<bev-viewer
		src="https://host/sample.zarr"
		attr:map-src="map.pb"
		prop:overlays={[]}
		class="wide"
		on:frame-change={({ detail }) => detail.frame.toFixed()}
	/>
);
// @ts-expect-error: no such attribute value
export const wrong = <bev-viewer theme="blue" />;
