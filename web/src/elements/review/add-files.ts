import type { ViewerController } from "../session/controller.js";

/**
 * Adds a model for each file, those that the opened link names first and in its order.
 * Lists the differences of models added together, unless the link names them.
 */
export async function addFiles(
	controller: ViewerController,
	files: readonly File[],
): Promise<void> {
	const missing = controller.state.review.awaited?.missing ?? [];
	const rank = ({ name }: File) =>
		missing.includes(name) ? missing.indexOf(name) : missing.length;
	const ordered = [...files].sort((a, b) => rank(a) - rank(b));
	await Promise.all(ordered.map((csv) => controller.reviews.give(csv, csv.name)));
	const { pair, list } = controller.state.review;
	const isNamed = files.some(({ name }) => missing.includes(name));
	if (files.length > 1 && !isNamed && pair && list === "agents")
		controller.reviews.list("worse");
}
