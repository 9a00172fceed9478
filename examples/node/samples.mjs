// node samples.mjs URL: prints batches of a data set's L5Kit samples, without images.
import { readFile } from "node:fs/promises";
import { ChunkedDataset, EgoDataset } from "bevscope";

const dataset = await ChunkedDataset.open(process.argv[2]);
const config = await readFile(new URL("config.json", import.meta.url), "utf8");
const ego = await EgoDataset.create(config, dataset, { image: "none" });
for await (const batch of ego.samples({ batch: 4, recycle: true })) {
	const { target_positions, centroid } = batch;
	const size = centroid.shape[0];
	console.log(
		`${size} samples: target_positions (${target_positions.shape}), first at ${centroid.data.slice(0, 2)}`,
	);
}
dataset.close();
