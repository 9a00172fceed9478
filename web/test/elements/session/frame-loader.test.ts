import { describe, expect, it } from "vitest";
import type { FrameOptions } from "../../../src/api.js";
import { FrameLoader } from "../../../src/elements/session/frame-loader.js";
import { fakeDataset } from "../../support/fake-dataset.js";

interface Read {
	readonly frame: number;
	readonly signal: AbortSignal | undefined;
	readonly sequential: boolean | undefined;
	done(): void;
	fail(error: Error): void;
}

/** A loader whose reads are answered by the test; `rests` are those of parts. */
function manual(count: number) {
	const reads: Read[] = [];
	const rests: (Read & FrameOptions)[] = [];
	const changes: number[] = [];
	const { dataset } = fakeDataset({
		frames: count,
		agents: 2,
		beforeFrame: (frame, { signal, sequential, agents, lights }) =>
			new Promise((resolve, reject) => {
				const read = { frame, signal, sequential, done: resolve, fail: reject };
				if (agents === undefined) reads.push(read);
				else rests.push({ ...read, agents, lights });
			}),
	});
	const loader = new FrameLoader({
		dataset,
		scene: 0,
		count,
		past: 25,
		future: 0,
		threshold: 0.5,
		onChange: (frame) => void changes.push(frame),
	});
	const settle = () => new Promise((resolve) => setTimeout(resolve));
	return { loader, reads, rests, changes, settle };
}

describe("FrameLoader", () => {
	it("reads the current frame alone, then the next frames, a few at a time", async () => {
		const { loader, reads, settle } = manual(100);
		loader.focus(10);
		expect(reads.map(({ frame }) => frame)).toEqual([10]);
		reads[0]?.done();
		await settle();
		expect(reads.map(({ frame }) => frame)).toEqual([10, 11, 12, 13, 14]);
	});

	it("reads ranges for the current frame, and whole chunks ahead", async () => {
		const { loader, reads, settle } = manual(3);
		loader.focus(0);
		reads[0]?.done();
		await settle();
		expect(reads.map(({ sequential }) => sequential)).toEqual([false, true, true]);
	});

	it("does not wait for a previous frame after a seek", async () => {
		const { loader, reads, settle } = manual(100);
		loader.focus(0);
		reads[0]?.done();
		await settle();
		loader.focus(50);
		loader.focus(0);
		expect(reads.slice(5).map(({ frame }) => frame)).toEqual([50, 1, 2, 3]);
	});

	it("reads forward to the scene's end, then backward", async () => {
		const { loader, reads, changes, settle } = manual(6);
		loader.focus(4);
		while (reads.some(({ frame }) => !loader.has(frame))) {
			for (const read of reads) read.done();
			await settle();
		}
		expect(reads.map(({ frame }) => frame)).toEqual([4, 5, 3, 2, 1, 0]);
		expect(loader.ranges).toEqual([{ begin: 0, end: 6 }]);
		expect(changes).toEqual([4, 5, 3, 2, 1, 0]);
		expect(loader.failedRanges).toEqual([]);
	});

	it("aborts outdated reads on a seek and starts there immediately", async () => {
		const { loader, reads, settle } = manual(300);
		loader.focus(0);
		reads[0]?.done();
		await settle();
		loader.focus(200);
		expect(reads.slice(1, 5).every(({ signal }) => signal?.aborted)).toBe(true);
		reads[5]?.done();
		await settle();
		expect(reads.slice(5).map(({ frame }) => frame)).toEqual([200, 201, 202, 203, 204]);
	});

	it("continues reading ahead while moving through cached frames", async () => {
		const { loader, reads, settle } = manual(100);
		loader.focus(0);
		reads[0]?.done();
		await settle();
		reads[1]?.done();
		await settle();
		loader.focus(1);
		expect(reads.some(({ signal }) => signal?.aborted)).toBe(false);
	});

	it("returns the nearest cached frame", async () => {
		const { loader, reads, settle } = manual(100);
		expect(loader.nearest(5)).toBeUndefined();
		loader.focus(10);
		reads[0]?.done();
		await settle();
		reads[3]?.done();
		await settle();
		expect(loader.nearest(99)?.frame).toBe(13);
		expect(loader.nearest(11)?.frame).toBe(10);
	});

	it("remembers failures with their reasons, and retries only on request", async () => {
		const { loader, reads, changes, settle } = manual(4);
		loader.focus(0);
		reads[0]?.fail(new Error("HTTP 500"));
		await settle();
		reads[2]?.fail(new Error("cut short"));
		reads[1]?.done();
		reads[3]?.done();
		await settle();
		expect([...changes].sort()).toEqual([0, 1, 2, 3]);
		expect(loader.failure(0)?.error).toMatchObject({ message: "HTTP 500" });
		expect(loader.failure(2)?.error).toMatchObject({ message: "cut short" });
		expect(loader.failedRanges).toEqual([
			{ begin: 0, end: 1 },
			{ begin: 2, end: 3 },
		]);
		for (const frame of [0, 1, 2, 3, 2, 0]) loader.focus(frame);
		expect(reads.map(({ frame }) => frame)).toEqual([0, 1, 2, 3]);
		loader.retry();
		expect(loader.failure(0)).toBeUndefined();
		reads[4]?.done();
		await settle();
		expect(reads.slice(4).map(({ frame }) => frame)).toEqual([0, 2]);
	});

	it("reads what is readable of a failed frame, once it is the focus", async () => {
		const { loader, reads, rests, changes, settle } = manual(3);
		loader.focus(0);
		reads[0]?.done();
		await settle();
		reads[1]?.fail(new Error("agents/1: cut short"));
		await settle();
		expect(rests).toEqual([]);
		loader.focus(1);
		await settle();
		expect(rests[0]).toMatchObject({ frame: 1, agents: false, lights: true });
		rests[0]?.fail(new Error("agents/1: cut short"));
		await settle();
		expect(rests[1]).toMatchObject({ frame: 1, agents: true, lights: false });
		changes.length = 0;
		rests[1]?.done();
		await settle();
		expect(changes).toEqual([1]);
		const { rest } = loader.failure(1) ?? {};
		expect(rest).toMatchObject({ unread: ["lights"], made: { frame: 1 } });
		loader.focus(0);
		loader.focus(1);
		await settle();
		expect(rests).toHaveLength(2);
	});

	it("ends the read of what is readable when the focus moves", async () => {
		const { loader, reads, rests, settle } = manual(2);
		loader.focus(0);
		reads[0]?.fail(new Error("cut short"));
		await settle();
		loader.focus(1);
		expect(rests[0]?.signal?.aborted).toBe(true);
		rests[0]?.done();
		await settle();
		expect(loader.failure(0)?.rest).toBeUndefined();
		loader.focus(0);
		await settle();
		for (const part of [1, 2, 3]) {
			rests[part]?.fail(new Error("cut short"));
			await settle();
		}
		expect(rests).toHaveLength(4);
		expect(loader.failure(0)).toMatchObject({ rest: undefined });
	});

	it("is silent after dispose", async () => {
		const { loader, reads, changes, settle } = manual(100);
		loader.focus(0);
		loader.dispose();
		reads[0]?.done();
		await settle();
		expect(reads[0]?.signal?.aborted).toBe(true);
		expect(changes).toEqual([]);
		expect(loader.has(0)).toBe(false);
	});
});
