/** A heading and its rows of keys and words. */
export type Chapter = readonly [
	heading: string,
	rows: readonly (readonly [what: string, words: string])[],
];

/** Style of the sheet; constructed, since strict policies forbid inline styles. */
const STYLE = `
@page { margin: 14mm; }
body { margin: 0; font: 10pt/1.4 system-ui, sans-serif; color: #000; background: #fff; columns: 2; column-gap: 10mm; }
h1 { column-span: all; margin: 0 0 4mm; font-size: 15pt; }
h2 { margin: 0 0 1mm; font-size: 11pt; break-after: avoid; }
dl { display: grid; grid-template-columns: 11em 1fr; gap: 1mm 4mm; margin: 0 0 5mm; }
dt, dd { margin: 0; break-inside: avoid; }
dt { font-family: ui-monospace, monospace; }
`;

function element(document: Document, name: string, text = ""): HTMLElement {
	const made = document.createElement(name);
	made.textContent = text;
	return made;
}

/**
 * Prints chapters alone, without the page around the viewer: in a frame of their own, which
 * `parent` holds until it is printed.
 */
export function printMap(
	parent: ParentNode & Node,
	title: string,
	chapters: readonly Chapter[],
): void {
	const frame = document.createElement("iframe");
	frame.className = "sr";
	frame.title = title;
	frame.tabIndex = -1;
	parent.append(frame);
	const { contentWindow: own, contentDocument: sheet } = frame;
	if (!own || !sheet) {
		frame.remove();
		return;
	}
	sheet.title = title;
	sheet.documentElement.lang = "en";
	const { CSSStyleSheet: Sheet } = own as Window & typeof globalThis;
	const style = new Sheet();
	style.replaceSync(STYLE);
	sheet.adoptedStyleSheets = [style];
	sheet.body.append(element(sheet, "h1", title));
	for (const [heading, rows] of chapters) {
		const list = element(sheet, "dl");
		for (const [what, words] of rows)
			list.append(element(sheet, "dt", what), element(sheet, "dd", words));
		sheet.body.append(element(sheet, "h2", heading), list);
	}
	own.addEventListener("afterprint", () => frame.remove(), { once: true });
	own.print();
}
