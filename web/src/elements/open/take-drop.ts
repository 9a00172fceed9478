import { loadLive } from "../models/load-live.js";
import { addFiles } from "../review/add-files.js";
import type { ViewerController } from "../session/controller.js";
import type { Place } from "../session/dataset.js";
import { whyOf } from "../session/problem.js";
import type { DropParts } from "./drop.js";
import { dropPlan } from "./drop-plan.js";
import { droppedBy } from "./dropped.js";

/**
 * Opens files by their content: notes, rollouts and raster configs; `open` opens them all as
 * simulations.
 */
async function useDocuments(
	controller: ViewerController,
	files: readonly File[],
	open: () => void,
): Promise<void> {
	try {
		const [first] = files;
		const { areScenes, HEAD } = await import("./simulation-files.js");
		if (first && areScenes(await first.slice(0, HEAD).text())) return open();
		if (first && controller.state.phase !== "ready")
			return controller.notify(`${first.name}: needs a data set; open the data first`);
		const { useDocument } = await import("./use-document.js");
		const names = files.map(({ name }) => name);
		for (const file of files) {
			// The index of a large file, for servers.
			const [, of] = /^(.+)\.index\.json$/.exec(file.name) ?? [];
			if (of === undefined || !names.includes(of)) await useDocument(controller, file);
		}
	} catch (error) {
		controller.notify(`Drop: loading failed: ${String(error)}`);
	}
}

/** Opens simulations of nuPlan as a rollout of the open scenes, or what else was dropped. */
async function useRuns(
	controller: ViewerController,
	place: Extract<Place, { kind: "files" }>,
	open: () => void,
): Promise<void> {
	try {
		const { joinDropped } = await import("../rollout/dropped-runs.js");
		if (await joinDropped(controller, place)) return;
	} catch (error) {
		controller.notify(`Drop: ${whyOf(error)}`);
	}
	open();
}

/** Opens an archive: results beside the open data set, or data. */
async function useArchive(
	controller: ViewerController,
	files: readonly File[],
	open: () => void,
): Promise<void> {
	const { isResultArchive } = await import("../futures/ranged-file.js");
	const are = await Promise.all(files.map(isResultArchive));
	if (files.length > 0 && are.every((one) => one))
		await useDocuments(controller, files, open);
	else open();
}

/** Opens a model, which predicts the displayed frame. */
async function useModel(
	controller: ViewerController,
	files: readonly File[],
): Promise<void> {
	try {
		const { openModel } = await loadLive();
		await openModel(controller, files);
	} catch (error) {
		controller.notify(`Model: ${whyOf(error)}`);
	}
}

/** Opens pickles: results beside the open data set, or scenarios. */
async function usePickles(
	controller: ViewerController,
	files: readonly File[],
	open: () => void,
): Promise<void> {
	const { isFuturesFile } = await import("../futures/ranged-file.js");
	const are = await Promise.all(files.map(isFuturesFile));
	if (are.every((one) => one)) await useDocuments(controller, files, open);
	else open();
}

/** Adds predictions, or opens tracks of INTERACTION. */
async function useTables(
	controller: ViewerController,
	files: readonly File[],
	open: () => void,
): Promise<void> {
	const { mayBeTracks } = await import("./tracks-in.js");
	const tables = files.filter(({ name }) => /\.csv$/i.test(name));
	const are = await Promise.all(tables.map(mayBeTracks));
	if (are.includes(true)) open();
	else await addFiles(controller, files);
}

/** Executes a drop; `opens` is called before a data set is opened. */
export function takeDrop(
	controller: ViewerController,
	parts: DropParts,
	opens: () => void,
): void {
	const dropped = droppedBy(parts);
	if (!dropped) return;
	const { items, files, place } = dropped;
	const isReady = controller.state.phase === "ready";
	const plan = dropPlan(items, isReady);
	const named = (name: string): File[] => files.filter((file) => file.name === name);
	switch (plan.act) {
		case "open": {
			const open = (): void => {
				opens();
				void controller.open(place);
			};
			const are = (pattern: RegExp) => items.every(({ name }) => pattern.test(name));
			const mayBeRuns = items.some(({ folder }) => folder) || are(/\.xz$/i);
			if (!isReady) open();
			else if (are(/\.pkl$/i)) void usePickles(controller, files, open);
			else if (are(/\.zip$/i)) void useArchive(controller, files, open);
			else if (mayBeRuns) void useRuns(controller, place, open);
			else open();
			return;
		}
		case "predictions":
			void useTables(controller, plan.files.flatMap(named), () => {
				opens();
				void controller.open(place);
			});
			return;
		case "model":
			void useModel(controller, plan.files.flatMap(named));
			return;
		case "map":
			void controller.openMap(plan.files.flatMap(named));
			return;
		case "documents":
			void useDocuments(controller, plan.files.flatMap(named), () => {
				const open = (): void => {
					opens();
					void controller.open(place);
				};
				if (isReady) void useRuns(controller, place, open);
				else open();
			});
			return;
		case "none":
			controller.notify(plan.notice);
	}
}
