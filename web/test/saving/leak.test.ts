import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FakeS3, SECRET } from "../../../tests/support/fake-s3.js";
import {
	DataLoader,
	DataSaver,
	MemoryStore,
	nodeStore,
	type S3Options,
	toS3,
} from "../../src/save.js";
import { CONFIG, rowsOf } from "./rows.js";

// The signatures of presigned URLs must be in nothing that a saver or loader writes, says
// or shows, whatever fails.

const USER = "PlantedUser";

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
