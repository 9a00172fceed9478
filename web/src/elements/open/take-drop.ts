import { addFiles } from "../review/add-files.js";
import type { ViewerController } from "../session/controller.js";
import type { DropParts } from "./drop.js";
import { dropPlan } from "./drop-plan.js";
import { droppedBy } from "./dropped.js";

/** Mark of a rollout in JSON; a config has none. */
const ROLLOUT = /"format"\s*:\s*"bevscope-rollout"/;

/** Opens a file of settings: a rollout or a raster config. */
async function useConfig(controller: ViewerController, file: File): Promise<void> {
	const text = await file.text();
	if (ROLLOUT.test(text.slice(0, 1000))) {
		await controller.rollout.use((it) => it.give(text, file.name));
		return;
	}
	controller.rasters.choose({ name: file.name, text });
	controller.notify(
		`${file.name}: raster config loaded; select an agent to display its raster`,
	);
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
	const plan = dropPlan(items, controller.state.phase === "ready");
	const named = (name: string): File[] => files.filter((file) => file.name === name);
	switch (plan.act) {
		case "open":
			opens();
			void controller.open(place);
			return;
		case "predictions":
			void addFiles(controller, plan.files.flatMap(named));
			return;
		case "map":
			void controller.openMap(plan.files.flatMap(named));
			return;
		case "config":
			for (const file of named(plan.file)) void useConfig(controller, file);
			return;
		case "none":
			controller.notify(plan.notice);
	}
}
