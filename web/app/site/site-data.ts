/** A data set of the site. */
export interface SiteDataset {
	readonly name: string;
	/** Its store, relative to the page: `data-0123456789abcdef/scenes/town.zarr`. */
	readonly path: string;
	readonly scenes: number;
	readonly facts: boolean;
	readonly map: boolean;
}

/** What `bevscope publish` tells the page; see docs/publish.md. */
export interface Site {
	readonly title: string;
	readonly data: readonly SiteDataset[];
	/** Files, relative to the page. */
	readonly predictions: readonly string[];
	readonly rollouts: readonly string[];
}

/** Returns the description that the page has in itself. */
export function siteOf(page: Document): Site {
	const text = page.querySelector("script#site")?.textContent ?? "";
	return JSON.parse(text) as Site;
}

/** Returns the fragment that opens a scene, with the site's results. */
export function linkOf(
	site: Site,
	dataset: SiteDataset,
	at: { readonly scene: number; readonly frame?: number; readonly rollout?: string },
): string {
	const { scene, frame = 0, rollout = site.rollouts[0] } = at;
	const pairs: [string, string][] = [["src", dataset.path]];
	if (scene > 0) pairs.push(["s", `${scene}`]);
	if (frame > 0) pairs.push(["f", `${frame}`]);
	if (site.predictions.length > 0) pairs.push(["pr", site.predictions.join("|")]);
	if (rollout !== undefined) pairs.push(["ro", rollout]);
	const written = pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
	// Slashes are legible in addresses, and need no escape there.
	return `#${written.join("&").replaceAll("%2F", "/")}`;
}

/** Folders of data, before the name of a store. */
const FOLDER =
	/data-[0-9a-f]{16}(?:(?:\/|%2F)data-[0-9a-f]{32})?(?=(?:\/|%2F)scenes(?:\/|%2F)([\w.-]+))/gi;

/** Returns a fragment whose data sets are those of the page, if they have the same names. */
export function currentLink(fragment: string, site: Site): string {
	return fragment.replace(FOLDER, (folder, store: string) => {
		const name = store.replace(/\.zarr(\.zip)?$/, "");
		const now = site.data.find((one) => one.name === name);
		return now?.path.replace(/\/scenes\/.*$/, "") ?? folder;
	});
}
