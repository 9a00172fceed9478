import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeS3, SECRET } from "../../../tests/support/fake-s3.js";
import { FaultyServer } from "../../../tests/support/http-server.js";
import { tinyDataset } from "../../../tests/support/tiny-dataset.js";
import { ChunkedDataset } from "../../src/dataset/dataset.js";
import {
	DataLoader,
	DataSaver,
	MemoryStore,
	nodeStore,
	type S3Options,
	toS3,
} from "../../src/save.js";
import { FetchSource } from "../../src/source/fetch-source.js";
import { CONFIG, rowsOf } from "./rows.js";

// The signatures of presigned URLs must be in nothing that a saver or loader writes, says
// or shows, whatever fails.

const USER = "PlantedUser";

vi.setConfig({ testTimeout: 60_000 });

let s3: FakeS3;
let folder: string;

beforeEach(async () => {
	s3 = await FakeS3.start();
	folder = await mkdtemp(join(tmpdir(), "bevscope-leak-"));
});

afterEach(async () => {
	await s3.close();
	await rm(folder, { recursive: true });
});

function destination(more: Partial<S3Options> = {}) {
	return toS3({ name: "made", sign: s3.sign, retryDelay: 1, retries: 1, ...more });
}

function planted(texts: ReadonlyMap<string, string>): string[] {
	const marks = [SECRET, USER];
	return [...texts]
		.filter(([, text]) => marks.some((mark) => text.includes(mark)))
		.map(([name]) => name);
}

async function failure(work: () => Promise<unknown>): Promise<string> {
	try {
		await work();
	} catch (error) {
		return `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)}`;
	}
	throw new Error("nothing failed");
}

/** Returns the texts of all files in the folder, by path. */
async function files(): Promise<Map<string, string>> {
	const out = new Map<string, string>();
	const found = await readdir(folder, { recursive: true, withFileTypes: true });
	for (const entry of found) {
		if (!entry.isFile()) continue;
		const path = join(entry.parentPath, entry.name);
		out.set(path, await readFile(path, "latin1"));
	}
	return out;
}

it("signatures are in no object, journal, manifest, state or error", async () => {
	const texts = new Map<string, string>();
	const note = (name: string, value: unknown): void => {
		texts.set(name, `${inspect(value, { depth: 9, showHidden: true })} ${value}`);
	};
	const to = destination();
	const archive = destination({ zip: "x.zip", partSize: 4096 });
	note("destinations", [to, archive]);
	using left = await DataSaver.open(CONFIG, destination({ name: "left" }), {
		parts: nodeStore(join(folder, "left")),
	});
	await left.save(rowsOf(0, 7));
	await left.finish();
	for (const [name, target] of Object.entries({ to, archive })) {
		const parts = nodeStore(join(folder, name));
		using saver = await DataSaver.open(CONFIG, target, { parts });
		await saver.save(rowsOf(0, 120));
		await saver.flush();
		note(`saver ${name}`, saver);
		for (const [path, text] of await files()) texts.set(`flushed ${path}`, text);
		s3.fault({ match: /^(PUT|POST)/, status: 503, code: "SlowDown", times: 99 });
		texts.set(`commit ${name}`, await failure(() => saver.commit()));
		s3.clearFaults();
		expect(await saver.commit()).toBe(120);
	}
	expect(s3.objects.size).toBeGreaterThan(10); // only signed requests are performed
	texts.set("exists", await failure(() => DataSaver.open(CONFIG, to)));
	texts.set(
		"sign",
		await failure(async () => {
			const sign = () => Promise.reject(new Error("logged out"));
			const parts = new MemoryStore();
			using saver = await DataSaver.open(CONFIG, destination({ sign }), { parts });
			await saver.commit();
		}),
	);
	for (const [path, text] of await files()) texts.set(`left ${path}`, text);
	for (const [key, bytes] of s3.objects) {
		texts.set(key, Buffer.from(bytes).toString("latin1"));
	}
	expect(
		[...texts.keys()].filter((name) => name.includes("manifest.json")),
	).not.toEqual([]);
	expect(texts.size).toBeGreaterThan(30);
	expect(planted(texts)).toEqual([]);
	expect(planted(new Map([["control", SECRET]]))).toEqual(["control"]);
});

it("signed addresses with a user are in no error of a saver", async () => {
	const texts = new Map<string, string>();
	const user = (url: string) => url.replace("//", `//${USER}:${SECRET}@`);
	const sign = async (request: Parameters<typeof s3.sign>[0]) => {
		const { url } = await s3.sign(request);
		return { url: user(String(url)) };
	};
	const invalid = async () => ({ url: `http://${USER}:${SECRET}@a b?sig=${SECRET}` });
	const kept = [vi.spyOn(console, "warn"), vi.spyOn(console, "error")];
	for (const [name, how] of Object.entries({ sign, invalid })) {
		const work = async (): Promise<void> => {
			using saver = await DataSaver.open(CONFIG, destination({ sign: how, name }));
			await saver.save(rowsOf(0, 120));
			await saver.commit();
		};
		texts.set(name, await failure(work));
	}
	for (const [status, code] of [
		[403, "AccessDenied"],
		[404, "NoSuchBucket"],
		[500, "InternalError"],
	] as const) {
		s3.fault({ match: /./, status, code, times: 99 });
		const work = async (): Promise<void> => {
			using saver = await DataSaver.open(CONFIG, destination({ name: `s${status}` }));
			await saver.save(rowsOf(0, 120));
			await saver.commit();
		};
		texts.set(code, await failure(work));
		s3.clearFaults();
	}
	texts.set("console", JSON.stringify(kept.flatMap((spy) => spy.mock.calls)));
	expect(texts.size).toBe(6);
	expect(planted(texts)).toEqual([]);
});

it("signatures and users of a data set's URL are in no plan, state or error", async () => {
	const objects = [...tinyDataset()].map(
		([key, bytes]) => [`/tiny.zarr/${key}`, bytes] as const,
	);
	const server = await FaultyServer.start({ objects: new Map(objects) });
	const options = { fetch: globalThis.fetch, retry: { retries: 1, delayMs: 1 } };
	const open = async (address: string) => {
		const source = new FetchSource(address, options);
		return ChunkedDataset.open(source);
	};
	const query = `?X-Amz-Signature=${SECRET}&token=${SECRET}`;
	const texts = new Map<string, string>();
	const note = (name: string, value: unknown): void => {
		texts.set(name, `${inspect(value, { depth: 9, showHidden: true })} ${value}`);
	};
	try {
		const url = `${server.origin}/tiny.zarr${query}`;
		using dataset = await open(url);
		note("data set", dataset);
		const reader = await dataset.reader({ from: "agents", where: "track_id == 1" });
		note("reader", [reader, await reader.explain(), await reader.state()]);
		note("diagnostics", reader.diagnostics);
		const filter = async () => (await dataset.reader({ where: "none == 1" })).count();
		texts.set("filter", await failure(filter));
		texts.set("frame", await failure(() => dataset.frame(0, 9999)));
		for (const status of [401, 403, 404, 410, 500]) {
			server.fault({ match: /./, times: 99, status });
			texts.set(`HTTP ${status}`, await failure(() => open(url)));
			server.reset();
		}
		for (const address of [
			`http://${USER}:${SECRET}@127.0.0.1/x.zarr${query}`,
			`http://${USER}:${SECRET}@a b/x.zarr${query}`,
			`ftp://${USER}:${SECRET}@host/x.zarr${query}`,
			`http://127.0.0.1:1/x.zarr${query}`,
			`x.zarr${query}`,
		]) {
			texts.set(address.replaceAll(SECRET, ""), await failure(() => open(address)));
		}
	} finally {
		await server.close();
	}
	expect(planted(new Map([...texts].map(([, text], k) => [`${k}`, text])))).toEqual([]);
});

it("signatures and users of a loader's URL are in no state or error", async () => {
	using saver = await DataSaver.open(CONFIG, destination());
	await saver.save(rowsOf(0, 120));
	await saver.commit();
	const query = `?X-Amz-Signature=${SECRET}`;
	const url = `${s3.origin}/bucket/d.zarr${query}`;
	const texts = new Map<string, string>();
	using loader = await DataLoader.open(url);
	expect((await loader.rows(0, 120)).label?.data.length).toBe(120);
	texts.set("loader", `${inspect(loader, { depth: 9 })} ${JSON.stringify(loader)}`);
	s3.fault({ match: /^GET/, status: 403, code: "AccessDenied", times: 99 });
	texts.set("denied", await failure(() => DataLoader.open(url)));
	s3.clearFaults();
	const absent = `${s3.origin}/bucket/d.zarr/none${query}`;
	texts.set("absent", await failure(() => DataLoader.open(absent)));
	const user = s3.origin.replace("//", `//${USER}:${SECRET}@`);
	texts.set("user", await failure(() => DataLoader.open(`${user}/bucket/none`)));
	expect(planted(texts)).toEqual([]);
});
