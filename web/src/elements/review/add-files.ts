import type { ViewerController } from "../session/controller.js";

/** Adds a model for each file; lists the differences of models added together. */
export async function addFiles(
	controller: ViewerController,
	files: readonly File[],
): Promise<void> {
	await Promise.all(files.map((csv) => controller.reviews.give(csv, csv.name)));
	const { pair, list } = controller.state.review;
	if (files.length > 1 && pair && list === "agents") controller.reviews.list("worse");
}
