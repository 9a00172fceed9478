// Compiled with React's types; never run.
import type {} from "bevscope-viewer/jsx";

export const picture = (
	<bev-viewer
		src="https://host/sample.zarr"
		scene={1}
		map-src="map.pb"
		className="wide"
		ref={(viewer) => void viewer?.goTo(1, 2)}
		onframe-change={({ detail }) => detail.frame.toFixed()}
	/>
);
// @ts-expect-error: no such attribute value
export const wrong = <bev-viewer theme="blue" />;
