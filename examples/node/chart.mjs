// node chart.mjs DATASET CHART.svg: draws the agents' speeds with Vega-Lite.
import { writeFile } from "node:fs/promises";
import { ChunkedDataset } from "bevscope";
import { toArrow } from "bevscope/arrow";
import { parse, View } from "vega";
import { compile } from "vega-lite";

const [url, file] = process.argv.slice(2);
const dataset = await ChunkedDataset.open(url);
const reader = dataset.reader({ where: "speed > 0.5", fields: ["class", "speed"] });
const { columns } = await reader.explain();
const { names } = columns.find(({ name }) => name === "class");
const values = [];
for await (const batch of reader) {
	for (const { class: kind, speed } of toArrow(batch.columns))
		values.push({ class: names[kind], speed });
}
dataset.close();
const { spec } = compile({
	data: { values },
	mark: "bar",
	encoding: {
		x: { field: "speed", bin: { maxbins: 20 }, title: "m/s" },
		y: { aggregate: "count", title: "rows" },
		color: { field: "class", type: "nominal" },
	},
});
await writeFile(file, await new View(parse(spec), { renderer: "none" }).toSVG());
