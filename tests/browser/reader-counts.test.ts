import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ReaderDiagnostics } from "../../web/src/index.js";
import type { Logged } from "../support/http-server.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import { type Given, openPage, runInPage, serve, useServers } from "./harness.js";

const PROGRAM = fileURLToPath(new URL("../../build/release/bevscope", import.meta.url));

const FILE = ".bevscope/statistics.json";

/** Returns the statistics that `bevscope index` writes for the tiny data set. */
function statistics(): string {
	const folder = mkdtempSync(join(tmpdir(), "reader-counts-"));
	try {
		for (const [key, bytes] of tinyDataset()) {
			mkdirSync(dirname(join(folder, key)), { recursive: true });
			writeFileSync(join(folder, key), bytes);
		}
		execFileSync(PROGRAM, ["index", folder]);
		return readFileSync(join(folder, FILE), "utf8");
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const at = useServers({ server: serve });

interface Counted {
	readonly items: number;
	readonly diagnostics: Partial<ReaderDiagnostics>;
	/** Why statistics are not used. */
	readonly problem: string;
}

/** Counts the items that pass each filter, in a data set opened for it. */
async function count({ lib, url }: Given): Promise<Counted[]> {
	const [address = "", filters = ""] = url.split("#");
	const out: Counted[] = [];
	for (const where of JSON.parse(decodeURIComponent(filters)) as string[]) {
		const dataset = await lib.ChunkedDataset.open(address);
		// Marks the requests of readers, which have a worker of their own.
		await fetch("/opened", { cache: "no-store" });
		const reader = dataset.reader({ where, fields: ["yaw"], batch: 5 });
		let items = 0;
		for await (const batch of reader) items += batch.length;
		const { statisticsProblem: problem } = await reader.explain();
		out.push({ items, diagnostics: { ...reader.diagnostics }, problem });
		await fetch("/closed", { cache: "no-store" });
		dataset.close();
	}
	return out;
}

/** Runs `count`; returns also what the server sent to each reader. */
async function counted(...filters: string[]) {
	const { page } = await openPage(at.browser, at.server);
	const url = `${at.server.origin}/tiny.zarr#${encodeURIComponent(JSON.stringify(filters))}`;
	const all = await runInPage(page, count, url);
	const sent: Logged[][] = [];
	let isReader = false;
	for (const one of at.server.log) {
		if (one.path === "/opened") sent.push([]);
		if (one.path === "/opened" || one.path === "/closed")
			isReader = one.path === "/opened";
		else if (isReader && one.path.startsWith("/tiny.zarr/")) sent.at(-1)?.push(one);
	}
	return all.map((one, i) => ({ ...one, sent: sent[i] ?? [] }));
}

const bytesOf = (sent: readonly Logged[]): number =>
	sent
		.filter(({ status }) => status === 200 || status === 206)
		.reduce((sum, { bytes }) => sum + bytes, 0);

const chunksOf = (sent: readonly Logged[]): string[] =>
	sent
		.map(({ path }) => path.slice("/tiny.zarr/".length))
		.filter((key) => /\/\d+$/.test(key))
		.sort();

const NAMES = ["0", "1", "2", "3", "4", "5", "6", "7", "8"];

describe("browser/reader-counts", () => {
	it("diagnostics are those of the server", async () => {
		const filters = ["true", "scene == 1", "track_id == 2", "ego_translation[0] > 3"];
		for (const { sent, diagnostics } of await counted(...filters)) {
			expect(sent.length).toBeGreaterThan(0);
			expect(diagnostics.requests).toBe(sent.length);
			expect(diagnostics.bytes).toBe(bytesOf(sent));
		}
	});

	it("with statistics that exclude all rows, no chunk is fetched", async () => {
		const where = "centroid[0] > 1000000";
		const [without] = await counted(where);
		expect(without?.items).toBe(0);
		expect(chunksOf(without?.sent ?? []).length).toBeGreaterThan(8);
		at.server.log.length = 0;
		at.server.put(`/tiny.zarr/${FILE}`, statistics());
		const [excluded] = await counted(where);
		expect(excluded?.items).toBe(0);
		expect(chunksOf(excluded?.sent ?? [])).toEqual([]);
		expect(excluded?.diagnostics).toMatchObject({ rowsTested: 0 });
	});

	it("with statistics, only chunks in which rows may pass are fetched", async () => {
		at.server.put(`/tiny.zarr/${FILE}`, statistics());
		// The ego vehicle's x is that of all agents: rows of the last frame of each scene.
		const [all, last] = await counted("true", "centroid[0] > 4.5");
		expect(all?.items).toBe(36);
		const agents = (sent: readonly Logged[] = []) =>
			chunksOf(sent).filter((key) => key.startsWith("agents/"));
		expect(agents(all?.sent)).toEqual(NAMES.map((name) => `agents/${name}`));
		expect(last?.items).toBe(6);
		expect(agents(last?.sent)).toEqual(["agents/3", "agents/4", "agents/8"]);
		expect(last?.diagnostics.requests).toBe(last?.sent.length);
		expect(last?.diagnostics.bytes).toBe(bytesOf(last?.sent ?? []));
	});

	it("damaged statistics exclude nothing, and the reader says why", async () => {
		const intact = statistics();
		// Chunks of zeros, in which no row would pass.
		const damaged = intact.replaceAll(/("limits":\[\[\[)[^,]+,[^,]+,/g, "$10,0,");
		expect(damaged).not.toBe(intact);
		at.server.put(`/tiny.zarr/${FILE}`, damaged);
		const [last] = await counted("centroid[0] > 4.5");
		expect(last?.items).toBe(6);
		expect(last?.problem).toMatch(/statistics\.json: damaged/);
		at.server.put(`/tiny.zarr/${FILE}`, intact);
		expect((await counted("true"))[0]?.problem).toBe("");
	});
});
