// node scripts/charts.mjs
//
// Writes the charts of docs/ in docs/images, as SVG, from the tables of the pages.
import { readFileSync, writeFileSync } from "node:fs";

const root = new URL("../", import.meta.url);

/** Charts by name: a page, the beginning of a table, the rows and column to draw. */
const CHARTS = {
	"chunk-times": {
		page: "docs/performance.md",
		table: "| ms: median (tenth percentile) | Chromium",
		rows: /^(numcodecs|bevscope)/,
		column: 1,
		title: "A chunk of 20,000 agents in Chromium",
		unit: "ms",
	},
	"sample-ratios": {
		page: "docs/performance.md",
		table: "| | L5Kit | bevscope | ratio |\n",
		rows: /^`ds/,
		column: 3,
		title: "Samples per second in Python, compared with L5Kit",
		unit: "times",
	},
	"frame-bytes": {
		page: "docs/layouts.md",
		table: "| layout | bytes of a frame",
		rows: /^(scene|town), (L5Kit|for)/,
		column: 1,
		title: "Bytes of a random frame with its trail, over HTTP",
		unit: "kB",
	},
};

/** Returns the cells of a table's rows, without its header. */
function rowsOf(page, table) {
	const text = readFileSync(new URL(page, root), "utf8");
	const [, rest] = text.split(table);
	if (rest === undefined) throw new Error(`${page}: no table ${table}`);
	return rest
		.split("\n\n")[0]
		.split("\n")
		.filter((line) => /^\| [^-]/.test(line))
		.map((line) => line.split("|").map((cell) => cell.trim()))
		.map(([, ...cells]) => cells);
}

const escaped = (text) =>
	text.replaceAll("`", "").replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const [WIDTH, BAR, LABEL, EDGE] = [720, 30, 300, 70];

const STYLE = `
	text { font: 14px system-ui, sans-serif; fill: #1b1f24 }
	.title { font-weight: 600; font-size: 15px }
	.ground { fill: #ffffff } .bar { fill: #1f6feb }
	@media (prefers-color-scheme: dark) {
		text { fill: #e6e9ee } .ground { fill: #151a21 } .bar { fill: #6ea8fe }
	}`;

/** Returns a chart of horizontal bars. */
function chart({ page, table, rows, column, title, unit }) {
	const bars = rowsOf(page, table)
		.filter(([label]) => rows.test(label))
		.map((cells) => ({
			label: cells[0],
			shown: /[\d.,]+/.exec(cells[column])[0],
			value: Number(/[\d.,]+/.exec(cells[column])[0].replace(",", "")),
		}));
	const most = Math.max(...bars.map(({ value }) => value));
	const height = 48 + BAR * bars.length;
	const said = bars.map(({ label, shown }) => `${label}: ${shown} ${unit}`).join("; ");
	const drawn = bars.map(({ label, shown, value }, k) => {
		const y = 40 + BAR * k;
		const length = Math.max(1, (value / most) * (WIDTH - LABEL - EDGE - 20));
		return `
	<text x="${LABEL - 10}" y="${y + 16}" text-anchor="end">${escaped(label)}</text>
	<rect class="bar" x="${LABEL}" y="${y + 3}" width="${length.toFixed(1)}" height="17" rx="2"/>
	<text x="${(LABEL + length + 8).toFixed(1)}" y="${y + 16}">${shown} ${unit}</text>`;
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="t d">
	<title id="t">${escaped(title)}</title>
	<desc id="d">${escaped(said)}</desc>
	<style>${STYLE}
	</style>
	<rect class="ground" width="${WIDTH}" height="${height}" rx="8"/>
	<text class="title" x="16" y="26">${escaped(title)}</text>${drawn.join("")}
</svg>
`;
}

/** Returns the charts as SVG, by their paths. */
export function charts() {
	return Object.entries(CHARTS).map(([name, spec]) => [
		`docs/images/${name}.svg`,
		chart(spec),
	]);
}

if (process.argv[1] === new URL(import.meta.url).pathname)
	for (const [path, svg] of charts()) writeFileSync(new URL(path, root), svg);
