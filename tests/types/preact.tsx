/** @jsxImportSource preact */
// Compiled with Preact's types; never run.
import type {} from "bevscope-viewer/preact";

export const picture = (
	<bev-viewer
		src="https://host/sample.zarr"
		frame={3}
		class="wide"
		onframe-change={({ detail }) => detail.frame.toFixed()}
	/>
);
// @ts-expect-error: no such attribute value
export const wrong = <bev-viewer theme="blue" />;
