import { describe, expect, it } from "vitest";
import {
	formatLink,
	type LinkState,
	parseLink,
} from "../../../src/elements/link/link.js";

describe("link", () => {
	it("round-trips", () => {
		const state: LinkState = {
			src: "https://host/a b/town.zarr?sig=1&x=%2F#top",
			scene: 12,
			frame: 84,
			selection: 2n ** 63n,
			focused: true,
			follow: "heading",
			camera: { x: -12.5, y: 3, span: 60, rotation: 1.5, tilt: 0.785 },
			layers: new Set(["ego", "lanes"] as const),
			threshold: 0.25,
			distance: 50,
			charts: ["jerk", "agents.velocity.1"],
			plotted: ["ego", 7n],
			plotSpan: { begin: 4, end: 20 },
			speed: 0.25,
			loop: false,
			theme: "light",
			sort: "-speed",
			tabs: ["predictions", "selected"],
			closed: ["layers", "plots"],
			besides: [4, 0],
		};
		const parsed = parseLink(`#${formatLink(state)}`);
		expect(parsed.state).toEqual(state);
		expect(parsed.bad).toEqual([]);
	});

	it("omits defaults and stays readable", () => {
		expect(formatLink({ src: "/data/scenes/town.zarr", frame: 3 })).toBe(
			"v=1&src=/data/scenes/town.zarr&f=3",
		);
		expect(formatLink({ splitPictures: false, charts: [] })).toBe("v=1&q=");
	});

	it("keeps unknown keys", () => {
		const { unknown } = parseLink("v=1&later=a%26b&f=2");
		expect(unknown).toEqual([["later", "a&b"]]);
		expect(formatLink({ frame: 2 }, unknown)).toBe("v=1&f=2&later=a%26b");
	});

	it("ignores each invalid value and names the expected one", () => {
		const { state, bad } = parseLink("s=-1&f=2.5&th=2&t=x&w=up&z=1e99&l=ego,sky&f=7");
		expect(state).toEqual({ frame: 7, layers: new Set(["ego"]) });
		expect(bad).toHaveLength(7);
		expect(bad[0]).toBe("Link: ignored s=-1 (expected a whole number from 0)");
		expect(bad[6]).toContain("not sky");
	});

	it("refuses tabs that it does not know, or twice", () => {
		for (const text of ["sky", "agents,agents", "agents,notes,plots", ""])
			expect(parseLink(`tb=${text}`).bad, text).toHaveLength(1);
		for (const text of ["1,1", "1,2,3,4", "a", "1,", ""])
			expect(parseLink(`sb=${text}`).bad, text).toHaveLength(1);
		const { state, bad } = parseLink("sp=0&lo=yes&tm=blue&so=size&hd=picture");
		expect(state).toEqual({});
		expect(bad).toHaveLength(5);
		expect(bad[2]).toBe("Link: ignored tm=blue (expected auto, dark, light)");
	});

	it("hides every layer for an empty list, but not for unknown names", () => {
		expect(parseLink("l=").state.layers).toEqual(new Set());
		expect(parseLink("l=sky").state.layers).toBeUndefined();
	});

	it("reports another version and continues", () => {
		const { state, bad } = parseLink("v=2&f=1");
		expect(bad).toEqual(["Link: ignored v=2 (expected version 1)"]);
		expect(state.frame).toBe(1);
	});

	it("does not treat Object's property names as keys", () => {
		const { unknown, bad } = parseLink("constructor=1&__proto__=2");
		expect(unknown).toHaveLength(2);
		expect(bad).toEqual([]);
	});

	it("is empty for an empty fragment", () => {
		expect(parseLink("#")).toEqual({ state: {}, unknown: [], bad: [] });
	});
});
