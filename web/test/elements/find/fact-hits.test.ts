import { describe, expect, it } from "vitest";
import { FactHits } from "../../../src/elements/find/fact-hits.js";
import { FindLoader, type Found } from "../../../src/elements/find/find-loader.js";
import type { ViewerDataset } from "../../../src/elements/session/dataset.js";
import {
	type Fact,
	type FactColumn,
	type FactDescription,
	FactTable,
} from "../../../src/facts/fact-table.js";

const metres = { dtype: "<f8", unit: "m" };

function closest(who: string): readonly Fact[] {
	const name = `closest_${who}`;
	return [
		{ name, ...metres, frame: `${name}_frame`, track: `${name}_track` },
		{ name: `${name}_frame`, dtype: "<i8", unit: "" },
		{ name: `${name}_track`, dtype: "<u8", unit: "" },
	];
}

const SCENES: readonly Fact[] = [
	{ name: "scene", dtype: "<i8", unit: "" },
	...closest("pedestrian"),
	...closest("cyclist"),
	{
		name: "ego_hardest_brake",
		dtype: "<f8",
		unit: "m/s^2",
		frame: "ego_hardest_brake_frame",
	},
	{ name: "ego_hardest_brake_frame", dtype: "<i8", unit: "" },
	{ name: "label", dtype: "|u1", unit: "", names: ["CAR", "PEDESTRIAN"] },
	{ name: "stationary", dtype: "<f8", unit: "" },
];
const DESCRIPTION: FactDescription = { version: 1, scenes: SCENES, tracks: [] };

type Row = Readonly<Record<string, number>>;

/** The scene of the report: a cyclist passes close, the pedestrian does not. */
const ROW: Row = {
	scene: 3,
	closest_pedestrian: 8.57,
	closest_pedestrian_frame: 0,
	closest_pedestrian_track: 8,
	closest_cyclist: 1.829,
	closest_cyclist_frame: 2,
	closest_cyclist_track: 3,
	ego_hardest_brake: -1.66,
	ego_hardest_brake_frame: 16,
	label: 1,
	stationary: 0.5,
};

function tableOf(rows: readonly Row[]): FactTable {
	const columns = SCENES.map((fact): FactColumn => {
		const values = rows.map((row) => row[fact.name] ?? 0);
		const data = fact.name.endsWith("_track")
			? BigUint64Array.from(values, BigInt)
			: Float64Array.from(values);
		return { ...fact, data };
	});
	return new FactTable(columns, []);
}

const CLOSE = "(closest_pedestrian < 2 or closest_cyclist < 2)";

/** Hits of one row in which only some of the filter's alternatives hold. */
function hitOf(where: string, held: readonly string[]) {
	const hits = new FactHits("scenes", DESCRIPTION, where);
	const passing = hits.clauses.map((clause) => ({
		clause,
		table: tableOf(held.includes(clause) ? [ROW] : []),
	}));
	return hits.of(tableOf([ROW]), 10, passing)[0];
}

describe("find/fact-hits", () => {
	it("a hit is the track and frame of the alternative that holds", () => {
		expect(hitOf(CLOSE, ["closest_cyclist < 2"])).toEqual({
			scene: 3,
			frame: 2,
			track: 3n,
			mark: 3n,
			follows: false,
			values: [{ name: "closest cyclist", text: "1.83 m", number: 1.829 }],
		});
		expect(hitOf(CLOSE, ["closest_pedestrian < 2"])).toMatchObject({
			frame: 0,
			track: 8n,
		});
	});

	it("other facts that hold tell where they happen", () => {
		const both = ["closest_pedestrian < 2", "closest_cyclist < 2"];
		const texts = (where: string) =>
			hitOf(where, both)?.values.map(({ name, text }) => `${name} ${text}`);
		expect(texts(CLOSE)).toEqual([
			"closest pedestrian 8.57 m",
			"closest cyclist 1.83 m (track 3, frame 2)",
		]);
		expect(texts("closest_cyclist < 2 and ego_hardest_brake < -1")).toEqual([
			"closest cyclist 1.83 m",
			"ego hardest brake \u22121.66 m/s\u00b2 (frame 16)",
		]);
	});

	it("only alternatives with a place are asked for", () => {
		const clauses = (where: string) =>
			new FactHits("scenes", DESCRIPTION, where).clauses;
		expect(clauses(CLOSE)).toEqual(["closest_pedestrian < 2", "closest_cyclist < 2"]);
		expect(clauses("stationary > 0.9 or closest_cyclist < 2")).toEqual([
			"closest_cyclist < 2",
		]);
		expect(clauses("closest_cyclist < 2 and stationary > 0.1")).toEqual([]);
	});

	it("the usual facts are read only if a hit may have none of its own", () => {
		const readsUsual = (where: string) =>
			new FactHits(
				"tracks",
				{ ...DESCRIPTION, tracks: SCENES },
				where,
			).columns.includes("label");
		for (const where of ["", "scene == 3", "scene == 3 or stationary > 0.9"])
			expect(readsUsual(where)).toBe(true);
		expect(readsUsual("not (closest_cyclist_frame > 2)")).toBe(true);
		for (const where of ["stationary > 0.9", "scene == 3 and stationary > 0.9", CLOSE])
			expect(readsUsual(where)).toBe(false);
	});

	it("a fact without a track is the ego vehicle's", () => {
		expect(hitOf("ego_hardest_brake < -1", [])).toMatchObject({
			...{ frame: 16, track: undefined, mark: "ego" },
		});
		expect(hitOf("stationary > 0.1", [])?.mark).toBeUndefined();
	});

	it("a tag is told where the scene has it, and begins at its first frame", () => {
		const scenes = [{}, {}, {}, { tags: { turning: [7, 8] } }];
		const where = "has_tag('turning') or has_tag(\"stopping\")";
		const hits = new FactHits("scenes", DESCRIPTION, where, { bevscope: { scenes } });
		expect(hits.of(tableOf([ROW]), 1)).toMatchObject([{ scene: 3, frame: 7 }]);
		const [hit] = hits.of(tableOf([ROW]), 1);
		const tags = hit?.values.filter(({ name }) => name === "tag");
		expect(tags?.map(({ text }) => text)).toEqual(["turning"]);
	});

	it("labels are words, and a negative number has a minus sign", () => {
		const hit = hitOf("label == 'PEDESTRIAN' and ego_hardest_brake < -1", []);
		expect(hit?.values.map(({ text }) => text)).toEqual([
			"Pedestrian",
			"\u22121.66 m/s\u00b2",
		]);
	});

	it("the search asks which alternatives hold, and lists the hit of the one", async () => {
		const asked: unknown[] = [];
		const dataset = {
			facts: () => ({
				describe: async () => DESCRIPTION,
				async *parts({ clauses = [] }: { clauses?: readonly string[] }) {
					asked.push(clauses);
					const passing = clauses.map((clause) => ({
						clause,
						table: tableOf(clause.includes("cyclist") ? [ROW] : []),
					}));
					yield { table: tableOf([ROW]), progress: { done: 1, of: 1 }, passing };
				},
			}),
		};
		let last: Found | undefined;
		const loader = new FindLoader(
			(found) => {
				last = found;
			},
			async () => undefined,
		);
		const filter = { table: "scenes", where: CLOSE } as const;
		await loader.run(dataset as unknown as ViewerDataset, filter);
		expect(asked).toEqual([["closest_pedestrian < 2", "closest_cyclist < 2"]]);
		expect(last?.hits).toMatchObject([{ scene: 3, frame: 2, track: 3n }]);
	});
});
