import type { ReactiveController } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";
import { withLayout } from "../../../src/elements/viewer/layout-state.js";
import { Panels } from "../../../src/elements/viewer/panels.js";

beforeEach(() => {
	vi.stubGlobal("MutationObserver", class {});
});
afterEach(() => vi.unstubAllGlobals());

/** Returns panels that follow a state. */
function made() {
	const store = new Store<ViewerState>(EMPTY_STATE);
	const host = {
		get state() {
			return store.state;
		},
		controller: { store },
		addController: (_: ReactiveController) => {},
		requestUpdate: () => {},
	};
	const panels = new Panels(host as unknown as ConstructorParameters<typeof Panels>[0]);
	store.subscribe((state) => panels.follow(state));
	return { store, panels };
}

describe("Panels", () => {
	it("activate the tab of a selection, and leave it with that", () => {
		const { store, panels } = made();
		store.patch({ selection: 3n });
		expect(panels.tab).toBe("selected");
		store.patch({ selection: undefined });
		expect(panels.tab).toBe("agents");
		panels.show("plots");
		store.patch({ selection: 3n });
		expect(panels.tab).toBe("plots");
	});

	it("keep both tabs when one of them is that of the selection", () => {
		const { store, panels } = made();
		panels.arrange({ tab: "agents", lower: "selected" });
		store.patch({ selection: 3n });
		expect([panels.tab, panels.lower]).toEqual(["agents", "selected"]);
		panels.show("selected");
		expect([panels.tab, panels.lower]).toEqual(["agents", "selected"]);
	});

	it("keep the tab of a link when its selection and rollout appear", () => {
		const { store, panels } = made();
		const link = { tabs: ["agents"], selection: 3n, rollout: "r.json" } as const;
		store.patch(withLayout(store.state, link));
		store.patch({ selection: 3n });
		store.patch({ rollout: {} as NonNullable<ViewerState["rollout"]> });
		expect(panels.tab).toBe("agents");
		store.patch({ selection: 5n });
		expect(panels.tab).toBe("selected");
	});

	it("mark a tab as chosen only if the user or a link chose it", () => {
		const { store, panels } = made();
		store.patch({ selection: 3n });
		expect(panels.arrangement.chosen).toBe(false);
		panels.show("raster");
		expect(panels.arrangement.chosen).toBe(true);
	});

	it("open and close what is around the picture", () => {
		const { panels } = made();
		expect(panels.toggleSides()).toBe(false);
		expect(panels.arrangement.closed).toEqual(["layers", "details"]);
		panels.close(true, "plots");
		panels.show("notes");
		expect(panels.arrangement.closed).toEqual(["layers", "plots"]);
		expect(panels.classes).toContain("no-layers");
	});

	it("ignore tabs that the page leaves out", () => {
		const { panels } = made();
		panels.named = new Set(["agents", "notes"]);
		panels.arrange({ tab: "plots", lower: "raster" });
		expect([panels.tab, panels.lower]).toEqual(["agents", undefined]);
		panels.show("plots");
		expect(panels.tab).toBe("agents");
	});
});
