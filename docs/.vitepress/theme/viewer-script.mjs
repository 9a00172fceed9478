import { withBase } from "vitepress";

/** Loads the element. The package is not bundled with the site: this is the tag of the guide. */
export function loadViewer() {
	const src = withBase("/bevscope/cdn/viewer.js");
	if (document.querySelector(`script[src="${src}"]`)) return;
	const script = document.createElement("script");
	script.type = "module";
	script.src = src;
	document.head.append(script);
}
