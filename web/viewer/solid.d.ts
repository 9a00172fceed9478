/** The elements in Solid's JSX: `import type {} from "bevscope-viewer/solid"`. */
import type { Viewer, ViewerAttributes, ViewerHandlers } from "bevscope/element";
import type { JSX } from "solid-js";

/** Names with the prefix by which Solid sets an attribute or a property. */
type Prefixed<T, P extends string> = { [K in keyof T as `${P}${K & string}`]: T[K] };

declare module "solid-js" {
	namespace JSX {
		interface IntrinsicElements {
			"bev-viewer": Omit<HTMLAttributes<Viewer>, keyof ViewerAttributes> &
				ViewerAttributes &
				Prefixed<ViewerAttributes, "attr:"> &
				Prefixed<Partial<Viewer>, "prop:"> &
				ViewerHandlers<"on:">;
		}
	}
}

/** What a `bev-viewer` takes. */
export type ViewerProps = JSX.IntrinsicElements["bev-viewer"];
