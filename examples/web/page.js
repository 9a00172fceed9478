// What the programs append to their page.

/** Appends an element with attributes or properties, and text. */
export function add(parent, tag, { text, ...attributes } = {}) {
	const element = document.createElement(tag);
	for (const [key, value] of Object.entries(attributes))
		element.setAttribute(key, value);
	if (text !== undefined) element.textContent = text;
	return parent.appendChild(element);
}

/** Appends a table with a row per array of cells. */
export function addTable(parent, head, rows) {
	const table = add(parent, "table");
	const titles = table.createTHead().insertRow();
	for (const text of head) add(titles, "th", { text, scope: "col" });
	const body = table.createTBody();
	for (const cells of rows) {
		const row = body.insertRow();
		for (const cell of cells) row.insertCell().textContent = String(cell);
	}
	return table;
}
