import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FaultyServer } from "../support/http-server.js";

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));
const run = promisify(execFile);

/** Commands that other tests run: servers and batch jobs, and S3, which needs a server. */
const ELSEWHERE = /bevscope serve|python -m bevscope batch|s3:\/\//;

/** Text that the commands of each document print. */
const PRINTED: Readonly<Record<string, readonly string[]>> = {
	"docs/arrays.md": ["d.zarr/speed: (5000, 2) <f4"],
	"docs/cli.md": ["track_id,centroid", "web.zarr: zarr-v2"],
	"docs/filters.md": ["statistics.json: up to date"],
	"docs/hosting.md": [],
	"docs/hosting-github-pages.md": ["pages.zip: 1 scene copied"],
	"docs/layouts.md": ["ten.zarr: 1 scene copied", "samples/samples-"],
	"docs/publish.md": ["web.zarr: 1 scene copied"],
	"docs/saver.md": [],
	"docs/scenarios.md": ["scene,frames,duration", '"track_id": '],
};

/** Returns an array of zeros as a .npy file. */
function npy(descr: string, shape: readonly number[], bytes: number): Uint8Array {
	const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(", ")},), }`;
	const padded = `${header.padEnd(117)}\n`;
	const length = Uint8Array.of(padded.length & 255, padded.length >> 8);
	const magic = Buffer.from("\x93NUMPY\x01\x00", "latin1");
	const count = shape.reduce((all, size) => all * size, bytes);
	return Buffer.concat([magic, length, Buffer.from(padded), Buffer.alloc(count)]);
}

describe("browser/docs-shell", () => {
	let server: FaultyServer;
	let folder: string;

	beforeAll(async () => {
		const town = at("build/town-example");
		const store = `${town}/scenes/town.zarr`;
		const stores = { "/sample.zarr/": store, "/town.zarr/": store };
		server = await FaultyServer.start({ folders: stores, objects: new Map() });
		folder = await mkdtemp(join(tmpdir(), "bevscope-shell-"));
		const path = (name: string) => join(folder, name);
		await cp(town, path("town"), { recursive: true });
		await cp(store, path("sample.zarr"), { recursive: true });
		await mkdir(path("cli"));
		await mkdir(path("scenes"));
		await symlink("../sample.zarr", path("scenes/sample.zarr"), "dir");
		for (const name of ["meta.json", "semantic_map"])
			await cp(join(town, name), path(name), { recursive: true });
		const config = await readFile(join(town, "config.yaml"), "utf8");
		await writeFile(
			path("config.yaml"),
			config.replace(/(raster_size:).*/, "$1 [16, 16]"),
		);
		for (const name of ["x_train", "x_more"])
			await writeFile(path(`${name}.npy`), npy("|u1", [10, 28, 28], 1));
		for (const name of ["y_train", "y_more"])
			await writeFile(path(`${name}.npy`), npy("<i8", [10], 8));
		for (const name of ["a", "b"])
			await writeFile(path(`${name}.npy`), npy("<f4", [4, 2], 4));
	});

	afterAll(async () => {
		await server.close();
		await rm(folder, { recursive: true });
	});

	/** Returns a document's blocks of shell commands, without printed lines. */
	async function scriptsOf(document: string): Promise<string[]> {
		const text = await readFile(at(document), "utf8");
		return [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
			.map(([, code = ""]) => code.replace(/^samples\/.*\n/gm, ""))
			.filter((code) => !ELSEWHERE.test(code))
			.map((code) => code.replaceAll(/https:\/\/(host|example\.org)/g, server.origin));
	}

	for (const [document, printed] of Object.entries(PRINTED)) {
		it(`the commands of ${document} run`, async () => {
			const scripts = await scriptsOf(document);
			expect(scripts.length).toBeGreaterThan(0);
			const PATH = `${at("build/release")}:${process.env.PATH}`;
			const { stdout, stderr } = await run("bash", ["-ec", scripts.join("\n")], {
				// It makes its own town.
				cwd: document === "docs/cli.md" ? join(folder, "cli") : folder,
				env: { ...process.env, PATH, HOME: folder },
			});
			for (const text of printed) expect(stdout + stderr).toContain(text);
		});
	}

	it("no other document has commands that no test runs", async () => {
		const { stdout } = await run("git", ["ls-files", "docs/*.md", "README.md"], {
			cwd: at("."),
		});
		const others: string[] = [];
		for (const document of stdout.trim().split("\n")) {
			if (document in PRINTED) continue;
			if ((await scriptsOf(document)).length > 0) others.push(document);
		}
		expect(others).toEqual([]);
	});
});
