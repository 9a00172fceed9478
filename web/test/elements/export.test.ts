import { describe, expect, it } from "vitest";
import { csvOf, jsonOf, readTrack } from "../../src/elements/export/track-table.js";
import { BevError } from "../../src/errors.js";
import { type FakeOptions, fakeDataset, fakeFrame } from "../support/fake-dataset.js";

/** A track of a scene of `count` frames. */
function trackOf(selection: bigint | "ego", count: number, options: FakeOptions = {}) {
	const { dataset, reads } = fakeDataset({ agents: 4, ...options });
	return { of: { dataset, scene: 1, count, selection }, reads };
}

describe("readTrack", () => {
	it("reads every frame of the scene, held or not, in order", async () => {
		const { of, reads } = trackOf(3n, 600);
		const told: number[] = [];
		const held = (frame: number) =>
			frame < 320 ? fakeFrame(1, frame, frame === 2 ? 1 : 4) : undefined;
		const rows = await readTrack(of, { held, onProgress: (done) => told.push(done) });
		const all = Array.from({ length: 600 }, (_, frame) => frame);
		expect(rows.map(({ frame }) => frame)).toEqual(all.filter((frame) => frame !== 2));
		expect([...reads].sort((a, b) => a - b)).toEqual(all.slice(320));
		expect(told).toEqual(all.map((k) => k + 1));
		expect(rows[0]).toMatchObject({ label: "Truck", length: expect.closeTo(8.4, 5) });
		expect(rows[2]?.timestamp).toBe("1570735440300000000");
	});

	it("takes no frame of another scene for one of its own", async () => {
		const { of, reads } = trackOf("ego", 5);
		const rows = await readTrack(of, { held: (frame) => fakeFrame(0, frame, 4) });
		expect(reads).toHaveLength(5);
		expect(rows).toHaveLength(5);
	});

	it("gives nothing when a frame cannot be read, and says which", async () => {
		const { of, reads } = trackOf("ego", 600, {
			beforeFrame: async (frame) => {
				if (frame === 100) throw new BevError("corrupt_chunk", "agents/1: cut short");
			},
		});
		await expect(readTrack(of)).rejects.toMatchObject({
			code: "corrupt_chunk",
			message: "scene 1, frame 100: agents/1: cut short",
		});
		expect(reads.length).toBeLessThan(110);
	});

	it("ends with the reason of its signal, and asks for no more", async () => {
		const control = new AbortController();
		const { of, reads } = trackOf("ego", 600);
		const reading = readTrack(of, {
			signal: control.signal,
			onProgress: (done) => {
				if (done === 50) control.abort(new Error("enough"));
			},
		});
		await expect(reading).rejects.toThrow("enough");
		expect(reads.length).toBeLessThan(60);
	});
});

describe("a track as a table", () => {
	it("writes what is not known as nothing, and quotes what needs it", async () => {
		const rows = await readTrack(trackOf(1n, 1).of);
		const odd = rows.map((row) => ({ ...row, label: 'a "b", c' }));
		const [heading, line, end] = csvOf(odd).split("\r\n");
		expect(heading?.split(",").length).toBe(11);
		expect(line).toMatch(/^0,1570735440000000000,/);
		expect(line).toContain(",,"); // the speed of a first frame
		expect(line).toContain('"a ""b"", c"');
		expect(end).toBe("");
	});

	it.each(["=cmd|'/C calc'!A0", "+1", "-1", "@sum", "\tx"])(
		"writes the label %j as text, not as a formula",
		async (label) => {
			const [row] = await readTrack(trackOf(1n, 1).of);
			if (!row) throw new Error("no row");
			const [, line] = csvOf([{ ...row, label, yaw: -1.5 }]).split("\r\n");
			expect(line).toContain(`,'${label}`);
			expect(line).toContain(",-1.5,");
		},
	);

	it("writes JSON that says of which scene and track", async () => {
		const { of } = trackOf("ego", 3);
		const read = JSON.parse(jsonOf(of, await readTrack(of)));
		expect(read).toMatchObject({ scene: 1, track: "ego" });
		expect(read.frames.length).toBe(3);
	});
});
