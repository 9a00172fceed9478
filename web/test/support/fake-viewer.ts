import { ViewerController } from "../../src/elements/session/controller.js";
import type { ViewerHost } from "../../src/elements/viewer/viewer-host.js";
import { type FakeOptions, fakeDataset } from "./fake-dataset.js";
import { FakeTicker } from "./fake-ticker.js";

/** What tests read and set of a viewer without a DOM. */
export interface FakeViewer {
	readonly host: ViewerHost & Record<string, unknown>;
	readonly controller: ViewerController;
	/** Properties that were to be updated. */
	readonly updates: unknown[];
}

/** Returns a viewer without a DOM, with a controller of fake data sets. */
export function fakeViewer(more: object = {}, options: FakeOptions = {}): FakeViewer {
	const controller = new ViewerController({
		opener: async () => ({
			...{ dataset: fakeDataset(options).dataset, findMap: async () => undefined },
		}),
		ticker: new FakeTicker(),
	});
	const updates: unknown[] = [];
	const host = {
		controller,
		get state() {
			return controller.state;
		},
		requestUpdate: (name: unknown) => updates.push(name),
		addController: () => {},
		renderRoot: { querySelector: () => null },
		...more,
	};
	return { host: host as never, controller, updates };
}
