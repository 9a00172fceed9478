import type { Selection, Viewer, ViewerAttributes } from "bevscope/element";

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
	? `${First}${Capitalize<Camel<Rest>>}`
	: Name;

/** The viewer's attributes, in camel case, and its height. */
export type ViewerInputOptions = {
	readonly [K in keyof ViewerAttributes as Camel<K>]?: ViewerAttributes[K];
} & {
	/** In pixels, or any CSS length. Default 480. */
	readonly height?: number | string;
};

/** The position of a viewer and its selection. */
export interface ViewerValue {
	/** The open scene; null if there is none. */
	readonly scene: number | null;
	/** The displayed frame; null if there is none. */
	readonly frame: number | null;
	/** The selected track, or `ego`. */
	readonly track?: Selection | undefined;
}

/**
 * Returns the viewer as an input of Observable: `view(viewer({ src }))`. Its value is the
 * position; `input` events follow frames and selections.
 *
 * @throws TypeError for an unknown option
 */
export declare function viewer(
	options?: ViewerInputOptions,
): Viewer & { value: ViewerValue };
