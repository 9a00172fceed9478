import { addTable } from "./page.js";

/** Reads a scene in a worker of the page's own: the mean speed of each class. */
export async function run(main, url, scene = 0) {
	const worker = new Worker(new URL("means.worker.js", import.meta.url), {
		type: "module",
	});
	const rows = await new Promise((resolve, reject) => {
		worker.onmessage = ({ data }) => resolve(data);
		worker.onerror = ({ message }) => reject(new Error(message));
		worker.postMessage({ url, scene });
	});
	worker.terminate();
	addTable(main, ["class", "agents", "mean m/s"], rows);
}
