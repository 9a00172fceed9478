import { describe, expect, it } from "vitest";
import {
	LinkedFiles,
	localEntry,
	localName,
} from "../../../src/elements/futures/linked-files.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";

describe("elements/futures/linked-files", () => {
	it("names of local files are kept in links, and told from addresses", () => {
		for (const name of ["a.csv", "50 %.csv", "a|b?c#d@e.csv", "é/\\.csv", "%7C"]) {
			expect(localName(localEntry(name))).toBe(name);
			expect(localEntry(name)).not.toMatch(/[|?#@]/);
		}
		expect(localName("/data/a.csv")).toBeUndefined();
		expect(localName("https://h.test/local:a")).toBeUndefined();
		expect(localName("local:%")).toBe("%");
	});

	it("asks for local files until they are open, or another link is", () => {
		const store = new Store<ViewerState>({ ...EMPTY_STATE, notices: ["other"] });
		const linked = new LinkedFiles(store);
		linked.expect(["/a.csv"], []);
		expect(store.state.notices).toEqual(["other"]);
		linked.expect(["local:b.csv", "/a.csv", "local:c.csv"], ["local:c.csv"]);
		expect(linked.awaited).toEqual(["local:b.csv"]);
		expect(store.state.notices).toEqual(["other", linked.asked]);
		expect(linked.asked).toContain("local results: b.csv.");
		linked.arrived(["local:b.csv"]);
		expect(linked.asked).toBeUndefined();
		expect(store.state.notices).toEqual(["other"]);
		linked.expect(["local:d.csv"], []);
		linked.expect([], []);
		expect(store.state.notices).toEqual(["other"]);
	});

	it("places files in the order of the link, and others last", () => {
		const linked = new LinkedFiles(new Store<ViewerState>(EMPTY_STATE));
		linked.expect(["/a", "local:b", "/c"], []);
		expect(linked.place("local:b", ["/a", "/c"])).toBe(1);
		expect(linked.place("/a", ["/c"])).toBe(0);
		expect(linked.place("/c", ["/a"])).toBe(1);
		expect(linked.place("/d", ["/a", "/c"])).toBe(2);
		expect(linked.place("/c", ["/d"])).toBe(1);
	});
});
