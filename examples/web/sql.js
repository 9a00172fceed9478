import * as duckdb from "@duckdb/duckdb-wasm";
import { ChunkedDataset } from "bevscope";
import { toArrowIPC } from "bevscope/arrow";
import { addTable } from "./page.js";

const DIST = new URL("../../packages/@duckdb/duckdb-wasm/dist/", import.meta.url);

async function openDatabase() {
	const worker = new Worker(new URL("duckdb-browser-eh.worker.js", DIST));
	const database = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), worker);
	await database.instantiate(new URL("duckdb-eh.wasm", DIST).href);
	return database;
}

/** Queries the agents of the first frames with DuckDB. */
export async function run(main, url) {
	const dataset = await ChunkedDataset.open(url);
	const fields = ["track_id", "velocity", "extent"];
	const agents = await dataset.agents.rows(0, Math.min(5000, dataset.agents.length), {
		fields,
	});
	const database = await openDatabase();
	const connection = await database.connect();
	// As a stream: DuckDB and the page may have different versions of Arrow.
	await connection.insertArrowFromIPCStream(toArrowIPC(agents), {
		name: "agents",
	});
	dataset.close();
	const answer = await connection.query(`
		SELECT track_id, count(*) AS frames,
			max(sqrt(velocity[1] ** 2 + velocity[2] ** 2)) AS speed
		FROM agents GROUP BY track_id ORDER BY speed DESC, track_id LIMIT 10`);
	const rows = answer
		.toArray()
		.map(({ track_id, frames, speed }) => [track_id, frames, speed.toFixed(1)]);
	addTable(main, ["track", "frames", "fastest, m/s"], rows);
	await connection.close();
	await database.terminate();
}
