// Writes small SQLite files: tables without indices, in pages of 4 KiB.
// Reference  SQLite, "Database File Format"

const PAGE = 4096;
const HEADER = 100;
/** Longest record that is kept in its page. */
const MAX_RECORD = PAGE - 35;
const LEAF = 13;
const INTERIOR = 5;

/** A number that is stored as one with a fraction. */
export const real = (value) => ({ real: value });

function varint(value) {
	const out = [value & 127];
	for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
		out.unshift((rest & 127) | 128);
	return out;
}

/** Returns a value's serial type and its bytes. */
function stored(value) {
	if (value === null) return [0, []];
	const bytes = new Uint8Array(8);
	const view = new DataView(bytes.buffer);
	if (typeof value === "number") {
		view.setBigInt64(0, BigInt(value));
		return [6, [...bytes]];
	}
	if (value.real !== undefined) {
		view.setFloat64(0, value.real);
		return [7, [...bytes]];
	}
	const isText = typeof value === "string";
	const content = isText ? new TextEncoder().encode(value) : value;
	return [2 * content.length + (isText ? 13 : 12), [...content]];
}

/** Returns the cell of a row in a leaf. */
function leafCell(id, values) {
	const parts = values.map(stored);
	const types = parts.flatMap(([type]) => varint(type));
	const record = [...varint(types.length + 1), ...types, ...parts.flatMap((p) => p[1])];
	if (record.length > MAX_RECORD || types.length > 126)
		throw new Error(`a record of ${record.length} bytes`);
	return { last: id, bytes: [...varint(record.length), ...varint(id), ...record] };
}

const big = (bytes, value) =>
	Array.from(
		{ length: bytes },
		(_, i) => Math.floor(value / 256 ** (bytes - 1 - i)) & 255,
	);

/** Returns a page of cells; `right` is the last child of an interior page. */
function page(kind, cells, start = 0, right = undefined) {
	const out = new Uint8Array(PAGE);
	let end = PAGE;
	const pointers = cells.flatMap(({ bytes }) => {
		end -= bytes.length;
		out.set(bytes, end);
		return big(2, end);
	});
	const head = [kind, 0, 0, ...big(2, cells.length), ...big(2, end), 0];
	if (right !== undefined) head.push(...big(4, right));
	out.set([...head, ...pointers], start);
	return out;
}

/** Divides cells among pages. */
function groups(cells, start = 0) {
	const out = [[]];
	let used = start + 12;
	for (const cell of cells) {
		used += cell.bytes.length + 2;
		if (used > PAGE) {
			out.push([]);
			used = 12 + cell.bytes.length + 2;
		}
		out.at(-1).push(cell);
	}
	return out;
}

/** Adds the pages of a table, children first. Returns the number of its root. */
function addTable(pages, rows) {
	const put = (content) => pages.push(content) + 1; // page 1 is that of the schema
	let nodes = groups(rows.map(([id, values]) => leafCell(id, values))).map((cells) => ({
		number: put(page(LEAF, cells)),
		last: cells.at(-1)?.last ?? 0,
	}));
	while (nodes.length > 1) {
		const cells = nodes.map(({ number, last }) => {
			return { number, last, bytes: [...big(4, number), ...varint(last)] };
		});
		nodes = groups(cells).map((group) => {
			const right = group.at(-1);
			const number = put(page(INTERIOR, group.slice(0, -1), 0, right.number));
			return { number, last: right.last };
		});
	}
	return nodes[0].number;
}

/**
 * Returns a file of tables.
 *
 * @param tables by name, columns and rows of null, integers, texts, bytes and `real`; the
 *   values of a first column "fid INTEGER PRIMARY KEY" ascend
 */
export function sqliteFile(tables) {
	const pages = [];
	const schema = Object.entries(tables).map(([name, { columns, rows }], i) => {
		const hasIds = columns[0].includes("PRIMARY KEY");
		const withIds = rows.map((row, at) =>
			hasIds ? [row[0], [null, ...row.slice(1)]] : [at + 1, row],
		);
		const root = addTable(pages, withIds);
		const sql = `CREATE TABLE ${name} (${columns.join(", ")})`;
		return leafCell(i + 1, ["table", name, name, root, sql]);
	});
	const first = page(LEAF, schema, HEADER);
	if (groups(schema, HEADER).length > 1) throw new Error("too many tables");
	const count = pages.length + 1;
	const header = [
		...new TextEncoder().encode("SQLite format 3\0"),
		...[...big(2, PAGE), 1, 1, 0, 64, 32, 32],
		...[1, count, 0, 0, 1, 4, 0, 0, 1, 0, 0, 0].flatMap((value) => big(4, value)),
		...new Array(20).fill(0),
		...[1, 3_045_000].flatMap((value) => big(4, value)),
	];
	first.set(header);
	const out = new Uint8Array(PAGE * count);
	for (const [i, content] of [first, ...pages].entries()) out.set(content, PAGE * i);
	return out;
}
