import { isFuturesFile, RESULT_NAME } from "../futures/ranged-file.js";
import { resolved } from "../open/places.js";
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
	const unranked = await withoutPlanners(controller, given);
	const unscored = await withoutScores(controller, unranked);
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

/** Opens the files of scores of submissions, by their content; returns the others. */
async function withoutScores(
	controller: ViewerController,
	files: readonly File[],
): Promise<readonly File[]> {
	const others: File[] = [];
	for (const file of files) {
		// Predictions begin otherwise; Parquet tells its columns at the end.
		const head = await file.slice(0, 256).text();
		if (!head.startsWith("PAR1") && !head.includes("scenario_id")) others.push(file);
		else if (!(await openScores(controller, file))) others.push(file);
	}
	return others;
}

/** Opens scores of planners, by their content; returns the other files. */
async function withoutPlanners(
	controller: ViewerController,
	files: readonly File[],
): Promise<readonly File[]> {
	const heads = await Promise.all(files.map((file) => file.slice(0, 16).text()));
	const may = files.filter((_, i) => /^(PAR1|planner_name)/.test(heads[i] ?? ""));
	if (may.length === 0) return files;
	const scores = await import("../futures/planner-scores.js");
	const is = await Promise.all(may.map((file) => scores.isPlannerScores(file)));
	const found = may.filter((_, i) => is[i]);
	if (found.length === 0) return files;
	try {
		const planners = await scores.readPlannerScores(found);
		await controller.rollout.use(async (it) => {
			const futures = await it.futures();
			for (const one of planners) futures.addScores(one);
		});
		const words = counted(planners.length, "planner");
		controller.notify(`Scores of ${words} opened; see Predictions`);
	} catch (error) {
		controller.notify(whyOf(error));
	}
	return files.filter((file) => !found.includes(file));
}

async function openScores(controller: ViewerController, file: File): Promise<boolean> {
	const { isScores, readScores } = await import("../futures/scores-file.js");
	if (!(await isScores(file))) return false;
	try {
		const scores = await readScores(file, file.name);
		await controller.rollout.use(async (it) => (await it.futures()).addScores(scores));
		const rows = counted(scores.scenarios.size, "scenario");
		controller.notify(`${file.name}: scores of ${rows}; see Predictions`);
	} catch (error) {
		controller.notify(whyOf(error));
	}
	return true;
}
