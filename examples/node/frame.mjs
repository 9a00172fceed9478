// node frame.mjs URL [SCENE] [FRAME]: prints the agents of one frame.
import { ChunkedDataset } from "bevscope";

const [url, scene = 0, frame = 0] = process.argv.slice(2);
const dataset = await ChunkedDataset.open(url);
const { ego, agents, timestamp } = await dataset.frame(Number(scene), Number(frame));
console.log(
	`${dataset.scenes.length} scenes; at ${timestamp} ns the ego is at ${ego.centroid}`,
);
for (let i = 0; i < agents.length; i += 1) {
	const label = dataset.labels[agents.label[i]];
	console.log(`${agents.track_id[i]} ${label} ${agents.distance[i].toFixed(1)} m away`);
}
dataset.close();
