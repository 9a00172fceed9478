import { describe, expect, it, vi } from "vitest";
import { awaitFiles, localNames } from "../../../src/elements/review/awaited-files.js";
import type { ModelState } from "../../../src/elements/review/review-state.js";
import { EMPTY_STATE, type ViewerState } from "../../../src/elements/session/state.js";
import { Store } from "../../../src/elements/session/store.js";

/** Opens local models in a store; a name that ends in `…` is being read. */
function open(store: Store<ViewerState>, ...names: string[]): void {
	const models = names.map(
		(name, id) =>
			({
				...{ id, name: name.replace("…", ""), address: undefined, slot: id },
				...{ visible: true, phase: name.endsWith("…") ? "reading" : "ready" },
			}) as ModelState,
	);
	store.patch({ review: { ...store.state.review, models } });
}

/** A store in which these files of a link are awaited. */
function awaiting(localModels: string) {
	const store = new Store<ViewerState>(EMPTY_STATE);
	const arrived = vi.fn();
	const wait = (names: string): void =>
		awaitFiles(store, { localModels: names }, arrived);
	wait(localModels);
	return { store, arrived, wait };
}

const asked = (names: string) =>
	`The link's sender also had local predictions: ${names}. Drop them here to see them.`;

describe("local files of a link", () => {
	it("are named until they are open, and arrive when they are read", () => {
		const { store, arrived } = awaiting("a.csv|b.csv");
		store.patch({ notices: [...store.state.notices, "another"] });
		expect(store.state.notices).toEqual([asked("a.csv, b.csv"), "another"]);
		open(store, "b.csv…", "c.csv");
		expect(store.state.notices).toEqual(["another", asked("a.csv")]);
		expect(store.state.review.awaited?.missing).toEqual(["a.csv"]);
		open(store, "b.csv", "c.csv", "a.csv…");
		expect(store.state.notices).toEqual(["another"]);
		expect(arrived).not.toHaveBeenCalled();
		open(store, "b.csv", "c.csv", "a.csv");
		expect(arrived).toHaveBeenCalledTimes(1);
		expect(store.state.review.awaited).toBeUndefined();
		open(store);
		expect(store.state.notices).toEqual(["another"]);
		expect(arrived).toHaveBeenCalledTimes(1);
	});

	it("are not asked for if the page has opened them", () => {
		const store = new Store<ViewerState>(EMPTY_STATE);
		open(store, "a.csv");
		const arrived = vi.fn();
		awaitFiles(store, { localModels: "a.csv" }, arrived);
		expect(store.state.notices).toEqual([]);
		expect(arrived).toHaveBeenCalledTimes(1);
	});

	it("are not awaited after another link, without or with local files", () => {
		const { store, arrived, wait } = awaiting("a.csv");
		wait("");
		expect(store.state.review.awaited).toBeUndefined();
		open(store, "a.csv");
		expect(arrived).not.toHaveBeenCalled();
		wait("b.csv");
		wait("c.csv");
		open(store, "b.csv");
		expect(arrived).not.toHaveBeenCalled();
		open(store, "c.csv");
		expect(arrived).toHaveBeenCalledTimes(1);
	});

	it("are limited in number and in length", () => {
		const long = "x".repeat(256);
		expect(localNames({ localModels: `a|${long}||b|c` })).toEqual(["a", "b"]);
		expect(localNames({ localModels: "a|b|c|d|e" })).toEqual(["a", "b", "c", "d"]);
		expect(localNames({})).toEqual([]);
		const { store } = awaiting("y".repeat(200));
		expect(store.state.notices).toEqual([asked(`${"y".repeat(60)}…`)]);
	});
});
