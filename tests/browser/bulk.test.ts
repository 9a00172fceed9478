import { describe, expect, it } from "vitest";
import { openPage, runInPage, STRICT_CSP, serve, useServers } from "./harness.js";

const CHUNKS = 9;
const MIB = 2 ** 20;

/** An array of bytes; each chunk is a MiB filled with its index. */
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

/**
 * Reads the first chunks, `width` at a time. Returns the first and last byte and length
 * of each.
 */
async function read(chunks: number, width: number): Promise<(number | undefined)[][]> {
	const { page, complaints } = await openPage(at.browser, at.server);
	const how = new URLSearchParams({ chunks: `${chunks}`, width: `${width}` });
	const got = await runInPage(
		page,
		async ({ lib, url }) => {
			const { origin, pathname, searchParams } = new URL(url);
			const count = Number(searchParams.get("chunks"));
			const dataset = await lib.ChunkedDataset.open(origin + pathname);
			const array = await dataset.array("big");
			const [size = 1] = array.chunks;
			const ends: (number | undefined)[][] = [];
			let next = 0;
			const one = async (): Promise<void> => {
				while (next < count) {
					const chunk = next++;
					const rows = await array.rows(chunk * size, (chunk + 1) * size);
					const { data } = rows.column("");
					ends[chunk] = [Number(data[0]), Number(data.at(-1)), data.length];
					rows.release();
				}
			};
			const width = Number(searchParams.get("width"));
			await Promise.all(Array.from({ length: width }, one));
			return ends;
		},
		`${at.server.origin}/tiny.zarr?${how}`,
	);
	expect(complaints.filter((said) => !said.includes("404"))).toEqual([]);
	return got;
}

const first = (count: number) =>
	Array.from({ length: count }, (_, i) => [i + 1, i + 1, MIB]);
const asked = () =>
	at.server.asked("/tiny.zarr/big/").filter((key) => key !== ".zarray");

describe("browser/bulk: reading ahead", () => {
	it("prefetches for a sequential reader, under a strict policy", async () => {
		at.server.csp = STRICT_CSP;
		expect(await read(2, 1)).toEqual(first(2));
		await expect.poll(() => asked().sort()).toEqual(["0", "1", "2", "3"]);
	});

	it("fetches each chunk once for any number of requests", async () => {
		for (const width of [1, 6]) {
			at.server.reset();
			expect(await read(CHUNKS, width)).toEqual(first(CHUNKS));
			expect(asked().sort()).toEqual(Array.from({ length: CHUNKS }, (_, i) => `${i}`));
		}
	});

	it("does not prefetch for a reader of one chunk", async () => {
		expect(await read(1, 1)).toEqual(first(1));
		expect(asked()).toEqual(["0"]);
	});
});
