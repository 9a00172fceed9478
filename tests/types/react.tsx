// Compiled with React's types; never run.
import type {} from "bevscope-viewer/jsx";
import { BevViewer } from "bevscope-viewer/react";

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

export const component = (
	<BevViewer
		ref={(viewer) => void viewer?.goTo(1, 2)}
		src="https://host/sample.zarr"
		scene={1}
		mapSrc="map.pb"
		overlays={[]}
		className="wide"
		onFrameChange={({ detail }) => detail.frame.toFixed()}
	/>
);
// @ts-expect-error: no such attribute value
export const wrongComponent = <BevViewer theme="blue" />;
// @ts-expect-error: no such event
export const wrongEvent = <BevViewer onFrameChanged={() => {}} />;
