import { html, render } from "lit";
import { isSaving } from "../../src/elements/open/start-picture.js";
import { prefersStill } from "../../src/elements/scene-view/scene-painter.js";
import type { Viewer } from "../../src/elements/viewer/viewer.js";
import { linkOf, type Site, type SiteDataset } from "./site-data.js";

/**
 * Plays the first scene while it is in view, unless the user prefers less motion or less
 * data. A link over it opens it. Returns its viewer.
 */
export function movingScene(
	site: Site,
	dataset: SiteDataset,
	place: HTMLElement,
): Viewer {
	const viewer = document.createElement("bev-viewer");
	viewer.setAttribute("controls", "none");
	viewer.setAttribute("panels", "picture");
	viewer.loop = true;
	viewer.inert = true;
	viewer.src = dataset.path;
	let isPlaying = !prefersStill() && !isSaving();
	viewer.autoplay = isPlaying;
	const act = (plays: boolean): void => {
		if (plays) viewer.controller?.play();
		else viewer.controller?.pause();
	};
	const toggle = (): void => {
		isPlaying = !isPlaying;
		act(isPlaying);
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
	new IntersectionObserver((seen) => {
		if (isPlaying && viewer.controller?.state.pictured)
			act(seen.at(-1)?.isIntersecting ?? true);
	}).observe(place);
	return viewer;
}
