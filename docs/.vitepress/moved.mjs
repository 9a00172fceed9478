/** Former pages, and those that have their content. */
export const MOVED_PAGES = { recipes: "examples" };

const under = (page, ...ids) => ids.map((id) => [id, `${page}#${id}`]);

/** Headings that have moved from a page, and where they are now. */
export const MOVED_HEADINGS = {
	hosting: {
		nginx: "hosting-nginx",
		"amazon-s3-and-compatible-services": "hosting-s3",
	},
	viewer: Object.fromEntries([
		["in-your-own-page", "embed"],
		["links", "viewer-links"],
		["keys", "viewer-keys"],
		["drawing-speed", "performance#pictures-of-the-viewer"],
		...under(
			"embed",
			"in-one-file",
			"size-and-layout",
			"frameworks",
			"single-elements",
		),
		...under("viewer-reference", "attributes-and-properties", "events", "painters"),
		...under("viewer-reference", "slots-parts-and-tokens"),
		...under("viewer-picture", "filters", "map-and-aerial-image", "vehicles"),
		...under("viewer-picture", "delays-and-failures"),
		...under("compare", "predictions", "rollouts"),
		...under("find", "search", "gallery", "scenes"),
		...under("viewer-keys", "mouse-and-touch"),
	]),
	storage: Object.fromEntries([
		...under("layouts", "copying-in-another-layout", "for-viewing", "columns"),
		...under("layouts", "storing-samples"),
		...under("saver", "saving-arrays", "several-processes", "saving-from-python"),
		...under("saver", "attachments", "saving-from-typescript", "loading-arrays"),
		...under("saver", "appending-and-several-savers", "s3-by-presigned-urls", "layout"),
		["s3", "s3"],
		...under("s3", "credentials", "keys-from-a-callback", "writing-to-s3"),
	]),
	start: { "your-own-data": "publish#on-this-machine" },
	python: { "train-with-pytorch": "train#with-pytorch" },
};

/** Returns the new address of a link to a heading that has moved. */
export function movedHeading(pathname, hash) {
	const page = pathname
		.split("/")
		.at(-1)
		.replace(/\.html$/, "");
	const to = MOVED_HEADINGS[page]?.[decodeURIComponent(hash.slice(1))];
	return to?.replace(/(#|$)/, ".html$1");
}
