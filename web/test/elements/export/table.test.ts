import { describe, expect, it } from "vitest";
import { BevError } from "../../../src/base/errors.js";
import { csvOf, jsonOf, type TableOf } from "../../../src/elements/export/table.js";
import { COLUMNS, rowsOf } from "../../../src/elements/export/table-rows.js";
import {
	type FakeOptions,
	fakeDataset,
	fakeFrame,
} from "../../support/fake-dataset.js";
import { withoutEgo } from "../../support/virtual-ego.js";

/** A table of a scene with `count` frames. */
function tableOf(who: TableOf["who"], count: number, options: FakeOptions = {}) {
	const { dataset, reads } = fakeDataset({ agents: 4, ...options });
	const of: TableOf = { dataset, scene: 1, frames: { begin: 0, end: count }, who };
	return { of, reads };
}

async function linesOf(csv: Promise<Blob>): Promise<string[][]> {
	const [heading, ...lines] = (await (await csv).text()).trimEnd().split("\r\n");
	expect(heading).toBe(COLUMNS.join(","));
	return lines.map((line) => line.split(","));
}

const column = (name: (typeof COLUMNS)[number]): number => COLUMNS.indexOf(name);

describe("a table without an ego vehicle", () => {
	it("has rows of the agents alone", () => {
		const frame = withoutEgo(fakeFrame(1, 0, 4));
		expect(rowsOf(frame, "all", []).map(({ track }) => track)).toEqual([
			...["1", "2", "3", "4"],
		]);
		expect(rowsOf(frame, "ego", [])).toEqual([]);
	});
});

describe("a table of one track", () => {
	it("reads every frame of the scene in order, cached or not", async () => {
		const { of, reads } = tableOf(3n, 600);
		const told: number[] = [];
		const held = (frame: number) =>
			frame < 320 ? fakeFrame(1, frame, frame === 2 ? 1 : 4) : undefined;
		const csv = csvOf(of, { held, onProgress: (done) => told.push(done) });
		const rows = await linesOf(csv);
		const all = Array.from({ length: 600 }, (_, frame) => frame);
		expect(rows.map((row) => Number(row[column("frame")]))).toEqual(
			all.filter((frame) => frame !== 2),
		);
		expect([...reads].sort((a, b) => a - b)).toEqual(all.slice(320));
		expect(told).toEqual(all.map((k) => k + 1));
		expect(rows[0]?.slice(0, 4)).toEqual(["1", "0", "1570735440000000000", "3"]);
		expect(rows[0]?.[column("label")]).toBe("Truck");
		expect(Number(rows[0]?.[column("length")])).toBeCloseTo(8.4, 5);
		expect(rows[2]?.[column("timestamp")]).toBe("1570735440300000000");
		const velocity = [column("velocity_x"), column("velocity_y")].map((at) =>
			Number(rows[0]?.[at]),
		);
		expect(Math.hypot(...velocity)).toBeCloseTo(7, 5);
	});

	it("never uses a frame of another scene", async () => {
		const { of, reads } = tableOf("ego", 5);
		const csv = csvOf(of, { held: (frame) => fakeFrame(0, frame, 4) });
		const rows = await linesOf(csv);
		expect(reads).toHaveLength(5);
		expect(rows.map((row) => row[column("scene")])).toEqual(Array(5).fill("1"));
	});

	it("fails with the frame's number if a frame cannot be read", async () => {
		const { of, reads } = tableOf("ego", 600, {
			beforeFrame: async (frame) => {
				if (frame === 100) throw new BevError("corrupt_chunk", "agents/1: cut short");
			},
		});
		await expect(csvOf(of)).rejects.toMatchObject({
			code: "corrupt_chunk",
			message: "scene 1, frame 100: agents/1: cut short",
		});
		expect(reads.length).toBeLessThan(110);
	});

	it("rejects with the signal's reason and stops reading", async () => {
		const control = new AbortController();
		const { of, reads } = tableOf("all", 600);
		const reading = csvOf(of, {
			signal: control.signal,
			onProgress: (done) => {
				if (done === 50) control.abort(new Error("enough"));
			},
		});
		await expect(reading).rejects.toThrow("enough");
		expect(reads.length).toBeLessThan(60);
	});
});

describe("a table of all agents", () => {
	it("contains ego and agents of each frame, in frame order", async () => {
		const { of, reads } = tableOf("all", 12, {
			// Reads finish in another order than the frames.
			beforeFrame: (frame) =>
				new Promise((resolve) => setTimeout(resolve, frame % 4 === 0 ? 20 : 0)),
		});
		const rows = await linesOf(csvOf(of));
		expect(reads).toHaveLength(12);
		const expected = Array.from({ length: 12 }, (_, frame) =>
			["ego", "1", "2", "3", "4"].map((track) => [String(frame), track]),
		).flat();
		expect(rows.map((row) => [row[column("frame")], row[column("track")]])).toEqual(
			expected,
		);
	});

	it("contains only the requested frames", async () => {
		const { of, reads } = tableOf("all", 248);
		const rows = await linesOf(csvOf({ ...of, frames: { begin: 84, end: 85 } }));
		expect(reads).toEqual([84]);
		expect(rows.map((row) => row[column("frame")])).toEqual(Array(5).fill("84"));
	});
});

describe("the text of a table", () => {
	/** Returns the first line of a track with the label `label`. */
	async function lineWith(label: string): Promise<string | undefined> {
		const { of } = tableOf(1n, 1);
		const labels = of.dataset.labels.map(() => label);
		const dataset = { frame: of.dataset.frame.bind(of.dataset), labels };
		return (await (await csvOf({ ...of, dataset })).text()).split("\r\n")[1];
	}

	it("writes unknown values as empty cells, and quotes as needed", async () => {
		const line = await lineWith('A "B", C');
		expect(line).toMatch(/^1,0,1570735440000000000,1,/);
		expect(line).toContain(",,"); // the speed in the first frame
		expect(line).toContain('"A ""b"", c"');
		const [ego] = rowsOf(fakeFrame(1, 0, 4), "ego", []);
		expect(ego).toMatchObject({ track: "ego", speed: null, velocity_x: null });
	});

	it.each(["=cmd|'/C calc'!A0", "+1", "-1", "@sum", "\tx"])(
		"writes the label %j as text, not as a formula",
		async (label) => {
			const line = await lineWith(label);
			expect(line?.toLowerCase()).toContain(`,'${label.toLowerCase()}`);
		},
	);

	it("writes JSON with scene, frames and track", async () => {
		const { of } = tableOf(2n, 3);
		const held = (frame: number) => (frame === 1 ? fakeFrame(1, frame, 0) : undefined);
		const read = JSON.parse(await (await jsonOf(of, { held })).text());
		expect(read).toMatchObject({ scene: 1, frames: [0, 2], track: "2" });
		expect(read.rows.map(({ frame }: { frame: number }) => frame)).toEqual([0, 2]);
		const none = await jsonOf({ ...of, who: 99n });
		expect(JSON.parse(await none.text()).rows).toEqual([]);
	});
});
