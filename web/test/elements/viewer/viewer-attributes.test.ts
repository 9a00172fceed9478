import { describe, expect, it, vi } from "vitest";
import { GroupMembership } from "../../../src/elements/viewer/group-membership.js";
import { Panels } from "../../../src/elements/viewer/panels.js";
import { Position } from "../../../src/elements/viewer/position.js";
import {
	ATTRIBUTE_DEFAULTS,
	ATTRIBUTE_PROPERTIES,
	AttributeChanges,
	displaySettings,
} from "../../../src/elements/viewer/viewer-attributes.js";
import { ViewerPicture } from "../../../src/elements/viewer/viewer-picture.js";
import { fakeViewer } from "../../support/fake-viewer.js";

const SRC = "https://host/x.zarr";

function made() {
	const { host, controller } = fakeViewer(ATTRIBUTE_DEFAULTS, { frames: 20 });
	const position = new Position(host);
	vi.stubGlobal("MutationObserver", class {});
	const viewer = Object.assign(host, {
		layout: new Panels(host),
		open: (...[place, start]: Parameters<typeof controller.open>) =>
			controller.open(place, { ...displaySettings(host), ...start }),
		close: () => controller.close(),
		restore: vi.fn(),
	});
	vi.unstubAllGlobals();
	const changes = new AttributeChanges({
		viewer: viewer as never,
		position,
		membership: new GroupMembership(host),
		picture: new ViewerPicture(host),
	});
	/** Sets properties as an update of the element does. */
	const set = (values: Readonly<Record<string, unknown>>): void => {
		const before = Object.keys(values).map((name) => [name, host[name]] as const);
		Object.assign(host, values);
		changes.update(new Map(before));
	};
	return { viewer, controller, position, set };
}

describe("attributes", () => {
	it("have properties and defaults", () => {
		expect(ATTRIBUTE_PROPERTIES).toMatchObject({
			src: { attribute: "src", noAccessor: false },
			link: { attribute: "state" },
			mapSrc: { attribute: "map-src" },
			scene: { noAccessor: true },
			speed: { type: Number },
		});
		expect(ATTRIBUTE_DEFAULTS).toMatchObject({ src: null, loop: false, mapSrc: null });
		expect(ATTRIBUTE_DEFAULTS).not.toHaveProperty("scene");
	});

	it("of display settings apply as in a link, and return to their defaults", () => {
		const { controller, set } = made();
		const usual = controller.state;
		const values = { coords: "ego", layers: "lanes", threshold: 0.2, follow: "free" };
		set({ ...values, track: 7n });
		expect(controller.state).toMatchObject({
			...{ coords: "ego", threshold: 0.2, follow: "free", selection: 7n },
			layers: new Set(["lanes"]),
		});
		set({ threshold: 2 });
		expect(controller.state.notices).toEqual([
			"Link: ignored th=2 (expected a number from 0 to 1)",
		]);
		set(Object.fromEntries(Object.keys(values).map((name) => [name, null])));
		set({ track: null });
		const { coords, layers, threshold, follow, selection } = controller.state;
		expect({ coords, layers, threshold, follow, selection }).toEqual({
			...{ coords: usual.coords, layers: usual.layers, threshold: usual.threshold },
			...{ follow: usual.follow, selection: undefined },
		});
	});

	it("open a data set at its position and settings, and close it", async () => {
		const { controller, position, set } = made();
		position.set("frame", 6);
		set({ threshold: "0.25", src: SRC });
		await controller.displayed;
		expect(controller.state).toMatchObject({
			phase: "ready",
			frame: 6,
			threshold: 0.25,
		});
		set({ src: null });
		expect(controller.state.phase).toBe("empty");
	});

	it("steer playback and theme", () => {
		const { controller, set } = made();
		set({ speed: 2, loop: true, theme: "light" });
		expect(controller.state).toMatchObject({ speed: 2, loop: true, theme: "light" });
		set({ speed: null, loop: false, theme: null });
		expect(controller.state).toMatchObject({ speed: 1, loop: false, theme: "auto" });
	});

	it("report values that they do not know", () => {
		const { controller, set } = made();
		const reported = (values: Readonly<Record<string, unknown>>) => {
			set(values);
			return controller.state.notices.at(-1);
		};
		const unknown = (name: string, expected: string) =>
			`${name}: unknown value (found blue, expected ${expected})`;
		expect(reported({ theme: "blue" })).toBe(unknown("theme", "dark, light"));
		expect(controller.state.theme).toBe("auto");
		expect(reported({ controls: "blue" })).toBe(unknown("controls", "none"));
		expect(reported({ painter: "blue" })).toBe(
			unknown("painter", "auto, canvas2d, webgl2"),
		);
		expect(reported({ gestures: "blue" })).toBe(
			unknown("gestures", "auto, greedy, cooperative"),
		);
		expect(reported({ follow: "blue" })).toMatch(/^Link: ignored w=blue \(expected/);
		for (const speed of [Number.NaN, -1, 0])
			expect(reported({ speed })).toBe(
				`speed: invalid (found ${speed}, expected a number above 0)`,
			);
		const { length } = controller.state.notices;
		set({
			theme: "dark",
			controls: null,
			painter: "auto",
			gestures: "greedy",
			speed: 2,
		});
		expect(controller.state.notices).toHaveLength(length);
	});

	it("name the panels, and the state", () => {
		const { viewer, controller, set } = made();
		set({ panels: "bar, plots, sky", link: "f=3" });
		expect(viewer.layout.tabs).toEqual(["plots"]);
		expect(controller.state.notices[0]).toMatch(/^panels: unknown name \(found sky/);
		expect(viewer.restore).toHaveBeenCalledWith("f=3");
	});

	it("read predictions after those of the property", () => {
		const { controller, set } = made();
		const called: unknown[] = [];
		vi.spyOn(controller.reviews, "changeSets").mockImplementation((sets) => {
			called.push(sets);
		});
		vi.spyOn(controller.reviews, "changeAddresses").mockImplementation((sets) => {
			called.push(sets);
		});
		set({ predictionsSrc: "a.csv", predictions: "text" });
		set({ predictions: undefined });
		set({ predictionsSrc: null });
		expect(called).toEqual([
			[undefined, "text"],
			["", "a.csv"],
			["text", undefined],
			["a.csv", ""],
		]);
	});

	it("use another map once the data set is open", async () => {
		const { controller, set } = made();
		vi.stubGlobal("document", { baseURI: "https://page/" });
		const openMap = vi.spyOn(controller, "openMap").mockResolvedValue();
		const useMap = vi.spyOn(controller, "useMap").mockReturnValue();
		set({ src: SRC, mapSrc: "https://host/map.pb" });
		await expect.poll(() => controller.state.phase).toBe("ready");
		set({});
		expect(useMap).not.toHaveBeenCalled();
		expect(String(openMap.mock.calls[0]?.[0])).toBe("https://host/map.pb");
		set({ mapSrc: null });
		expect(useMap.mock.calls).toEqual([[undefined]]);
		set({});
		expect(useMap).toHaveBeenCalledTimes(1);
		vi.unstubAllGlobals();
	});
});
