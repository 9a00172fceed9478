import { describe, expect, it } from "vitest";
import { openPage, runInPage, STRICT_CSP, serve, useServers } from "./harness.js";

const CHUNKS = 9;
const MIB = 2 ** 20;

/** An array of bytes: each chunk is a MiB of its own number. */
function big(): Record<string, Uint8Array | string> {
	const metadata = {
		zarr_format: 2,
		shape: [CHUNKS * MIB],
		chunks: [MIB],
		dtype: "|u1",
		compressor: null,
		filters: null,
		fill_value: 0,
		order: "C",
	};
	const chunks = Array.from({ length: CHUNKS }, (_, i) => [
		`/tiny.zarr/big/${i}`,
		new Uint8Array(MIB).fill(i + 1),
	]);
	return {
		...Object.fromEntries(chunks),
		"/tiny.zarr/big/.zarray": JSON.stringify(metadata),
	};
}

const at = useServers({ server: () => serve(big()) });

/** Reads the array in pieces of a chunk: `width` at a time. What each begins and ends with. */
async function readAll(width: number): Promise<(number | undefined)[][]> {
	const { page, complaints } = await openPage(at.browser, at.server);
	const url = `${at.server.origin}/tiny.zarr?width=${width}`;
	const got = await runInPage(
		page,
		async ({ lib, url }) => {
			const width = Number(new URL(url).searchParams.get("width"));
			const dataset = await lib.ChunkedDataset.open(url.replace(/\?.*/, ""));
			const array = await dataset.array("big");
			const [size = 1] = array.chunks;
			const ends: (number | undefined)[][] = [];
			let next = 0;
			const one = async (): Promise<void> => {
				while (next * size < array.length) {
					const chunk = next++;
					const rows = await array.rows(chunk * size, (chunk + 1) * size);
					const { data } = rows.column("");
					ends[chunk] = [Number(data[0]), Number(data.at(-1)), data.length];
					rows.release();
				}
			};
			await Promise.all(Array.from({ length: width }, one));
			dataset.close();
			return ends;
		},
		url,
	);
	expect(complaints.filter((said) => !said.includes("404"))).toEqual([]);
	return got;
}

const expected = Array.from({ length: CHUNKS }, (_, i) => [i + 1, i + 1, MIB]);

describe("browser/bulk: much of an array", () => {
	it("comes by a second worker, under a strict policy", async () => {
		at.server.csp = STRICT_CSP;
		expect(await readAll(1)).toEqual(expected);
		expect(at.server.asked("/dist/worker.js")).toHaveLength(2);
		expect(at.server.asked("/tiny.zarr/big/")).toHaveLength(CHUNKS + 1);
	});

	it("comes once, however many chunks are asked for at a time", async () => {
		expect(await readAll(6)).toEqual(expected);
		expect(at.server.asked("/tiny.zarr/big/")).toHaveLength(CHUNKS + 1);
	});
});
