import { ChunkedDataset } from "bevscope";
import { add, addTable } from "./page.js";

/** Lists the scenes that pass a filter, which can be changed; facts are computed once. */
export async function run(main, url) {
	const dataset = await ChunkedDataset.open(url);
	const label = add(main, "label", { text: "Scenes where " });
	const input = add(label, "input", { value: "ego_mean_speed > 3", size: 40 });
	const said = add(main, "p", { role: "status" });
	const results = add(main, "div");
	async function show() {
		try {
			const found = await dataset.facts({ where: input.value }).read();
			const columns = ["scene", "ego_mean_speed", "turn", "min_ttc"].map((name) =>
				found.column(name),
			);
			const cell = ({ data, names }, i) =>
				names?.[data[i]] ?? Math.round(10 * Number(data[i])) / 10;
			const rows = Array.from({ length: found.length }, (_, i) =>
				columns.map((column) => cell(column, i)),
			);
			results.replaceChildren();
			addTable(results, ["scene", "mean m/s", "turn", "least ttc, s"], rows);
			said.textContent = `${found.length} scenes`;
		} catch (error) {
			said.textContent = error.message; // an unfinished filter: what is expected
		}
	}
	input.addEventListener("input", show);
	await show();
}
