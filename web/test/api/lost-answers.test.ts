import { afterEach, describe, expect, it, vi } from "vitest";
import { GOLDENS } from "../../../tests/support/goldens.js";
import { FaultyServer } from "../../../tests/support/http-server.js";
import { ChunkedDataset, FetchSource } from "../../src/index.js";

/** The result that a lost response must not change. */
async function contents(url: string) {
	const source = new FetchSource(url, { retry: { delayMs: 1 } });
	using dataset = await ChunkedDataset.open(source);
	const { lights } = await dataset.frame(0, 30);
	return {
		faces: dataset.traffic_light_faces.length,
		lights: lights.length,
		labels: dataset.labels,
		presumedAbsent: dataset.stats.presumedAbsent,
	};
}

afterEach(() => vi.unstubAllGlobals());

describe.runIf(GOLDENS)("api/lost-answers: data of another origin", () => {
	it.each(["single_scene", "multi_scene"])(
		"%s stays whole",
		async (set) => {
			vi.stubGlobal("origin", "https://page.test");
			const folders = { "/": `${GOLDENS}/inputs` };
			const server = await FaultyServer.start({ folders });
			try {
				const url = `${server.origin}/${set}.zarr`;
				const good = await contents(url);
				expect(good.faces).toBeGreaterThan(0);
				expect(good.lights).toBeGreaterThan(0);
				expect(good.presumedAbsent).toEqual([]);
				for (const key of [".zattrs", "traffic_light_faces/.zarray"]) {
					for (const fault of [{ reset: true }, { cutAfter: 5 }]) {
						const match = new RegExp(`/${key.replaceAll(".", "\\.")}$`);
						server.fault({ match, times: 3, ...fault });
						expect(await contents(url)).toEqual(good);
					}
				}
			} finally {
				await server.close();
			}
		},
		120_000,
	);
});
