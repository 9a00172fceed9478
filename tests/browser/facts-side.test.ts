import { execFileSync } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Given, runInPage, serve, useServers } from "./harness.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));
const PROGRAM = at("build/release/bevscope");
const FACTS = ".bevscope/facts.zip";

/** Returns the objects of a folder by key. */
function objectsOf(folder: string, below = ""): [string, Uint8Array][] {
	return readdirSync(join(folder, below)).flatMap((name) => {
		const key = below ? `${below}/${name}` : name;
		const path = join(folder, key);
		return statSync(path).isDirectory()
			? objectsOf(folder, key)
			: ([[key, readFileSync(path)]] as [string, Uint8Array][]);
	});
}

/** A town of 24 scenes with facts beside it, and the rows that the program computes. */
function town() {
	const folder = mkdtempSync(join(tmpdir(), "facts-side-"));
	try {
		const data = join(folder, "scenes/town.zarr");
		execFileSync(PROGRAM, ["town", folder, "--scenes", "24", "--frames", "40"]);
		const computed = (where: string): number[] => {
			const words = [data, "--tracks", "--where", where, "--format", "json", "--quiet"];
			const text = execFileSync(PROGRAM, ["facts", ...words, "--compute"]).toString();
			return (JSON.parse(text) as { closest_ego: number }[]).map(
				({ closest_ego }) => closest_ego,
			);
		};
		const found = FILTERS.map((where) => computed(where));
		execFileSync(PROGRAM, ["index", data, "--quiet"]);
		return { objects: new Map(objectsOf(data)), found };
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const FILTERS = [
	"closest_ego < 3",
	"max_speed > 9 and label == 'CAR'",
	"cut_in or min_ttc < 2",
	"turn == 'left'",
	"closest_ego < 0",
];

let made: ReturnType<typeof town> | undefined;
const data = () => {
	made ??= town();
	return made;
};

const servers = useServers({
	server: () =>
		serve(
			Object.fromEntries(
				[...data().objects].map(([key, bytes]) => [`/town.zarr/${key}`, bytes]),
			),
		),
});

interface Visit {
	readonly filters: readonly string[];
	readonly statistics?: boolean;
	/** Whether facts may be used before they are compared with the data. */
	readonly isEarly?: boolean;
}

/** Reads facts with each filter in a fresh profile. */
async function search({ lib, url }: Given) {
	const [address = "", given = "{}"] = url.split("#");
	const { filters, isEarly, ...options } = JSON.parse(
		decodeURIComponent(given),
	) as Visit;
	const dataset = await lib.ChunkedDataset.open(address, options);
	const notices: string[] = [];
	const found: number[][] = [];
	const checks: string[] = [];
	let ended = (): void => {};
	const checked = new Promise<void>((resolve) => {
		ended = resolve;
	});
	const onCheck = (state: string): void => {
		checks.push(state);
		if (state !== "pending") ended();
	};
	const onNotice = (text: string): number => notices.push(text);
	for (const where of filters) {
		const facts = dataset.facts({ table: "tracks", where });
		const rows = await facts.read(isEarly ? { onNotice, onCheck } : { onNotice });
		found.push(Array.from(rows.column("closest_ego").data, Number));
	}
	const early = [...checks];
	await fetch("/searched"); // tells the test when
	if (checks.length > 0) await checked;
	if (checks.includes("changed")) {
		for (const where of filters) {
			const facts = dataset.facts({ table: "tracks", where });
			const rows = await facts.read({ onNotice, onCheck });
			found.push(Array.from(rows.column("closest_ego").data, Number));
		}
	}
	dataset.close();
	return { found, notices, checks, early };
}

async function visit(
	filters: readonly string[] = FILTERS,
	options: Omit<Visit, "filters"> = {},
	path = "/town.zarr",
) {
	const { server, browser } = servers;
	const page = await (await browser.newContext()).newPage();
	await page.goto(`${server.origin}/page.html`);
	server.log.length = 0;
	const hash = encodeURIComponent(JSON.stringify({ filters, ...options }));
	const all = await runInPage(page, search, `${server.origin}${path}#${hash}`);
	const { log } = server;
	const read = log.filter((one) => one.path.startsWith(path) && one.method === "GET");
	const searched = log.findIndex((one) => one.path.startsWith("/searched"));
	const heads = (part: typeof log): number =>
		part.filter(({ method }) => method === "HEAD").length;
	const bytes = read.reduce((sum, one) => sum + one.bytes, 0);
	const agents = read.filter(({ path }) => /\/agents\/\d/.test(path));
	const asked = server.log.filter(({ path }) => path.endsWith(FACTS)).length;
	return {
		...{ ...all, bytes, agents: agents.length, requests: read.length, asked },
		before: heads(log.slice(0, searched)),
		after: heads(log.slice(searched)),
	};
}

/** The data set with the facts in an archive, whose members may be changed. */
function archive(changed: Readonly<Record<string, Uint8Array>> = {}): Uint8Array {
	const folder = mkdtempSync(join(tmpdir(), "facts-zip-"));
	try {
		for (const [key, bytes] of [...data().objects, ...Object.entries(changed)]) {
			mkdirSync(dirname(join(folder, "town.zarr", key)), { recursive: true });
			writeFileSync(join(folder, "town.zarr", key), bytes);
		}
		const code = `import os, sys, zipfile
with zipfile.ZipFile("town.zip", "w") as out:
    for folder, _, names in os.walk("town.zarr"):
        for name in names: out.write(os.path.join(folder, name))`;
		execFileSync("python3", ["-c", code], { cwd: folder });
		return readFileSync(join(folder, "town.zip"));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** The identity of the data that the facts are of. */
function identity(): string {
	const text = Buffer.from(data().objects.get(FACTS) as Uint8Array).toString("latin1");
	return /"identity":"([0-9a-f]{32})"/.exec(text)?.[1] ?? "";
}

function put(key: string, bytes: Uint8Array): void {
	servers.server.put(`/town.zarr/${key}`, bytes);
}

function flipped(key: string, at: number): Uint8Array {
	const bytes = Uint8Array.from(data().objects.get(key) as Uint8Array);
	bytes[at] = (bytes[at] as number) ^ 4;
	return bytes;
}

describe("facts beside the data", () => {
	it("are read instead of the data, and are those of a full computation", async () => {
		const { found, notices, bytes, agents } = await visit();
		expect(found).toEqual(data().found);
		expect(found.slice(0, 2).every((one) => one.length > 0)).toBe(true);
		expect(notices).toEqual([]);
		expect(agents).toBe(0);
		expect(bytes).toBeLessThan(400_000);
	});

	it("a filter that no row can pass reads no column", async () => {
		const none = await visit(["closest_ego < 0"]);
		const some = await visit(["closest_ego < 3"]);
		expect(none.agents).toBe(0);
		expect(none.bytes).toBeLessThan(some.bytes);
	});

	it("of a chunk with another size or a later time are computed", async () => {
		const { server } = servers;
		const chunk = data().objects.get("agents/0") as Uint8Array;
		const longer = new Uint8Array(chunk.length + 1);
		longer.set(chunk);
		put("agents/0", longer);
		const resized = await visit();
		expect(resized.found).toEqual(data().found);
		expect(resized.notices[0]).toMatch(/facts of \d+ of 24 scenes are computed/);
		expect(resized.agents).toBeGreaterThan(0);
		put("agents/0", chunk);
		expect((await visit()).notices).toEqual([]);
		// The same size, but modified after the facts.
		server.dates.set(`/town.zarr/${FACTS}`, "Tue, 01 Jul 2025 10:00:00 GMT");
		server.dates.set("/town.zarr/agents/0", "Tue, 01 Jul 2025 10:00:01 GMT");
		const later = await visit();
		expect(later.found).toEqual(data().found);
		expect(later.notices[0]).toMatch(/scenes are computed/);
		server.dates.set("/town.zarr/agents/0", "Tue, 01 Jul 2025 09:00:00 GMT");
		expect((await visit()).notices).toEqual([]);
	});

	it("are used at once, and compared with the data after the search", async () => {
		const some = FILTERS.slice(0, 1);
		const expected = data().found.slice(0, 1);
		const { found, notices, checks, early, before, after } = await visit(some, {
			isEarly: true,
		});
		expect(found).toEqual(expected);
		expect(notices).toEqual([]);
		expect(early).toEqual(["pending"]);
		expect(checks).toEqual(["pending", "same"]);
		expect(before + after).toBeGreaterThanOrEqual(5); // of the facts and of each object
	});

	it("of data that has changed are dropped when that is found out", async () => {
		const { server } = servers;
		const some = FILTERS.slice(0, 1);
		const expected = data().found[0];
		server.dates.set(`/town.zarr/${FACTS}`, "Tue, 01 Jul 2025 10:00:00 GMT");
		server.dates.set("/town.zarr/agents/0", "Tue, 01 Jul 2025 10:00:01 GMT");
		const { found, notices, checks, agents } = await visit(some, { isEarly: true });
		expect(checks).toEqual(["pending", "changed"]);
		expect(found).toEqual([expected, expected]);
		expect(notices[0]).toMatch(/scenes are computed, because the data set has changed/);
		expect(agents).toBeGreaterThan(0);
		server.dates.set("/town.zarr/agents/0", "Tue, 01 Jul 2025 09:00:00 GMT");
	});

	it("published under the identity of the data are not compared", async () => {
		const { server } = servers;
		expect(identity()).toHaveLength(32);
		const path = `/data-${identity()}/town.zarr`;
		for (const [key, bytes] of data().objects) server.put(`${path}/${key}`, bytes);
		for (const isEarly of [true, false]) {
			const { found, checks, before, after } = await visit(FILTERS, { isEarly }, path);
			expect(found).toEqual(data().found);
			expect(checks).toEqual([]);
			expect(before).toBeLessThanOrEqual(FILTERS.length + 1);
			expect(after).toBe(0);
		}
	});

	it("in an archive are compared with its directory", async () => {
		const { server } = servers;
		server.put("/town.zip", archive());
		const whole = await visit(FILTERS, {}, "/town.zip");
		expect(whole.found).toEqual(data().found);
		expect(whole.notices).toEqual([]);
		const chunk = data().objects.get("agents/0") as Uint8Array;
		const other = new Uint8Array(chunk.length + 1);
		other.set(chunk);
		server.put("/town.zip", archive({ "agents/0": other }));
		const changed = await visit(FILTERS.slice(0, 1), {}, "/town.zip");
		expect(changed.found[0]).toEqual(data().found[0]);
		expect(changed.notices[0]).toMatch(/scenes are computed/);
	});

	it("that do not exist are asked for once, and never without statistics", async () => {
		const { server } = servers;
		server.fault({ match: /facts\.zip$/, status: 404 });
		const absent = await visit();
		expect(absent.found).toEqual(data().found);
		expect(absent.notices).toEqual([]);
		expect(absent.asked).toBe(1);
		server.reset();
		const unasked = await visit(FILTERS, { statistics: false });
		expect(unasked.found).toEqual(data().found);
		expect(unasked.asked).toBe(0);
	});

	it("that are damaged are refused with a notice, and computed", async () => {
		const file = Buffer.from(data().objects.get(FACTS) as Uint8Array);
		const column = "track_facts/closest_ego/0";
		// In the directory's last name, and in a column that filters read.
		for (const place of [file.length - 30, file.indexOf(column) + column.length + 9]) {
			put(FACTS, flipped(FACTS, place));
			const { found, notices } = await visit();
			expect(found).toEqual(data().found);
			expect(notices.length).toBeGreaterThan(0);
		}
		put(FACTS, new Uint8Array(1000));
		const { found, notices } = await visit(["closest_ego < 3"]);
		expect(found[0]).toEqual(data().found[0]);
		expect(notices[0]).toMatch(/facts\.zip.*\(facts are computed\)/);
		put(FACTS, data().objects.get(FACTS) as Uint8Array);
	});
});
