/** The elements in Preact's JSX: `import type {} from "bevscope-viewer/preact"`. */
import type { Viewer, ViewerAttributes, ViewerHandlers } from "bevscope/element";
import type { HTMLAttributes } from "preact";

declare module "preact" {
	namespace JSX {
		interface IntrinsicElements {
			"bev-viewer": Omit<HTMLAttributes<Viewer>, keyof ViewerAttributes> &
				ViewerAttributes &
				ViewerHandlers<"on">;
		}
	}
}
