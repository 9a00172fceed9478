import { describe, expect, it } from "vitest";
import { BevError } from "../../src/base/errors.js";
import { type FromPortWorker, LocalPort, WorkerPort } from "../../src/core/port.js";
import { pageTools } from "../../src/elements/session/page-tools.js";

const core = await pageTools();
const MODULE = {} as WebAssembly.Module;

/** A worker that keeps what it is sent. */
function fakeWorker() {
	const sent: { readonly id: number; readonly call: object }[] = [];
	const worker = {
		postMessage: (message: never) => sent.push(message),
		terminate: () => sent.push("terminated" as never),
		onmessage: undefined as unknown as (event: { data: FromPortWorker }) => void,
		onerror: undefined as unknown as (event: object) => void,
	};
	return { worker, sent, port: new WorkerPort(worker as never, MODULE, "thing") };
}

describe("core/port", () => {
	it("gives each answer to its call, in any order", async () => {
		const { worker, sent, port } = fakeWorker();
		const [a, b] = [port.run("comparison", {}), port.task("draw")];
		expect(sent.map(({ call }) => call)).toEqual([
			undefined,
			{ name: "comparison", given: {} },
			{ task: "draw" },
		]);
		worker.onmessage({ data: { type: "answer", id: 1, value: "drawn" } });
		worker.onmessage({ data: { type: "answer", id: 0, value: 7 } });
		expect(await Promise.all([a, b])).toEqual([7, "drawn"]);
	});

	it("ends pending and later calls when it is closed, or the worker fails", async () => {
		for (const end of ["close", "fail"] as const) {
			const { worker, sent, port } = fakeWorker();
			const pending = port.run("comparison", {});
			if (end === "close") port.close();
			else worker.onerror({ message: "gone", preventDefault: () => {} });
			await expect(pending).rejects.toThrow(
				end === "close" ? "thing: released" : "thing: worker failed: gone",
			);
			await expect(port.run("comparison", {})).rejects.toThrow(BevError);
			expect(sent.at(-1)).toBe("terminated");
			port.release(3);
		}
	});

	it("without a worker, answers in order and rejects with BevErrors", async () => {
		const port = new LocalPort(core, (_core, task) => `did ${task}`, "thing");
		const order: string[] = [];
		const note = (name: string) => (): void => void order.push(name);
		const shape = port.run("review_shape", { review: 0 });
		await Promise.all([
			shape.catch((error) => {
				expect(error).toBeInstanceOf(BevError);
				order.push("shape");
			}),
			port.run("comparison", {}).then(note("comparison")),
			port.task("it").then((value) => order.push(String(value))),
		]);
		expect(order).toEqual(["shape", "comparison", "did it"]);
		port.close();
		await expect(port.task("more")).rejects.toThrow("thing: released");
	});
});
