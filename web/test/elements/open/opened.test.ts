import { describe, expect, it } from "vitest";
import type { ChunkedDataset } from "../../../src/dataset/dataset.js";
import { openedOf } from "../../../src/elements/open/opened.js";
import { MAP_KEYS } from "../../../src/elements/open/places.js";
import { MemorySource, type Source } from "../../../src/source/source.js";

/** A data set that records the sources of the maps that it is asked for. */
function datasetWith(attrs: Readonly<Record<string, unknown>>) {
	const sources: unknown[] = [];
	const dataset = {
		attrs,
		description: { arrays: { scenes: {}, frames: {}, agents: {} } },
		map: async ({ source }: { source: Source }) => {
			sources.push(source);
			return { found: true };
		},
	};
	return { dataset: dataset as unknown as ChunkedDataset, sources };
}

const meta = () => new MemorySource(new Map([["meta.json", new Uint8Array([1])]]));

describe("openedOf", () => {
	const own = meta();
	const parent = meta();

	async function mapSources(attrs: Readonly<Record<string, unknown>>) {
		const { dataset, sources } = datasetWith(attrs);
		const opened = openedOf({
			dataset,
			folders: () => [parent],
			own: () => own,
			mapKeys: MAP_KEYS,
		});
		expect(await opened.findMap({})).toEqual({ found: true });
		return sources;
	}

	it("finds the map of a converted data set in its own folder", async () => {
		const map = "semantic_map/semantic_map.pb";
		expect(await mapSources({ bevscope: { map } })).toEqual([own]);
	});

	it("reads nothing in the folder of other data sets", async () => {
		for (const attrs of [{}, { bevscope: { source: "argoverse2" } }, { bevscope: 3 }]) {
			expect(await mapSources(attrs)).toEqual([parent]);
		}
	});

	it("continues in the parent folders if the map is absent", async () => {
		const { dataset, sources } = datasetWith({ bevscope: { map: "m" } });
		const absent = () => new MemorySource(new Map());
		const opened = openedOf({
			dataset,
			folders: () => [parent],
			own: absent,
			mapKeys: MAP_KEYS,
		});
		await opened.findMap({});
		expect(sources).toEqual([parent]);
	});
});
