/** The elements in Svelte's templates: `import type {} from "bevscope-viewer/svelte"`. */
import type { Viewer, ViewerAttributes, ViewerHandlers } from "bevscope/element";
import type { HTMLAttributes } from "svelte/elements";

declare module "svelte/elements" {
	interface SvelteHTMLElements {
		"bev-viewer": Omit<HTMLAttributes<Viewer>, keyof ViewerAttributes> &
			ViewerAttributes &
			ViewerHandlers<"on">;
	}
}
