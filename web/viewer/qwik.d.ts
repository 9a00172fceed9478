/** The elements in Qwik's JSX: `import type {} from "bevscope-viewer/qwik"`. */
import type { QRL, QwikHTMLElements } from "@builder.io/qwik";
import type {
	Viewer,
	ViewerAttributes,
	ViewerEventDetails,
	ViewerEventMap,
} from "bevscope/element";

/** `onFrame-change$`, as Qwik adds listeners of the events of an element. */
type Handlers = {
	[K in keyof ViewerEventDetails as `on${Capitalize<K>}$`]?:
		| QRL<(event: ViewerEventMap[K], viewer: Viewer) => void>
		| ((event: ViewerEventMap[K], viewer: Viewer) => void)
		| undefined;
};

declare module "@builder.io/qwik" {
	namespace QwikJSX {
		interface IntrinsicElements {
			"bev-viewer": Omit<QwikHTMLElements["div"], keyof ViewerAttributes> &
				ViewerAttributes &
				Handlers;
		}
	}
}
