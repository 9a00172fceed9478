import { describe, expect, it } from "vitest";
import { arraysBy, type FromWorker, type ToWorker } from "../../src/worker/protocol.js";
import { Service } from "../../src/worker/service.js";
import { fakeCore } from "../support/fake-core.js";
import { settled } from "../support/sources.js";

const module = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
const OBJECTS: Readonly<Record<string, Uint8Array>> = {
	meta: Uint8Array.of(7),
	a: Uint8Array.of(1),
	b: Uint8Array.of(2),
	c: Uint8Array.of(3),
};

/** A service whose page answers each read immediately, and what it posted. */
function started(onAnswer: (id: number) => void = () => {}) {
	const { module: core } = fakeCore();
	const posted: FromWorker[] = [];
	const read: string[] = [];
	const service: Service = new Service({
		post: (message) => {
			posted.push(message);
			if (message.type === "answer") queueMicrotask(() => onAnswer(message.id));
			if (message.type !== "read") return;
			const { id, key } = message;
			read.push(key);
			const found = {
				type: "bytes",
				id,
				bytes: OBJECTS[key],
				absence: undefined,
			} as const;
			queueMicrotask(() => service.receive(found));
		},
		instantiate: async () => core,
	});
	service.receive({
		type: "init",
		module,
		byteBudget: 1000,
		missing: undefined,
		source: { kind: "page" },
		archive: undefined,
	});
	const ask = (id: number, array: string, spare: ArrayBuffer[] = []): void => {
		const query = arraysBy("rows", { array });
		service.receive({ type: "ask", id, query, prefetch: false, spare } as ToWorker);
	};
	const answers = () => posted.filter((message) => message.type === "answer");
	const until = async (condition: () => boolean): Promise<void> => {
		for (let i = 0; i < 100 && !condition(); i += 1) await settled();
		expect(condition()).toBe(true);
	};
	return { service, ask, answers, read, until };
}

describe("worker/service", () => {
	it("never starts a query that was aborted while it waited", async () => {
		const { service, ask, answers, read, until } = started((id) => {
			if (id === 2) service.receive({ type: "abort", id: 3 });
		});
		ask(1, "a");
		await until(() => answers().length === 1);
		ask(2, "a");
		ask(3, "b");
		ask(4, "c");
		await until(() => answers().length === 3);
		expect(answers().map(({ id }) => id)).toEqual([1, 2, 4]);
		expect(read).not.toContain("b");
	});

	it("writes the next result to a buffer that returned meanwhile", async () => {
		const { ask, answers, until } = started((id) => {
			if (id === 2) ask(4, "a", [new ArrayBuffer(24)]);
		});
		ask(1, "a");
		await until(() => answers().length === 1);
		ask(2, "a");
		ask(3, "a");
		await until(() => answers().length === 4);
		const sizes = answers().map(({ answer }) => answer.result?.buffer.byteLength);
		expect(sizes).toEqual([8, 8, 24, 8]);
	});
});
