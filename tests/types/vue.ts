// Compiled with Vue's types; never run.
import type {} from "bevscope-viewer/vue";
import type { GlobalComponents } from "vue";

type Props = InstanceType<GlobalComponents["bev-viewer"]>["$props"];

export const picture: Props = {
	src: "https://host/sample.zarr",
	frame: 3,
	class: "wide",
	"onFrame-change": ({ detail }) => detail.frame.toFixed(),
};
// @ts-expect-error: no such attribute value
export const wrong: Props = { theme: "blue" };
