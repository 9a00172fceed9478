import "../../src/elements/define.js";
import { startViewer } from "../viewer-page.js";
import type { Site } from "./site-data.js";

/** Shows the viewer at the link of the page's address. */
export function showViewer(site: Site): void {
	const main = document.createElement("main");
	const title = document.createElement("h1");
	title.className = "sr";
	title.textContent = site.title;
	const viewer = document.createElement("bev-viewer");
	const back = document.createElement("a");
	back.slot = "brand";
	back.href = location.pathname;
	back.textContent = site.title;
	viewer.append(back);
	main.append(title, viewer);
	document.body.prepend(main);
	viewer.example = site.data[0]?.path ?? null;
	startViewer(viewer);
}
