/** `bev-viewer` as a component of React 19. */
import type {
	Camera,
	Overlay,
	PredictionsFrom,
	Selection,
	Viewer,
	ViewerAttributes,
	ViewerEventDetails,
	ViewerEventMap,
} from "bevscope/element";
import type { ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from "react";

type Pascal<Name extends string> = Name extends `${infer First}-${infer Rest}`
	? `${Capitalize<First>}${Pascal<Rest>}`
	: Capitalize<Name>;

/** The attributes, in camel case: `mapSrc`. */
type Attributes = {
	[K in keyof ViewerAttributes as Uncapitalize<Pascal<K>>]: ViewerAttributes[K];
};

/** A handler per event: `onFrameChange`. */
export type BevViewerHandlers = {
	[K in keyof ViewerEventDetails as `on${Pascal<K>}`]?:
		| ((event: ViewerEventMap[K]) => void)
		| undefined;
};

/** Properties that are not attributes. */
interface Properties {
	/** Points and lines drawn over the picture. */
	overlays?: readonly Overlay[] | undefined;
	/** Predictions: a CSV's text, a `File`, or arrays. */
	predictions?: PredictionsFrom | undefined;
	/** The selected track, or `ego`. */
	selection?: Selection | undefined;
	/** The camera's position, extent, rotation and tilt. */
	camera?: Camera;
}

export type BevViewerProps = Attributes &
	BevViewerHandlers &
	Properties &
	Omit<HTMLAttributes<Viewer>, keyof Attributes | keyof BevViewerHandlers>;

/** The viewer; `ref` is the element, with its methods. */
export declare const BevViewer: ForwardRefExoticComponent<
	BevViewerProps & RefAttributes<Viewer>
>;
