// node service.mjs DATASET [PORT]: answers /SCENE/FRAME with the frame's agents as JSON.
import { createServer } from "node:http";
import { BevError, ChunkedDataset } from "bevscope";

/** Statuses by codes of errors; all others are the server's fault. */
const STATUSES = {
	invalid_argument: 400,
	out_of_range: 404,
	not_found: 404,
	network: 502,
};

const [url, port = "0"] = process.argv.slice(2);
const dataset = await ChunkedDataset.open(url);

async function answer(path) {
	const [, scene, frame] = path.split("/");
	const { timestamp, agents } = await dataset.frame(Number(scene), Number(frame));
	const list = Array.from({ length: agents.length }, (_, i) => ({
		track: Number(agents.track_id[i]),
		label: dataset.labels[agents.label[i]],
		centroid: [...agents.centroid.subarray(2 * i, 2 * i + 2)],
	}));
	return { timestamp: String(timestamp), agents: list };
}

const server = createServer(async ({ url: path }, response) => {
	const { status, body } = await answer(path).then(
		(body) => ({ status: 200, body }),
		(error) => ({
			status: (error instanceof BevError && STATUSES[error.code]) || 500,
			body: { code: error.code, message: error.message },
		}),
	);
	response.writeHead(status, { "Content-Type": "application/json" });
	response.end(JSON.stringify(body));
});
server.listen(Number(port), "127.0.0.1", () => {
	console.log(`http://127.0.0.1:${server.address().port}/`);
});
