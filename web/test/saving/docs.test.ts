import {
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rename,
	rm,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FakeS3 } from "../../../tests/support/fake-s3.js";
import * as save from "../../src/save.js";
import { examplesOf, runExample } from "../support/docs-example.js";

const [FOLDERS = "", SAVERS = "", S3 = ""] = examplesOf("saver.md");

function notFound(): DOMException {
	return new DOMException("not found", "NotFoundError");
}

/** The used part of FileSystemDirectoryHandle, over a folder of Node. */
function handleOf(path: string): object {
	return {
		kind: "directory",
		async getDirectoryHandle(name: string, { create = false } = {}) {
			const below = join(path, name);
			if (create) await mkdir(below, { recursive: true });
			else
				await readdir(below).catch(() => {
					throw notFound();
				});
			return handleOf(below);
		},
		async getFileHandle(name: string, { create = false } = {}) {
			const file = join(path, name);
			if (create) await writeFile(file, "", { flag: "a" });
			const read = () =>
				readFile(file).catch(() => {
					throw notFound();
				});
			await read();
			return {
				kind: "file",
				getFile: async () => new File([new Uint8Array(await read())], name),
				async createWritable() {
					const swap = `${file}.crswap`;
					return {
						write: (bytes: Uint8Array) => writeFile(swap, bytes),
						close: () => rename(swap, file),
						abort: () => rm(swap, { force: true }),
					};
				},
			};
		},
		async removeEntry(name: string, { recursive = false } = {}) {
			await rm(join(path, name), { recursive }).catch(() => {
				throw notFound();
			});
		},
		async *keys() {
			yield* await readdir(path);
		},
		async *entries() {
			for (const each of await readdir(path, { withFileTypes: true })) {
				const kind = each.isDirectory() ? "directory" : "file";
				yield [each.name, { kind }];
			}
		},
	};
}

it("the example of docs/saver.md saves to a folder and loads the rows", async () => {
	const folder = await mkdtemp(join(tmpdir(), "bev-docs-"));
	try {
		const storage = { getDirectory: async () => handleOf(folder) };
		const given = { ...save, navigator: { storage } };
		expect(await runExample(FOLDERS, "[rows, [...label.data]]", given)).toEqual([
			500,
			[4, 0],
		]);
		expect(await readdir(folder)).toEqual(["digits.zarr"]);
	} finally {
		await rm(folder, { recursive: true });
	}
});

it("the example of docs/saver.md joins the rows of several savers", async () => {
	expect(await runExample(SAVERS, "rows", { ...save })).toBe(6);
});

it("the example of docs/saver.md saves to S3", async () => {
	const s3 = await FakeS3.start();
	try {
		const signer = async (_: string, { body }: { body: string }) =>
			new Response(s3.sign(JSON.parse(body)).url);
		const given = { ...save, fetch: signer, signer: "" };
		expect(await runExample(S3, "saver.rows", given)).toBe(3);
		expect(s3.objects.get("label/0")).toEqual(
			new Uint8Array(Int32Array.of(1, 2, 3).buffer),
		);
	} finally {
		await s3.close();
	}
});
