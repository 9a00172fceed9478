/** The elements in Vue's templates: `import type {} from "bevscope-viewer/vue"`. */
import type {
	ViewerAttributes,
	ViewerEventDetails,
	ViewerEventMap,
} from "bevscope/element";
import type { HTMLAttributes } from "vue";

type Handlers = {
	[K in keyof ViewerEventDetails as `on${Capitalize<K>}`]?:
		| ((event: ViewerEventMap[K]) => void)
		| undefined;
};

declare module "vue" {
	interface GlobalComponents {
		"bev-viewer": new () => {
			$props: ViewerAttributes &
				Handlers &
				Omit<HTMLAttributes, keyof ViewerAttributes>;
		};
	}
}
