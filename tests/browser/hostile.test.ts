import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERROR_CODES } from "../../web/src/base/errors.js";
import { ENGINE, launch } from "../support/engines.js";
import {
	BOMBS,
	BROKEN,
	type Faults,
	HARMLESS,
	HostileServer,
	INDEX,
	PLACES,
	storeIn,
	UNASKED,
} from "../support/hostile-server.js";
import type { FaultyServer } from "../support/http-server.js";
import { type Given, openPage, runInPage, serve } from "./harness.js";

const PROGRAM =
	process.env.BEV_PROGRAM ??
	fileURLToPath(new URL("../../build/release/bevscope", import.meta.url));
const PACKAGE = new URL("../../web/dist/index.js", import.meta.url).href;

/** "right", "wrong", an error's code, or what was thrown instead. */
type Outcome = string;

interface Limits {
	/** Maximum time without data. */
	readonly timeoutMs: number;
	readonly retries: number;
	readonly maxBytes?: number;
}

/** A client returns the outcomes of all values that it reads from each origin. */
type Client = (origins: readonly string[], limits: Limits) => Promise<Outcome[][]>;

/** The third attempt of a range reads the whole object, unless it is the last. */
const PATIENT: Limits = { timeoutMs: 10_000, retries: 3 };

/** Maximum number of requests for the values of an origin; about 150 are needed. */
const REQUESTS = 600;
/** Maximum number of requests that `fetch` sends for one call: it follows redirects. */
const REDIRECTS = 21;
/** Two decoded bombs; clients are sent at least seven. */
const MEMORY_KIB = 2 ** 20;

/** The program's errors, and those of the package. */
const TYPED = new RegExp(`^(program|${ERROR_CODES.join("|")})$`);

/** Faults that no client can read through. */
const ALWAYS_REPORTED = ["cut", "cut_head", "hang_up", "shorter", "empty", "throttled"];

interface Plan extends Limits {
	readonly stores: readonly string[];
	readonly chunks: number;
	readonly elements: number;
}

/** Reads the array `index` of each store, most of its chunks at the same time. */
async function readStores({ lib, url }: Given): Promise<Outcome[][]> {
	const fragment = decodeURIComponent(new URL(url).hash.slice(1));
	const { stores, chunks, elements, retries, ...limits } = JSON.parse(fragment) as Plan;
	const code = (error: unknown) =>
		error instanceof lib.BevError ? error.code : `untyped ${error}`;
	const readStore = async (store: string): Promise<Outcome[]> => {
		const retry = { retries, delayMs: 1 };
		const source = new lib.FetchSource(store, { retry, ...limits });
		// On this thread, where it is not started for each store, and in a worker.
		const load = store.includes("/all/") ? {} : { worker: false as const };
		const dataset = await lib.ChunkedDataset.open(source, { load });
		const array = await dataset.array("index");
		const read = async (chunk: number): Promise<Outcome> => {
			const begin = chunk * elements;
			const rows = await array.rows(begin, begin + elements);
			const values = Array.from<unknown>(rows.column("").data);
			rows.release();
			const isRight = values.every((value, i) => value === begin + i);
			return isRight && values.length === elements ? "right" : "wrong";
		};
		const outcomes: Outcome[] = [];
		// Not in order, because nothing is read ahead then.
		for (let chunk = chunks / 4; chunk-- > 0; ) {
			await source.size(`index/${chunk}`).catch(() => {});
			outcomes.push(await read(chunk).catch(code));
		}
		const others = Array.from({ length: (chunks / 4) * 3 }, (_, i) => chunks / 4 + i);
		outcomes.push(...(await Promise.all(others.map((each) => read(each).catch(code)))));
		dataset.close();
		return outcomes;
	};
	const results: Outcome[][] = [];
	let next = 0;
	const one = async (): Promise<void> => {
		while (next < stores.length) {
			const at = next++;
			results[at] = await readStore(stores[at] ?? "").catch((error) => [code(error)]);
		}
	};
	await Promise.all([one(), one(), one(), one()]);
	return results;
}

/** Returns an address whose fragment tells `readStores` what to read. */
function planOf(origins: readonly string[], limits: Limits): string {
	const stores = origins.flatMap((origin) =>
		PLACES.map((place) => origin + storeIn(place)),
	);
	const plan: Plan = { ...INDEX, stores, ...limits };
	return `http://plan.test/#${encodeURIComponent(JSON.stringify(plan))}`;
}

/** Joins the outcomes of an origin's stores. */
function byOrigin(outcomes: readonly Outcome[][]): Outcome[][] {
	const joined: Outcome[][] = [];
	for (let at = 0; at < outcomes.length; at += PLACES.length) {
		joined.push(outcomes.slice(at, at + PLACES.length).flat());
	}
	return joined;
}

const kib = (text: string, name: string) =>
	Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);

/** Returns the most memory that each process below this one has used, together, in KiB. */
function peakBelow(): number {
	const all = readdirSync("/proc").flatMap((pid) => {
		try {
			const text = readFileSync(`/proc/${pid}/status`, "utf8");
			return [
				{ pid: Number(pid), parent: kib(text, "PPid"), peak: kib(text, "VmHWM") },
			];
		} catch {
			return []; // no process, or it has ended
		}
	});
	const below = (parent: number): number =>
		all
			.filter((each) => each.parent === parent)
			.reduce((sum, { pid, peak }) => sum + peak + below(pid), 0);
	return below(process.pid);
}

/** Growth of a client's memory in its last run, in KiB. */
let grown = 0;

const inNode: Client = async (origins, limits) => {
	const url = JSON.stringify(planOf(origins, limits));
	const code = `
		import * as lib from ${JSON.stringify(PACKAGE)};
		const readStores = ${readStores};
		const before = process.resourceUsage().maxRSS;
		const outcomes = await readStores({ lib, url: ${url} });
		const grown = process.resourceUsage().maxRSS - before;
		console.log(JSON.stringify({ outcomes, grown }));
		process.exit();`;
	const args = ["--input-type=module", "--eval", code];
	const { stdout } = await promisify(execFile)(process.execPath, args);
	const read = JSON.parse(stdout) as { outcomes: Outcome[][]; grown: number };
	grown = read.grown;
	return byOrigin(read.outcomes);
};

let browser: Browser;
let page: Page;
let own: FaultyServer;

const inBrowser: Client = async (origins, limits) => {
	const before = peakBelow();
	const outcomes = await runInPage(page, readStores, planOf(origins, limits));
	grown = peakBelow() - before;
	return byOrigin(outcomes);
};

const commandsIn = (place: (typeof PLACES)[number]) => [
	["cat", `${storeIn(place)}/index`, "--format", "npy"],
	["scan", storeIn(place), "--fields", "row,track_id,centroid"],
];

/** Runs a command of the program with at most `kib` of memory. */
async function run(
	origin: string,
	[name = "", path = "", ...more]: readonly string[],
	kib: number | "unlimited",
): Promise<{ printed: string; error?: string }> {
	const args = ["-c", `ulimit -v ${kib}; exec "$0" "$@"`, PROGRAM];
	const env = { ...process.env, BEVSCOPE_CACHE: "" };
	const how = { encoding: "latin1", env, timeout: 60_000 } as const;
	return promisify(execFile)("bash", [...args, name, origin + path, ...more], how).then(
		({ stdout }) => ({ printed: stdout }),
		({ code, stderr }) => ({ printed: "", error: `${code} ${stderr}` }),
	);
}

const isTyped = (error: string) =>
	error.startsWith("1 bevscope: ") && !/internal error|out of memory/.test(error);

/** What each command prints if all answers are right. */
const printed = new Map<string, string>();

/** Its documents have a fixed limit, and chunks one that would fill this machine. */
const inProgram: Client = (origins, { maxBytes }) => {
	const commands = (maxBytes ? (["all"] as const) : PLACES).flatMap(commandsIn);
	const kib = maxBytes ? MEMORY_KIB : "unlimited";
	const outcome = async (origin: string, command: string[]): Promise<Outcome> => {
		const got = await run(origin, command, kib);
		if (got.error) return isTyped(got.error) ? "program" : got.error;
		return got.printed === printed.get(command.join(" ")) ? "right" : "wrong";
	};
	return Promise.all(
		origins.map((origin) =>
			Promise.all(commands.map((command) => outcome(origin, command))),
		),
	);
};

const CLIENTS: Readonly<Record<string, Client>> =
	ENGINE === "chromium"
		? { program: inProgram, node: inNode, chromium: inBrowser }
		: { [ENGINE]: inBrowser };

/**
 * Whether a client can take another answer for its own. Platforms keep connections and do
 * not compare answers. The program does, but another answer that arrives just after its
 * request looks like its own.
 */
const isIndistinguishable = (name: string, fault: string) =>
	name === "program" ? fault === "surplus_later" : fault in UNASKED;

/** Answers that Node's `fetch` refuses, or loses with a connection that was closed. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
	node: ["continued", "hang_up_after_one"],
};

const sum = { faults: 0, right: 0, typed: 0, platform: 0, wrong: 0 };

/**
 * Lets a client read from a server for each fault. Returns, by fault, the outcomes that
 * are not right, without wrong ones that are indistinguishable.
 */
async function read(name: string, faults: Faults, limits: Limits) {
	const names = Object.keys(faults);
	const servers = await Promise.all(Object.values(faults).map(HostileServer.start));
	const all = await CLIENTS[name]?.(
		servers.map(({ origin }) => origin),
		limits,
	).finally(() => Promise.all(servers.map((server) => server.close())));
	const found: Record<string, Outcome[]> = {};
	names.forEach((fault, i) => {
		const redirects = fault === "moved_for_ever" ? REDIRECTS : 1;
		// Firefox repeats requests by itself if the connection is lost.
		const own = name === "firefox" && fault === "hang_up" ? 2 : 1;
		expect(servers[i]?.requests, fault).toBeLessThan(REQUESTS * redirects * own);
		const isLost = isIndistinguishable(name, fault);
		const outcomes = all?.[i] ?? ["nothing"];
		const others = outcomes.filter((outcome) => outcome !== "right");
		const wrong = others.filter((outcome) => !TYPED.test(outcome));
		sum.faults += 1;
		sum.right += outcomes.length - others.length;
		sum.typed += others.length - wrong.length;
		sum[isLost ? "platform" : "wrong"] += wrong.length;
		if (isLost && wrong.length > 0) {
			console.log(`${name}, ${fault}: ${wrong.length} of ${outcomes.length} wrong`);
		}
		const counted = isLost ? others.filter((outcome) => outcome !== "wrong") : others;
		if (counted.length > 0) found[fault] = [...new Set(counted)];
	});
	return found;
}

beforeAll(async () => {
	[browser, own] = await Promise.all([launch(), serve()]);
	({ page } = await openPage(browser, own));
	const server = await HostileServer.start((link) => link.send(link.right));
	for (const command of ENGINE === "chromium" ? PLACES.flatMap(commandsIn) : []) {
		const got = await run(server.origin, command, "unlimited");
		printed.set(command.join(" "), got.printed);
	}
	await server.close();
});
afterAll(async () => {
	const { faults, right, typed, platform, wrong } = sum;
	const values = right + typed + platform + wrong;
	console.log(
		`${faults} faults x clients, ${values} values: ${right} right, ${typed} typed errors, ${platform} in the platform's hands, ${wrong} wrong`,
	);
	await browser.close();
	await own.close();
});

const typed = expect.stringMatching(TYPED);

describe.each(Object.keys(CLIENTS))("browser/hostile: %s", (name) => {
	it("understands answers of an unusual form", async () => {
		const found = await read(name, HARMLESS, PATIENT);
		for (const fault of REFUSED[name] ?? []) delete found[fault];
		expect(found).toEqual({});
	});

	it("reports broken answers, and returns no wrong value", async () => {
		const found = await read(name, BROKEN, { timeoutMs: 250, retries: 1 });
		for (const outcomes of Object.values(found).flat()) expect(outcomes).toEqual(typed);
		expect(Object.keys(found)).toEqual(expect.arrayContaining(ALWAYS_REPORTED));
	});

	it("returns right values or errors if answers arrive unasked", async () => {
		const found = await read(name, UNASKED, PATIENT);
		for (const outcomes of Object.values(found).flat()) expect(outcomes).toEqual(typed);
		if (name !== "program") return;
		delete found.surplus_later;
		expect(found).toEqual({});
	});

	it("limits memory", async () => {
		const limits = { ...PATIENT, maxBytes: 4 * 2 ** 20 };
		const found = await read(name, BOMBS, limits);
		expect(Object.keys(found)).toEqual(Object.keys(BOMBS));
		for (const outcomes of Object.values(found).flat()) expect(outcomes).toEqual(typed);
		expect(grown).toBeLessThan(MEMORY_KIB);
	});
});
