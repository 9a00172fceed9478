// Import maps are the page's: a worker names the package by its address.
import { AgentClass, ChunkedDataset } from "../../bevscope/index.js";

const NAMES = Object.fromEntries(Object.entries(AgentClass).map(([k, v]) => [v, k]));

addEventListener("message", async ({ data: { url, scene } }) => {
	const dataset = await ChunkedDataset.open(url);
	const sums = new Map();
	for await (const { agents } of dataset.sceneFrames(scene, { recycle: true })) {
		for (let i = 0; i < agents.length; i += 1) {
			if (Number.isNaN(agents.speed[i])) continue; // seen in one frame only
			const { count, speed } = sums.get(agents.class[i]) ?? { count: 0, speed: 0 };
			const all = { count: count + 1, speed: speed + agents.speed[i] };
			sums.set(agents.class[i], all);
		}
	}
	dataset.close();
	postMessage(
		Array.from(sums, ([kind, { count, speed }]) => [
			NAMES[kind],
			count,
			(speed / count).toFixed(1),
		]),
	);
});
