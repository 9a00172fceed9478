import { describe, expect, it } from "vitest";
import { History, MAX_PAST } from "../../../src/elements/session/history.js";

/** Returns numbers from 0 to 1 that repeat for a seed. */
function random(seed: number): () => number {
	let at = seed;
	return () => {
		at = (at * 1_103_515_245 + 12_345) % 2 ** 31;
		return at / 2 ** 31;
	};
}

describe("History", () => {
	it("returns to what was before, and back", () => {
		const history = new History("a");
		history.change("b");
		history.change("c");
		history.undo();
		expect([history.before, history.present, history.after]).toEqual(["a", "b", "c"]);
		history.redo();
		expect([history.before, history.present, history.after]).toEqual([
			"b",
			"c",
			undefined,
		]);
	});

	it("drops what was undone when something else is done", () => {
		const history = new History("a");
		history.change("b");
		history.undo();
		history.change("c");
		expect(history.after).toBeUndefined();
		history.undo();
		expect(history.present).toBe("a");
	});

	it("stays at its ends", () => {
		const history = new History("a");
		history.undo();
		history.redo();
		expect(history.present).toBe("a");
	});

	it("amends the current value without a step", () => {
		const history = new History("a");
		history.change("b");
		history.amend("c");
		history.undo();
		expect([history.present, history.after]).toEqual(["a", "c"]);
	});

	it("keeps a bounded number of values", () => {
		const history = new History(0);
		for (let value = 1; value <= 3 * MAX_PAST; value += 1) history.change(value);
		for (let undone = 0; undone < 3 * MAX_PAST; undone += 1) history.undo();
		expect(history.present).toBe(2 * MAX_PAST);
	});

	it("agrees with a list and a position over a random walk", () => {
		const next = random(7);
		const history = new History(0);
		let [all, at] = [[0], 0];
		for (let step = 1; step <= 2000; step += 1) {
			const dice = next();
			if (dice < 0.4) {
				history.change(step);
				all = [...all.slice(0, at + 1), step].slice(-MAX_PAST - 1);
				at = all.length - 1;
			} else if (dice < 0.75) {
				history.undo();
				at = Math.max(0, at - 1);
			} else {
				history.redo();
				at = Math.min(all.length - 1, at + 1);
			}
			expect([history.before, history.present, history.after]).toEqual([
				all[at - 1],
				all[at],
				all[at + 1],
			]);
		}
	});
});
