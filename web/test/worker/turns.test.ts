import { describe, expect, it, vi } from "vitest";
import { Turns } from "../../src/worker/turns.js";
import { settled } from "../support/sources.js";

async function until(condition: () => boolean): Promise<void> {
	for (let i = 0; i < 100 && !condition(); i += 1) await settled();
	expect(condition()).toBe(true);
}

describe("worker/turns", () => {
	it("starts a single item immediately", () => {
		const started: string[] = [];
		new Turns<string>((item) => started.push(item)).push("a");
		expect(started).toEqual(["a"]);
	});

	it("starts one item per turn, in order", async () => {
		const started: string[] = [];
		const turns = new Turns<string>((item) => started.push(item));
		for (const item of ["a", "b", "c"]) turns.push(item);
		expect(started).toEqual(["a"]);
		await until(() => started.length === 3);
		expect(started).toEqual(["a", "b", "c"]);
		turns.push("d");
		await until(() => started.length === 4);
	});

	it("lets messages that arrive while an item runs be received first", async () => {
		const tasks: (() => void)[] = [];
		vi.stubGlobal("scheduler", { postTask: (task: () => void) => tasks.push(task) });
		const order: string[] = [];
		const turns = new Turns<string>((item) => {
			order.push(item);
			// Is behind the first turn, which is requested when this has returned.
			queueMicrotask(() => tasks.push(() => order.push("message")));
		});
		vi.unstubAllGlobals();
		turns.push("a");
		turns.push("b");
		for (await settled(); tasks.length > 0; await settled()) tasks.shift()?.();
		expect(order).toEqual(["a", "message", "b", "message"]);
	});

	it("uses the browser's task scheduler where it exists", async () => {
		const postTask = vi.fn(async (task: () => void) => void setTimeout(task));
		vi.stubGlobal("scheduler", { postTask });
		const started: string[] = [];
		const turns = new Turns<string>((item) => started.push(item));
		vi.unstubAllGlobals();
		turns.push("a");
		turns.push("b");
		await until(() => started.length === 2);
		expect(postTask).toHaveBeenCalled();
	});
});
