/** @jsxImportSource @builder.io/qwik */
// Compiled with Qwik's types; never run.
import type {} from "bevscope-viewer/qwik";

export const picture = (
	<bev-viewer
		src="https://host/sample.zarr"
		frame={3}
		class="wide"
		onFrame-change$={({ detail }) => detail.frame.toFixed()}
	/>
);
// @ts-expect-error: no such attribute value
export const wrong = <bev-viewer theme="blue" />;
