import { describe, expect, it } from "vitest";
import { SharedTask } from "../../src/base/shared-task.js";

/** A task whose runs are settled by the test. */
function manual() {
	const runs: {
		signal: AbortSignal;
		resolve: (value: string) => void;
		reject: (error: unknown) => void;
	}[] = [];
	const task = new SharedTask<string>(
		(signal) =>
			new Promise((resolve, reject) => runs.push({ signal, resolve, reject })),
	);
	const run = (index: number) => {
		const found = runs[index];
		if (!found) throw new Error(`run ${index} has not started`);
		return found;
	};
	return { task, runs, run };
}

describe("a shared task", () => {
	it("runs once for two callers and keeps the result", async () => {
		const { task, runs, run } = manual();
		const both = [task.join(), task.join()];
		run(0).resolve("a");
		expect(await Promise.all(both)).toEqual(["a", "a"]);
		expect(await task.join()).toBe("a");
		expect(runs).toHaveLength(1);
	});

	it.each([0, 1])("continues when caller %i of two aborts", async (leaving) => {
		const { task, run } = manual();
		const controls = [new AbortController(), new AbortController()];
		const both = controls.map(({ signal }) => task.join(signal));
		controls[leaving]?.abort(new Error("not needed"));
		await expect(both[leaving]).rejects.toThrow("not needed");
		expect(run(0).signal.aborted).toBe(false);
		run(0).resolve("a");
		expect(await both[1 - leaving]).toBe("a");
	});

	it("is aborted with the last caller, and starts again", async () => {
		const { task, run } = manual();
		const controls = [new AbortController(), new AbortController()];
		const both = controls.map(({ signal }) => task.join(signal).catch(() => "left"));
		for (const control of controls) control.abort();
		expect(await Promise.all(both)).toEqual(["left", "left"]);
		expect(run(0).signal.aborted).toBe(true);
		const again = task.join();
		run(0).resolve("late");
		run(1).resolve("b");
		expect(await again).toBe("b");
	});

	it("rejects all callers with a failure, and does not keep it", async () => {
		const { task, run } = manual();
		const both = [task.join(), task.join()];
		run(0).reject(new Error("offline"));
		for (const one of both) await expect(one).rejects.toThrow("offline");
		const again = task.join();
		run(1).resolve("b");
		expect(await again).toBe("b");
	});

	it("starts again after forget(), without affecting present callers", async () => {
		const { task, run } = manual();
		const before = task.join();
		task.forget();
		const after = task.join();
		run(1).resolve("new");
		run(0).resolve("old");
		expect([await before, await after]).toEqual(["old", "new"]);
	});

	it("rejects present callers on abort()", async () => {
		const { task, run } = manual();
		const both = [task.join(), task.join()];
		task.abort(new Error("closed"));
		for (const one of both) await expect(one).rejects.toThrow("closed");
		expect(run(0).signal.aborted).toBe(true);
	});

	it("does not start for an aborted caller", async () => {
		const { task, runs } = manual();
		await expect(task.join(AbortSignal.abort(new Error("gone")))).rejects.toThrow(
			"gone",
		);
		expect(runs).toHaveLength(0);
	});
});
