import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
	type Given,
	openPage,
	runInPage,
	STRICT_CSP,
	serve,
	useServers,
} from "./harness.js";

const FIXTURE = new URL("../fixtures/parquet/", import.meta.url);
const EXPECTED = JSON.parse(readFileSync(new URL("expected.json", FIXTURE), "utf8"));

const at = useServers({ server: serve });

/** Serves the fixture's files below a folder of it; returns their URLs. */
function served(folder: string): string[] {
	const root = fileURLToPath(new URL(folder, FIXTURE));
	const files = readdirSync(root, { recursive: true }).map(String).sort();
	return files
		.filter((name) => name.endsWith(".parquet") || name.startsWith("_common"))
		.map((name) => {
			const path = `/${folder}/${name.split("/").map(encodeURIComponent).join("/")}`;
			at.server.put(decodeURIComponent(path), readFileSync(`${root}/${name}`));
			return at.server.origin + path;
		});
}

async function inPage<T>(work: (given: Given) => Promise<T>, url: string): Promise<T> {
	at.server.csp = STRICT_CSP;
	const { page, complaints } = await openPage(at.browser, at.server);
	const got = await runInPage(page, work, url, "/dist/cdn/bevscope.js");
	expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
	return got;
}

/** Returns the hashes of all columns of all rows. */
async function hashes({ lib, url }: Given): Promise<Record<string, string>> {
	const dataset = await lib.openParquet(url.includes(",") ? url.split(",") : url);
	const found: Record<string, string> = {};
	for await (const batch of dataset.reader({ from: "rows", batch: 1000 })) {
		for (const name of batch.names) {
			const { buffer, byteOffset, byteLength } = batch.column(name).data;
			const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
			const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
			found[name] = Array.from(digest, (one) => one.toString(16).padStart(2, "0")).join(
				"",
			);
		}
	}
	dataset.close();
	return found;
}

describe("browser/parquet", () => {
	it("a list of URLs has the rows that Python finds", async () => {
		const urls = served("data").filter((url) => url.endsWith(".parquet"));
		const { city: _, ...found } = await inPage(hashes, urls.join(","));
		expect(Object.keys(found).length).toBeGreaterThan(20);
		expect(EXPECTED.readers[0].columns).toMatchObject(found);
	});

	it("Petastorm's folder has the fields that Python finds", async () => {
		served("petastorm");
		const found = await inPage(hashes, `${at.server.origin}/petastorm`);
		expect(Object.keys(found).length).toBeGreaterThan(20);
		expect(EXPECTED.arrays.petastorm).toMatchObject(found);
	});

	it("reads the footers, and of files only what a filter leaves", async () => {
		const urls = served("data").filter((url) => url.endsWith(".parquet"));
		const rows = await inPage(async ({ lib, url }) => {
			const dataset = await lib.openParquet(url.split(","));
			const where = 'city == "south" and row < 1010';
			const reader = dataset.reader({ from: "rows", where, fields: ["row"] });
			const found: number[] = [];
			for await (const batch of reader)
				found.push(...Array.from(batch.column("row").data, Number));
			dataset.close();
			return found;
		}, urls.join(","));
		expect(rows).toEqual([1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009]);
	});
});
