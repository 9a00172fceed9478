import type { LinkState } from "../link/link.js";
import {
	type Point,
	screenFromWorld,
	type View,
	worldFromScreen,
} from "../scene-view/camera.js";
import type { SceneView } from "../scene-view/scene-view.js";
import type { ViewerHost } from "./viewer-host.js";

type PictureHost = Element & Pick<ViewerHost, "controller" | "renderRoot" | "state">;

/** The viewer's picture, as pages use it. */
export class ViewerPicture {
	readonly #host: PictureHost;

	constructor(host: PictureHost) {
		this.#host = host;
	}

	/** The element that draws; null before the first render. */
	get view(): SceneView | null {
		return this.#host.renderRoot.querySelector<SceneView>("bev-scene-view");
	}

	/** Returns the pixel of a point in world; undefined while nothing is displayed. */
	project(x: number, y: number): Point | undefined {
		const shown = this.#shown();
		if (!shown) return undefined;
		const at = screenFromWorld(shown.view, x, y);
		return { x: at.x + shown.left, y: at.y + shown.top };
	}

	/** Returns the point in world of a pixel; the inverse of `project`. */
	unproject(x: number, y: number): Point | undefined {
		const shown = this.#shown();
		return shown && worldFromScreen(shown.view, x - shown.left, y - shown.top);
	}

	/** Encodes the picture; null if there is none, or if the type is not supported. */
	toBlob(type: string): Promise<Blob | null> {
		const canvas = this.view?.canvas;
		return new Promise((resolve) => {
			if (canvas) canvas.toBlob(resolve, type);
			else resolve(null);
		});
	}

	/** Applies display settings. */
	look({ follow, ...link }: LinkState): void {
		const { controller, state } = this.#host;
		controller?.adjust(link);
		if ("selection" in link) controller?.select(link.selection);
		if (follow === undefined) return;
		// Keeps the visible area if a frame is displayed.
		if (state.shown && this.view) this.view.follow(follow);
		else controller?.adjust({ follow });
	}

	/** The displayed view and its position in the viewer. */
	#shown(): { view: View; left: number; top: number } | undefined {
		const { view } = this;
		if (!view || !this.#host.state.shown) return undefined;
		const [own, outer] = [
			view.getBoundingClientRect(),
			this.#host.getBoundingClientRect(),
		];
		return { view: view.view, left: own.left - outer.left, top: own.top - outer.top };
	}
}
