/** The elements in React's JSX: `import type {} from "bevscope-viewer/jsx"`. */
import type { Viewer, ViewerAttributes, ViewerHandlers } from "bevscope/element";
import type { DetailedHTMLProps, HTMLAttributes } from "react";

declare module "react" {
	namespace JSX {
		interface IntrinsicElements {
			"bev-viewer": Omit<
				DetailedHTMLProps<HTMLAttributes<Viewer>, Viewer>,
				keyof ViewerAttributes
			> &
				ViewerAttributes &
				ViewerHandlers<"on">;
		}
	}
}
