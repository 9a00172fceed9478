import { describe, expect, it } from "vitest";
import { ResultArrays } from "../../src/arrays/result.js";
import { iterate } from "../../src/samples/iterate.js";
import type { SamplesOptions } from "../../src/samples/options.js";
import { type Sample, sampleOf } from "../../src/samples/sample.js";
import type { SampleAt } from "../../src/worker/protocol.js";

const places = (count: number): SampleAt[] =>
	Array.from({ length: count }, (_, frame) => ({ frame }));

/** A sample that contains its frame indices. */
function answers() {
	const asked: number[][] = [];
	const released: number[] = [];
	const signals: AbortSignal[] = [];
	const ask = async (
		at: readonly SampleAt[],
		stacked: boolean,
		signal: AbortSignal,
	): Promise<Sample> => {
		const frames = at.map((place) => ("frame" in place ? place.frame : -1));
		asked.push(frames);
		signals.push(signal);
		const array = {
			name: "frame_index",
			dtype: "<f8",
			shape: stacked ? [frames.length] : [],
			view: "Float64Array",
			byteOffset: 0,
			length: frames.length,
		} as const;
		const { buffer } = Float64Array.from(frames);
		const packed = { arrays: [array], buffer };
		return sampleOf(new ResultArrays(packed, () => released.push(frames[0] ?? -1)));
	};
	return { asked, released, signals, ask };
}

const take = async (
	count: number,
	ask: ReturnType<typeof answers>["ask"],
	options: SamplesOptions,
) => {
	const seen: unknown[] = [];
	for await (const { frame_index } of iterate(places(count), ask, options)) {
		seen.push([...Array.from<unknown>(frame_index.data)]);
	}
	return seen;
};

describe("samples/iterate", () => {
	it("yields samples in order, or batches of which the last may be smaller", async () => {
		const { ask } = answers();
		expect(await take(3, ask, {})).toEqual([[0], [1], [2]]);
		expect(await take(5, ask, { batch: 2 })).toEqual([[0, 1], [2, 3], [4]]);
		expect(await take(0, ask, { batch: 2 })).toEqual([]);
	});

	it("requests the given number ahead", async () => {
		const { ask, asked } = answers();
		const samples = iterate(places(9), ask, { prefetch: 3 });
		await samples.next();
		expect(asked).toEqual([[0], [1], [2], [3]]);
		await samples.return();
	});

	it("recycles memory with the next sample, if requested", async () => {
		const { ask, released } = answers();
		const samples = iterate(places(3), ask, { recycle: true, prefetch: 0 });
		const { value } = await samples.next();
		expect(released).toEqual([]);
		expect(value?.frame_index.data[0]).toBe(0);
		await samples.next();
		expect(released).toEqual([0]);
		await samples.return();
	});

	it("cancels pending samples and frees memory when ended", async () => {
		const { ask, released, signals } = answers();
		for await (const _ of iterate(places(9), ask, { prefetch: 2 })) break;
		expect(signals.every(({ aborted }) => aborted)).toBe(true);
		await new Promise((resolve) => setTimeout(resolve));
		expect(released).toEqual([1, 2]);
	});

	it("rejects with the abort's reason, before or during iteration", async () => {
		const { ask, asked } = answers();
		const signal = AbortSignal.abort(new Error("not at all"));
		await expect(take(3, ask, { signal })).rejects.toThrow("not at all");
		expect(asked).toEqual([]);
		const control = new AbortController();
		const samples = iterate(places(9), ask, { signal: control.signal });
		await samples.next();
		control.abort(new Error("enough"));
		await expect(samples.next()).rejects.toThrow("enough");
	});

	it("rejects with a sample's failure in order", async () => {
		const { ask } = answers();
		const failing: typeof ask = (at, ...rest) =>
			"frame" in (at[0] ?? {}) && (at[0] as { frame: number }).frame === 1
				? Promise.reject(new Error("broken"))
				: ask(at, ...rest);
		const samples = iterate(places(4), failing, { prefetch: 3 });
		expect((await samples.next()).done).toBe(false);
		await expect(samples.next()).rejects.toThrow("broken");
	});

	it("rejects invalid batch and prefetch values", async () => {
		const { ask } = answers();
		await expect(take(1, ask, { batch: 0 })).rejects.toThrow(
			"batch: invalid value (found 0, expected an integer from 1)",
		);
		await expect(take(1, ask, { prefetch: 1.5 })).rejects.toThrow(
			"prefetch: invalid value (found 1.5, expected an integer from 0)",
		);
	});
});
