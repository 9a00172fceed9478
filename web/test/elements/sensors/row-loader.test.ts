import { describe, expect, it, vi } from "vitest";
import { RowLoader } from "../../../src/elements/sensors/row-loader.js";

interface Asked {
	readonly row: number;
	readonly signal: AbortSignal;
	readonly answer: (value: string | undefined) => Promise<void>;
	readonly fail: (why: string) => Promise<void>;
}

const tick = () => new Promise<void>((resolve) => setTimeout(resolve));
const at = (row: number) => ({ frame: row, row });

function made(budget = 1e6) {
	const asked: Asked[] = [];
	const release = vi.fn<(value: string) => void>();
	const onChange = vi.fn<() => void>();
	const loader = new RowLoader<string>({
		read: (row, signal) =>
			new Promise((resolve, reject) => {
				const after = (act: () => void) => {
					act();
					return tick();
				};
				asked.push({
					...{ row, signal },
					answer: (value) => after(() => resolve(value)),
					fail: (why) => after(() => reject(new Error(why))),
				});
			}),
		bytesOf: () => 1000,
		...{ release, onChange, budget },
	});
	const of = (row: number) => asked.filter((one) => one.row === row).at(-1) as Asked;
	return {
		loader,
		asked,
		of,
		release,
		onChange,
		rows: () => asked.map(({ row }) => row),
	};
}

describe("row-loader", () => {
	it("shows a row once it is read, and the one before it until then, with its frame", async () => {
		const { loader, of, onChange } = made();
		expect(loader.shown).toBeUndefined();
		loader.want(at(1));
		expect(loader.shown).toEqual({ state: "late", before: undefined });
		await of(1).answer("one");
		expect(loader.shown).toEqual({ state: "current", value: "one" });
		loader.want(at(2));
		expect(loader.shown).toMatchObject({
			state: "late",
			before: { frame: 1, value: "one" },
		});
		await of(2).answer(undefined);
		expect(loader.shown).toEqual({ state: "null" });
		expect(onChange).toHaveBeenCalledTimes(4);
	});

	it("aborts reads of rows that are not wanted any more, and drops their late answers", async () => {
		const { loader, of, release } = made();
		loader.want(at(1));
		loader.want(at(2));
		expect(of(1).signal.aborted).toBe(true);
		await of(2).answer("two");
		await of(1).answer("one");
		expect(loader.shown).toEqual({ state: "current", value: "two" });
		expect(release).toHaveBeenCalledExactlyOnceWith("one");
	});

	it.each([
		["first", [1, 2]],
		["last", [2, 1]],
	])(
		"while playing, shows no earlier row after a later one: earlier %s",
		async (_, order) => {
			const { loader, of } = made();
			loader.want(at(1), [], true);
			loader.want(at(2), [], true);
			loader.want(at(3), [], true); // waits: two are being read
			const seen = [];
			for (const row of order) {
				await of(row).answer(`row ${row}`);
				seen.push(loader.shown);
			}
			const late = (frame: number) => ({
				state: "late",
				before: { frame, value: `row ${frame}` },
			});
			expect(seen).toMatchObject([late(order[0] ?? 0), late(2)]);
			await of(3).answer("row 3");
			expect(loader.shown).toEqual({ state: "current", value: "row 3" });
		},
	);

	it("reads ahead, and shows such a row at once when it is wanted", async () => {
		const { loader, of, rows } = made();
		loader.want(at(1), [at(2), at(3)], true);
		expect(rows()).toEqual([1, 2]);
		await of(2).answer("two");
		expect(loader.shown).toEqual({ state: "late", before: undefined });
		await of(1).answer("one");
		loader.want(at(2), [at(3), at(4)], true);
		expect(loader.shown).toEqual({ state: "current", value: "two" });
		expect(rows()).toEqual([1, 2, 3, 4]);
	});

	it("says why a row failed, and reads it again on request or return", async () => {
		const { loader, of, rows } = made();
		loader.want(at(1));
		await of(1).fail("no network");
		expect(loader.shown).toEqual({ state: "failed", why: "no network" });
		loader.want(at(1));
		expect(rows()).toEqual([1]);
		loader.retry();
		await of(1).answer("one");
		expect(loader.shown).toEqual({ state: "current", value: "one" });
	});

	it("releases the least recently used rows above the budget, never what is shown", async () => {
		const { loader, of, release, rows } = made(3000);
		for (const row of [1, 2, 3]) {
			loader.want(at(row));
			await of(row).answer(`row ${row}`);
		}
		expect(release).toHaveBeenCalledExactlyOnceWith("row 1");
		loader.want(at(2));
		loader.want(at(4));
		await of(4).answer("row 4");
		expect(release).toHaveBeenLastCalledWith("row 3");
		loader.want(at(2));
		expect(loader.shown).toEqual({ state: "current", value: "row 2" });
		expect(rows()).toEqual([1, 2, 3, 4]);
		loader.clear();
		expect(release).toHaveBeenCalledTimes(4);
	});

	it("keeps one value that is larger than the budget", async () => {
		const { loader, of, release } = made(10);
		loader.want(at(1));
		await of(1).answer("one");
		expect(loader.shown).toEqual({ state: "current", value: "one" });
		expect(release).not.toHaveBeenCalled();
	});

	it("shows nothing of an earlier row after a frame without a row", async () => {
		const { loader, of } = made();
		loader.want(at(1), [], true);
		loader.want(undefined, [], true);
		await of(1).answer("one");
		expect(loader.shown).toBeUndefined();
		loader.want(at(2));
		expect(loader.shown).toEqual({ state: "late", before: undefined });
	});
});
