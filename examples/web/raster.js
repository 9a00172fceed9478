import { ChunkedDataset, EgoDataset, imageData } from "bevscope";
import { config } from "./config.js";
import { add } from "./page.js";

/** Draws the raster of a sample to a canvas. */
export async function run(main, url, item = 40) {
	const dataset = await ChunkedDataset.open(url);
	const root = new URL("../../", `${url}/`).href; // the folder of maps and meta.json
	const ego = await EgoDataset.create(config, dataset, { root, image: "rgba" });
	const picture = imageData(await ego.sample(item));
	const { width, height } = picture;
	const canvas = add(main, "canvas", { class: "raster", width, height });
	canvas.getContext("2d").putImageData(picture, 0, 0);
	ego.close();
	dataset.close();
}
