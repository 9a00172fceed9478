import { counted } from "../ui/words.js";
import { wordsOf } from "./gallery-item.js";
import type { Coloured } from "./gallery-legend.js";
import type { ItemValue } from "./gallery-state.js";

/** An item of a saved gallery. */
export interface SavedItem {
	readonly place: string;
	readonly values: readonly ItemValue[];
	readonly tags: readonly string[];
	/** Data URL of the image; undefined if it could not be drawn. */
	readonly image: string | undefined;
	/** Address of the place in a viewer. */
	readonly link: string | undefined;
}

/** Contents of a saved gallery. */
export interface SavedGallery {
	readonly title: string;
	/** Names and colours of the pictures' lines. */
	readonly legend?: readonly Coloured[];
	/** What the data set is, e.g. its address without secrets. */
	readonly source: string;
	readonly items: readonly SavedItem[];
}

const STYLE = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 14px/1.45 system-ui, sans-serif; }
body { margin: 24px; }
h1 { font-size: 20px; overflow-wrap: anywhere; }
ul { list-style: none; padding: 0; display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); }
img, .none { width: 100%; aspect-ratio: 16 / 9; border-radius: 6px; display: block; background: #0b0e12; }
.none { display: grid; place-items: center; color: #fff; }
p { margin: 2px 0; }
.value { white-space: nowrap; }
.tag { display: inline-block; padding: 0 8px; border: 1px solid; border-radius: 10px; font-size: 12px; }
.values { opacity: 0.8; }
.named { display: inline-block; margin: 0 16px 8px 0; overflow-wrap: anywhere; }
.line { display: inline-block; width: 22px; height: 3px; border: 3px solid #161a20; vertical-align: middle; }`;

/** Returns a page that needs no other file and no script. */
export function pageOf({ title, source, legend = [], items }: SavedGallery): string {
	const count = counted(items.length, "picture");
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STYLE}
${legend.map(colourOf).join("")}</style>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(source)}</p>
<p>${count}</p>
${legend.map(lineOf).join("")}<ul>
${items.map(itemOf).join("\n")}
</ul>
</main>
</html>
`;
}

function saidOf(value: ItemValue): string {
	return `<span class="value">${escaped(wordsOf(value))}</span>`;
}

function lineOf({ name }: Coloured, i: number): string {
	return `<span class="named"><span class="line line-${i}"></span> ${escaped(name)}</span>\n`;
}

/** Returns the rule of a line's colour, which is a CSS colour of the theme, and dashes. */
function colourOf({ colour, dash = [] }: Coloured, i: number): string {
	const safe = colour.replace(/[^\w#(),.%\s-]/g, "");
	let end = 0;
	const parts = dash.map((length, k) => {
		const begin = end;
		end += length;
		return `${k % 2 === 0 ? safe : "#161a20"} ${begin}px ${end}px`;
	});
	const dashed = `repeating-linear-gradient(90deg, ${parts.join(", ")}) content-box`;
	return `.line-${i} { background: ${parts.length > 0 ? dashed : safe}; }\n`;
}

function itemOf({ place, values, tags, image, link }: SavedItem): string {
	const name = escaped(place);
	const picture =
		image === undefined
			? `<div class="none">not drawn</div>`
			: `<img src="${escaped(image)}" alt="${link === undefined ? name : ""}" loading="lazy">`;
	const linked = (inner: string): string =>
		link === undefined ? inner : `<a href="${escaped(link)}">${inner}</a>`;
	const said = values.map(saidOf).join(" \u00b7 ");
	const tagged = tags
		.map((tag) => `<span class="tag">${escaped(tag)}</span>`)
		.join(" ");
	return `<li>${linked(`${picture}<p>${name}</p>`)}<p class="values">${said}</p>${tagged}</li>`;
}

function escaped(text: string): string {
	const entities: Readonly<Record<string, string>> = {
		"&": "&amp;",
		"<": "&lt;",
		">": "&gt;",
		'"': "&quot;",
		"'": "&#39;",
	};
	return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}
