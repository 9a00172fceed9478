/** The elements in Astro's templates: `import type {} from "bevscope-viewer/astro"`. */
import type { ViewerAttributes, ViewerHandlers } from "bevscope/element";

declare global {
	namespace astroHTML.JSX {
		// Astro's own, whose members are added to.
		interface HTMLAttributes {}
		interface IntrinsicElements {
			"bev-viewer": Omit<HTMLAttributes, keyof ViewerAttributes> &
				ViewerAttributes &
				ViewerHandlers<"on">;
		}
	}
}
