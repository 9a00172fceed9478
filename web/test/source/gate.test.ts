import { describe, expect, it } from "vitest";
import { Gate } from "../../src/source/gate.js";
import { unlessAborted } from "../../src/source/unless-aborted.js";

/** Enters `gate` under a name and records when it is admitted. */
function enterer(gate: Gate) {
	const inside: string[] = [];
	const enter = (name: string, background = false) => {
		const ticket = gate.enter(background);
		void ticket.turn.then(() => inside.push(name));
		return ticket;
	};
	return { inside, enter };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("source/gate", () => {
	it("admits up to its limit, then the next when one leaves", async () => {
		const { inside, enter } = enterer(new Gate(2));
		const [first] = ["a", "b", "c", "d"].map((name) => enter(name));
		await settled();
		expect(inside).toEqual(["a", "b"]);
		first?.leave();
		await settled();
		expect(inside).toEqual(["a", "b", "c"]);
	});

	it("admits foreground before background", async () => {
		const { inside, enter } = enterer(new Gate(1));
		const first = enter("first");
		enter("guess", true);
		enter("asked");
		first.leave();
		await settled();
		expect(inside).toEqual(["first", "asked"]);
	});

	it("reserves slots for the foreground", async () => {
		const { inside, enter } = enterer(new Gate(8));
		for (let i = 0; i < 10; i += 1) enter(`guess ${i}`, true);
		await settled();
		expect(inside).toHaveLength(6);
		enter("asked");
		await settled();
		expect(inside.at(-1)).toBe("asked");
	});

	it("moves a promoted ticket before the rest of the background", async () => {
		const { inside, enter } = enterer(new Gate(1));
		const first = enter("first");
		enter("guess", true);
		enter("wanted now", true).promote();
		first.leave();
		await settled();
		expect(inside).toEqual(["first", "wanted now"]);
	});

	it("moves a demoted ticket behind the foreground", async () => {
		const { inside, enter } = enterer(new Gate(1));
		const first = enter("first");
		enter("passed").demote();
		enter("wanted now");
		first.leave();
		await settled();
		expect(inside).toEqual(["first", "wanted now"]);
	});

	it("removes a ticket that leaves while waiting", async () => {
		const { inside, enter } = enterer(new Gate(1));
		const first = enter("first");
		enter("gone").leave();
		enter("last");
		first.leave();
		await settled();
		expect(inside).toEqual(["first", "last"]);
	});

	it("races a promise against a signal", async () => {
		const reason = new Error("scrubbed away");
		const never = new Promise<void>(() => {});
		await expect(unlessAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason);
		// Its later failure is not an unhandled one
		const late = Promise.reject(new Error("late"));
		await expect(unlessAborted(late, AbortSignal.abort(reason))).rejects.toBe(reason);
		await expect(unlessAborted(Promise.resolve(1), undefined)).resolves.toBe(1);
		const { signal } = new AbortController();
		await expect(unlessAborted(Promise.resolve(2), signal)).resolves.toBe(2);
		await expect(unlessAborted(Promise.reject(reason), signal)).rejects.toBe(reason);
	});
});
