import { html, nothing, type TemplateResult } from "lit";
import { linkOf, type Site, type SiteDataset } from "./site-data.js";

/** Returns the code that embeds the viewer in another page, and links of the results. */
export function embedded(site: Site, dataset: SiteDataset): TemplateResult {
	const page = location.href.replace(/#.*$/s, "");
	const title = site.title.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
	const link = linkOf(site, dataset, { scene: 0 }).replaceAll("&", "&amp;");
	const code = `<iframe src="${page}${link}" title="${title}" width="960" height="600"></iframe>`;
	const copy = (event: Event): void => {
		const button = event.currentTarget as HTMLButtonElement;
		void navigator.clipboard?.writeText(code).then(() => {
			button.textContent = "Copied";
		});
	};
	return html`${rollouts(site, dataset)}
		<h3>Embed it</h3>
		<pre tabindex="0" aria-label="Code to embed">${code}</pre>
		${"clipboard" in navigator ? html`<button type="button" @click=${copy}>Copy the code</button>` : nothing}`;
}

function rollouts(site: Site, dataset: SiteDataset): TemplateResult | typeof nothing {
	if (site.rollouts.length === 0) return nothing;
	const nameOf = (path: string): string => path.replace(/^.*\//, "");
	return html`<h3>Rollouts</h3><ul>${site.rollouts.map(
		(rollout) =>
			html`<li><a href=${linkOf(site, dataset, { scene: 0, rollout })}>${nameOf(rollout)}</a></li>`,
	)}</ul>`;
}
