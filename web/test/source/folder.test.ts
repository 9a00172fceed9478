import { describe, expect, it } from "vitest";
import { folderOf } from "../../src/source/folder.js";

type Tree = { readonly [name: string]: string | Tree };

const tree: Tree = { ".zgroup": "{}", agents: { ".zarray": "{}", "0": "abc" } };

function missing(): DOMException {
	return new DOMException("no such file", "NotFoundError");
}

/** A folder from a picker. */
function handle(folder: Tree): FileSystemDirectoryHandle {
	const one = (name: string, kind: string) => {
		const child = folder[name];
		const found =
			kind === "file" ? typeof child === "string" : typeof child === "object";
		return found ? child : undefined;
	};
	return {
		getDirectoryHandle: async (name: string) => {
			const child = one(name, "directory");
			if (typeof child !== "object") throw missing();
			return handle(child);
		},
		getFileHandle: async (name: string) => {
			const child = one(name, "file");
			if (typeof child !== "string") throw missing();
			return { getFile: async () => new Blob([child]) };
		},
		async *entries() {
			for (const [name, child] of Object.entries(folder)) {
				yield [name, { kind: typeof child === "string" ? "file" : "directory" }];
			}
		},
	} as unknown as FileSystemDirectoryHandle;
}

/** A folder from a drop; its reader returns one entry at a time. */
function entry(folder: Tree): FileSystemDirectoryEntry {
	const at = (path: string) =>
		path
			.split("/")
			.reduce<string | Tree | undefined>(
				(node, name) => (typeof node === "object" ? node[name] : undefined),
				folder,
			);
	return {
		getFile(
			path: string,
			_: object,
			take: (e: unknown) => void,
			fail: (e: unknown) => void,
		) {
			const child = at(path);
			if (typeof child !== "string") return fail(missing());
			take({ file: (give: (blob: Blob) => void) => give(new Blob([child])) });
		},
		getDirectory(path: string, _: object, take: (e: unknown) => void) {
			take(entry(at(path) as Tree));
		},
		createReader() {
			const left = Object.entries(folder);
			return {
				readEntries(give: (entries: unknown[]) => void) {
					const batch = left.splice(0, 1);
					give(
						batch.map(([name, child]) => ({ name, isFile: typeof child === "string" })),
					);
				},
			};
		},
	} as unknown as FileSystemDirectoryEntry;
}

function chosen(path: string, content: string): File {
	const file = new File([content], path.split("/").at(-1) ?? "");
	Object.defineProperty(file, "webkitRelativePath", { value: path });
	return file;
}

const folders = {
	"a file input": folderOf([
		chosen("town.zarr/.zgroup", "{}"),
		chosen("town.zarr/agents/.zarray", "{}"),
		chosen("town.zarr/agents/0", "abc"),
	]),
	"a picker": folderOf(handle(tree)),
	"a drop": folderOf(entry(tree)),
};

describe("source/folder", () => {
	for (const [name, folder] of Object.entries(folders)) {
		it(`lists and reads the folder from ${name}`, async () => {
			const top = await folder.list("");
			expect(top).toEqual({ files: [".zgroup"], folders: ["agents"] });
			expect([...(await folder.list("agents")).files].sort()).toEqual([".zarray", "0"]);
			await expect((await folder.file("agents/0"))?.text()).resolves.toBe("abc");
		});

		it(`has no file if ${name} returned none`, async () => {
			await expect(folder.file("agents/1")).resolves.toBeUndefined();
			await expect(folder.file("agents/0/x")).resolves.toBeUndefined();
			await expect(folder.file("frames/.zarray")).resolves.toBeUndefined();
		});
	}

	it("rethrows errors other than absence", async () => {
		const denied = new DOMException("denied", "NotAllowedError");
		const broken = { ...handle(tree), getFileHandle: () => Promise.reject(denied) };
		const folder = folderOf(broken as unknown as FileSystemDirectoryHandle);
		await expect(folder.file(".zgroup")).rejects.toBe(denied);
	});
});
