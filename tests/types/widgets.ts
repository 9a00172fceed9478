// Compiled against the entries of notebooks; never run.
import widget from "bevscope-viewer/anywidget";
import { viewer } from "bevscope-viewer/observable";

const input = viewer({
	src: "https://host/sample.zarr",
	mapSrc: "map.pb",
	height: 300,
});
const position: readonly [number | null, number | null] = [
	input.value.scene,
	input.value.frame,
];
// @ts-expect-error: no such attribute value
viewer({ theme: "blue" });
// @ts-expect-error: no such option
viewer({ wehre: 1 });

export const render: (given: never) => () => void = widget.render;
export const shown = [input.goTo(1, 2), position];
