import { describe, expect, it } from "vitest";
import { Latest } from "../../src/base/latest.js";

/** A promise that is settled by the test. */
function deferred<T>() {
	let resolve: (value: T) => void = () => {};
	let reject: (error: unknown) => void = () => {};
	const promise = new Promise<T>((yes, no) => {
		resolve = yes;
		reject = no;
	});
	return { promise, resolve, reject };
}

/** Two tasks of one `Latest`, the second started while the first is pending. */
function two() {
	const latest = new Latest();
	const log: string[] = [];
	const signals: AbortSignal[] = [];
	const tasks = [deferred<string>(), deferred<string>()] as const;
	const ends = tasks.map(({ promise }) =>
		latest.run(
			(signal) => {
				signals.push(signal);
				return promise;
			},
			{
				done: (value) => log.push(`done ${value}`),
				failed: (error) => log.push(`failed ${(error as Error).message}`),
				discard: (value) => log.push(`discard ${value}`),
			},
		),
	);
	return { latest, log, signals, tasks, ended: Promise.all(ends) };
}

describe("latest wins", () => {
	it("delivers the second of two that end in order", async () => {
		const { log, tasks, ended } = two();
		tasks[0].resolve("first");
		tasks[1].resolve("second");
		await ended;
		expect(log).toEqual(["discard first", "done second"]);
	});

	it("delivers the second of two, though the first ends last", async () => {
		const { log, tasks, ended } = two();
		tasks[1].resolve("second");
		await Promise.resolve();
		tasks[0].resolve("first");
		await ended;
		expect(log).toEqual(["done second", "discard first"]);
	});

	it("aborts the first when the second begins", () => {
		const { signals } = two();
		expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
	});

	it("ignores the failure of a superseded task", async () => {
		const { log, tasks, ended } = two();
		tasks[0].reject(new Error("late"));
		tasks[1].resolve("second");
		await ended;
		expect(log).toEqual(["done second"]);
	});

	it("reports the newest task's failure, and is free again", async () => {
		const { latest, log, tasks, ended } = two();
		expect(latest.isBusy).toBe(true);
		tasks[1].reject(new Error("offline"));
		tasks[0].resolve("first");
		await ended;
		expect(log).toEqual(["failed offline", "discard first"]);
		expect(latest.isBusy).toBe(false);
	});

	it("discards results after cancel()", async () => {
		const { latest, log, tasks, ended } = two();
		latest.cancel();
		tasks[0].resolve("first");
		tasks[1].resolve("second");
		await ended;
		expect([...log].sort()).toEqual(["discard first", "discard second"]);
	});

	it("rejects if no handler is given", async () => {
		const latest = new Latest();
		const failing = latest.run(() => Promise.reject(new Error("offline")), {
			done: () => {},
		});
		await expect(failing).rejects.toThrow("offline");
	});
});
