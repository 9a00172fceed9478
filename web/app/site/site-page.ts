import { currentLink, type Site, siteOf } from "./site-data.js";

/** Shows the start page, or the viewer if the address has a fragment. */
export function start(): void {
	const site = siteOf(document);
	const wantsViewer = (): boolean => location.hash.length > 1;
	const isViewing = wantsViewer();
	addEventListener("hashchange", () => {
		const { viewing } = document.documentElement.dataset;
		if (wantsViewer() && viewing === undefined) void view(site);
		else if (!wantsViewer() && viewing !== undefined) location.reload();
	});
	if (isViewing) void view(site);
	else void import("./start-page.js").then(({ showStart }) => showStart(site));
}

/** Replaces the start page by the viewer. */
async function view(site: Site): Promise<void> {
	document.documentElement.dataset.viewing = "";
	const now = currentLink(location.hash, site);
	if (now !== location.hash) history.replaceState(null, "", now);
	document.querySelector("#start")?.remove();
	const { showViewer } = await import("./site-viewer.js");
	showViewer(site);
}
