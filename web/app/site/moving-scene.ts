import { html, render } from "lit";
import { prefersStill } from "../../src/elements/scene-view/scene-painter.js";
import type { Viewer } from "../../src/elements/viewer/viewer.js";
import { linkOf, type Site, type SiteDataset } from "./site-data.js";

/** Plays the first scene, which a link over it opens; returns its viewer. */
export function movingScene(
	site: Site,
	dataset: SiteDataset,
	place: HTMLElement,
): Viewer {
	const viewer = document.createElement("bev-viewer");
	viewer.setAttribute("controls", "none");
	viewer.setAttribute("panels", "picture");
	viewer.setAttribute("autoplay", "");
	viewer.setAttribute("loop", "");
	viewer.inert = true;
	viewer.src = dataset.path;
	let isPlaying = !prefersStill();
	const toggle = (): void => {
		isPlaying = !isPlaying;
		if (isPlaying) viewer.controller?.play();
		else viewer.controller?.pause();
		show();
	};
	const show = (): void => {
		render(
			html`${viewer}<a class="over" href=${linkOf(site, dataset, { scene: 0 })}
				aria-label="Open this scene"></a>
			<button type="button" class="toggle" @click=${toggle}>${isPlaying ? "Pause" : "Play"}</button>`,
			place,
		);
	};
	show();
	return viewer;
}
