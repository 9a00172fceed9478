import { isFuturesFile, RESULT_NAME } from "../futures/ranged-file.js";
import { resolved } from "../open/places.js";
import { rolloutTab } from "../rollout/rollout-tab.js";
import type { ViewerController } from "../session/controller.js";
import { whyOf } from "../session/problem.js";
import { counted } from "../ui/words.js";

/** Opens submissions of joint futures, by their content; returns the other files. */
async function withoutFutures(
	controller: ViewerController,
	files: readonly File[],
): Promise<readonly File[]> {
	const others: File[] = [];
	for (const file of files) {
		if (!(await isFuturesFile(file))) {
			others.push(file);
			continue;
		}
		const { useDocument } = await import("../open/use-document.js");
		await useDocument(controller, file);
	}
	return others;
}

/**
 * Adds a model for each file, those that the opened link names first and in its order.
 * Lists the differences of models added together, unless the link names them.
 */
export async function addFiles(
	controller: ViewerController,
	given: readonly File[],
): Promise<void> {
	const unscored = await withoutScores(controller, given);
	const others = await withoutFutures(controller, unscored);
	const missing = controller.state.review.awaited?.missing ?? [];
	const rank = ({ name }: File) =>
		missing.includes(name) ? missing.indexOf(name) : missing.length;
	const ordered = [...others].sort((a, b) => rank(a) - rank(b));
	await Promise.all(ordered.map((csv) => controller.reviews.give(csv, csv.name)));
	const { pair, list } = controller.state.review;
	const isNamed = others.some(({ name }) => missing.includes(name));
	if (others.length > 1 && !isNamed && pair && list === "agents")
		controller.reviews.list("worse");
}

/** Adds what is at an address: submissions and scores by their content, or predictions. */
export async function addAddress(
	controller: ViewerController,
	address: string,
): Promise<void> {
	const url = resolved(address, document.baseURI);
	if (url && RESULT_NAME.test(url.pathname)) {
		const { isResultAt } = await import("../futures/fetched-result.js");
		// What cannot be read is reported where predictions are.
		if (await isResultAt(url).catch(() => false))
			return controller.rollout.use((it) => it.fetch(url, address));
	}
	controller.reviews.changeAddresses(["", address]);
}

/** Opens files of scores, by their content; returns the other files. */
async function withoutScores(
	controller: ViewerController,
	files: readonly File[],
): Promise<readonly File[]> {
	const scores = await import("../futures/score-files.js");
	const kinds = await scores.scoreFileKinds(files);
	const having = (kind: string) => files.filter((_, i) => kinds[i] === kind);
	const planners = having("planners");
	// Those of planners belong together, even if they are of one challenge.
	if (planners.length > 0) await openScores(controller, planners, "planner");
	for (const file of having("scenarios")) await openScores(controller, [file], "");
	return having("");
}

/** Opens scores of one submission, or of planners. */
async function openScores(
	controller: ViewerController,
	files: readonly File[],
	of: "planner" | "",
): Promise<void> {
	try {
		const { readScoreFiles } = await import("../futures/score-files.js");
		const sources = await readScoreFiles(files);
		await controller.rollout.use(async (it) => {
			const futures = await it.futures();
			for (const one of sources) futures.addScores(one);
		});
		const [first] = sources;
		const rows = counted(first?.scenarios.size ?? 0, "scenario");
		controller.notify(
			of === "planner"
				? `Scores of ${counted(sources.length, "planner")} opened; see ${rolloutTab(controller.state)}`
				: `${files[0]?.name}: scores of ${rows}; see ${rolloutTab(controller.state)}`,
		);
	} catch (error) {
		controller.notify(whyOf(error));
	}
}
