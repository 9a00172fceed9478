import { beforeAll, describe, expect, it } from "vitest";
import { ChunkedDataset, MemorySource } from "../../src/index.js";
import {
	commitParts,
	DataLoader,
	DataSaver,
	MemoryStore,
	raggedOf,
	toMap,
} from "../../src/save.js";

const CONFIG = {
	name: "drive",
	attributes: {
		label: "<i4",
		lidar: { dtype: "<f4", shape: [null, 4] },
		front: { kind: "image", contentType: "image/png" },
		note: { kind: "text", nullable: true },
		speed: { dtype: "<f4", nullable: true },
	},
	maxObjectSize: 1024,
} as const;

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

function imageOf(row: number): Uint8Array {
	const bytes = new Uint8Array(8 + (row % 50)).fill(row);
	bytes.set(PNG);
	return bytes;
}

const pointsOf = (row: number) => new Float32Array((row % 5) * 4).fill(row);
const noteOf = (row: number) => (row % 3 === 0 ? undefined : `Zeile ${row} €`);

function joined<T extends Uint8Array | Float32Array>(
	rows: readonly T[],
	width: number,
) {
	const offsets = Uint32Array.from([0, ...rows.map((row) => row.length / width)]);
	for (let i = 1; i < offsets.length; i += 1) {
		offsets[i] = (offsets[i] ?? 0) + (offsets[i - 1] ?? 0);
	}
	return { offsets, all: rows.flatMap((row) => [...row]) };
}

function batchOf(begin: number, end: number) {
	const rows = Array.from({ length: end - begin }, (_, i) => begin + i);
	const lidar = joined(rows.map(pointsOf), 4);
	const front = joined(rows.map(imageOf), 1);
	const utf8 = new TextEncoder();
	const note = joined(
		rows.map((row) => utf8.encode(noteOf(row) ?? "")),
		1,
	);
	return {
		label: Int32Array.from(rows),
		lidar: Float32Array.from(lidar.all),
		"lidar.offsets": lidar.offsets,
		front: Uint8Array.from(front.all),
		"front.offsets": front.offsets,
		note: Uint8Array.from(note.all),
		"note.offsets": note.offsets,
		"note.valid": Uint8Array.from(rows, (row) => (row % 3 === 0 ? 0 : 1)),
		speed: Float32Array.from(rows),
		"speed.valid": Uint8Array.from(rows, (row) => row % 2),
	};
}

const objects = new Map<string, Uint8Array<ArrayBuffer>>();

beforeAll(async () => {
	const parts = new MemoryStore();
	const destination = toMap(objects);
	for (const [number, begin] of [
		[1, 60],
		[0, 0],
	] as const) {
		const saver = await DataSaver.open(CONFIG, destination, { saver: number, parts });
		for (let row = begin; row < begin + 60; row += 20) {
			await saver.save(batchOf(row, row + 20));
		}
		await saver.finish();
	}
	expect(await commitParts(destination, { parts })).toBe(120);
});

describe("saving: fields of variable length", () => {
	it("are loaded as they were saved", async () => {
		using loader = await DataLoader.open(objects);
		expect(loader.config.attributes.lidar).toEqual({
			dtype: "<f4",
			shape: [null, 4],
			kind: "array",
		});
		expect(loader.config.attributes.front).toEqual({
			kind: "image",
			contentType: "image/png",
		});
		const rows = await loader.rows(50, 70);
		const lidar = raggedOf(rows, "lidar");
		const front = raggedOf(rows, "front");
		const note = raggedOf(rows, "note");
		expect(lidar.length).toBe(20);
		for (let i = 0; i < 20; i += 1) {
			expect(lidar.at(i)).toEqual(pointsOf(50 + i));
			expect(front.at(i)).toEqual(imageOf(50 + i));
			const bytes = note.at(i) as Uint8Array | undefined;
			expect(bytes && new TextDecoder().decode(bytes)).toBe(noteOf(50 + i));
		}
		const { "speed.valid": valid } = await loader.items([3, -1, 4]);
		expect([...(valid?.data ?? [])].map(Number)).toEqual([1, 1, 0]);
	});

	it("are columns of the table rows", async () => {
		using dataset = await ChunkedDataset.open(new MemorySource(objects));
		const reader = dataset.reader({
			from: "rows",
			where: "label >= 55 and speed > 0",
			fields: ["label", "front", "note", "lidar"],
		});
		const explained = await reader.explain();
		expect(explained.fields.map(({ name, kind }) => [name, kind])).toEqual([
			["label", undefined],
			["front", "image"],
			["note", "text"],
			["lidar", "array"],
			["note.valid", undefined],
		]);
		let rows = 0;
		for await (const batch of reader) {
			const labels = batch.column("label").data;
			const front = batch.columns.ragged("front");
			const lidar = batch.columns.ragged("lidar");
			const notes = batch.columns.strings("note");
			expect(front.length).toBe(batch.length);
			for (let i = 0; i < batch.length; i += 1) {
				const row = Number(labels[i]);
				expect(front.at(i)).toEqual(imageOf(row));
				expect(lidar.at(i)).toEqual(pointsOf(row));
				expect(notes[i]).toBe(noteOf(row) ?? "");
			}
			rows += batch.length;
		}
		expect(rows).toBe(33); // those with an odd number from 55 to 119
	});

	it("are refused if they do not match", async () => {
		using saver = await DataSaver.open(CONFIG, toMap(new Map()));
		const save = (change: object) => saver.save({ ...batchOf(0, 4), ...change });
		await expect(save({ "lidar.offsets": Uint32Array.of(0, 1) })).rejects.toThrow(
			/lidar.offsets/,
		);
		await expect(save({ front: new Uint8Array(100) })).rejects.toThrow(/front/);
		await expect(save({ "note.valid": Uint8Array.of(2, 0, 0, 1) })).rejects.toThrow(
			/note.valid/,
		);
		await expect(
			DataSaver.open(
				{ name: "d", attributes: { a: { kind: "video" as "text" } } },
				toMap(new Map()),
			),
		).rejects.toThrow(/kind of a/);
	});
});
