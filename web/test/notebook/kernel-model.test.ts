import { describe, expect, it } from "vitest";
import type {
	WidgetListener,
	WidgetModel,
} from "../../src/notebook/kernel-messages.js";
import { KernelModel, optionsOf } from "../../src/notebook/kernel-model.js";

/** A widget whose kernel answers by a function. */
function widget(answer: (content: never, buffers: ArrayBuffer[]) => unknown) {
	const listeners = new Set<WidgetListener>();
	const sent: unknown[] = [];
	const model: WidgetModel = {
		get: () => null,
		set: () => {},
		save_changes: () => {},
		on: (_, listener) => void listeners.add(listener),
		off: (_, listener) => void listeners.delete(listener),
		send(content, _, buffers = []) {
			sent.push(content);
			const given = answer(content as never, buffers) as
				| { readonly buffers?: readonly ArrayBuffer[] }
				| undefined;
			if (!given) return;
			const { buffers: made = [], ...rest } = given;
			const { id } = content as { readonly id: string };
			const views = made.map((one) => new DataView(one));
			for (const listener of listeners)
				(listener as (...args: unknown[]) => void)(
					{ type: "answer", id, ...rest },
					views,
				);
		},
	};
	return { model, sent, listeners };
}

const INPUTS = {
	image: {
		type: "uint8",
		data: new Uint8Array([1, 2, 3, 4]).subarray(1),
		dims: [1, 3],
	},
	yaw: { data: new Float64Array([0.5]), type: "float64", dims: [1] },
} as const;

describe("notebook/kernel-model", () => {
	it("sends arrays with their types, and returns the kernel's outputs", async () => {
		const seen: number[][] = [];
		const { model, sent } = widget((_, buffers) => {
			seen.push(...buffers.map((one) => [...new Uint8Array(one)]));
			const outputs = [
				{ name: "positions", type: "float32", dims: [1, 1, 2] },
				{ name: "scores", type: "float64", dims: [1, 1] },
			];
			return {
				outputs,
				buffers: [new Float32Array([1, 2]).buffer, new Float64Array([1]).buffer],
			};
		});
		const kernel = new KernelModel(model);
		const outputs = await kernel.predict(INPUTS, {});
		expect(sent[0]).toMatchObject({
			type: "predict",
			inputs: [
				{ name: "image", type: "uint8", dims: [1, 3] },
				{ name: "yaw", type: "float64", dims: [1] },
			],
		});
		expect(seen).toEqual([
			[2, 3, 4],
			[0, 0, 0, 0, 0, 0, 224, 63],
		]);
		expect(outputs).toEqual({
			positions: { type: "float32", data: new Float32Array([1, 2]), dims: [1, 1, 2] },
			scores: { type: "float64", data: new Float64Array([1]), dims: [1, 1] },
		});
	});

	it("rejects with the kernel's error, and for outputs without bytes", async () => {
		const error = { code: "invalid_argument", message: "run failed: no weights" };
		const failing = new KernelModel(widget(() => ({ error })).model);
		await expect(failing.predict(INPUTS, {})).rejects.toMatchObject(error);
		const outputs = [{ name: "positions", type: "float32", dims: [1] }];
		const empty = new KernelModel(widget(() => ({ outputs })).model);
		await expect(empty.predict(INPUTS, {})).rejects.toThrow("positions: the kernel's");
	});

	it("tells the kernel what is not wanted any more", async () => {
		const { model, sent, listeners } = widget(() => undefined);
		const kernel = new KernelModel(model);
		const stop = new AbortController();
		const asked = kernel.predict(INPUTS, { signal: stop.signal });
		stop.abort(new Error("another frame"));
		await expect(asked).rejects.toThrow("another frame");
		expect(sent.at(-1)).toMatchObject({ type: "cancel" });
		const pending = kernel.predict(INPUTS, {});
		kernel.close();
		await expect(pending).rejects.toMatchObject({ code: "network" });
		expect(listeners.size).toBe(0);
	});

	it("leaves out options that the kernel does not give", () => {
		const sent = { name: "A", image: "u8", config: null, settings: null } as never;
		expect(optionsOf(sent)).toEqual({ name: "A", image: "u8" });
	});
});
