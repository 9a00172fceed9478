import { describe, expect, it } from "vitest";
import type { Destination } from "../../src/saving/destination.js";
import { toFolder } from "../../src/saving/folder.js";
import { FakeFolder } from "../support/fake-folder.js";

const BYTES = new TextEncoder().encode("ours");

interface Step {
	readonly name: string;
	/** Called between two steps of a commit. */
	readonly at: "existing" | "begin" | "put" | "write" | "close" | "never";
	/** Whether the file system then fails. */
	readonly fails?: boolean;
}

/** Commits as `commitParts` does; another program writes at a step. */
async function commit(
	to: Destination,
	step: Step,
	folder: FakeFolder,
	write: () => void,
): Promise<void> {
	const after = (at: Step["at"]): void => {
		if (at === step.at) write();
	};
	folder.onWrite = (at) => {
		after(at);
		if (at === step.at && step.fails)
			throw new DOMException("full", "QuotaExceededError");
	};
	const found = await to.existing?.();
	after("existing");
	await to.begin({ replace: found !== undefined });
	try {
		after("begin");
		await to.put("", BYTES);
		after("put");
		await to.publish();
	} catch (error) {
		await to.discard?.().catch(() => {});
		throw error;
	}
}

const STEPS: readonly Step[] = [
	{ name: "before begin", at: "existing" },
	{ name: "between begin and put", at: "begin" },
	{ name: "between put and publish", at: "put" },
	{ name: "before a write that fails", at: "write", fails: true },
	{ name: "during a publication that fails", at: "close", fails: true },
];

describe("saving: a .zip of a folder", () => {
	it.each(STEPS)("that another program creates $name is kept", async (step) => {
		const folder = new FakeFolder();
		const done = commit(toFolder(folder.handle, "d.zip"), step, folder, () =>
			folder.write("d.zip", "theirs"),
		);
		const code = step.fails ? "io" : "changed";
		await expect(done).rejects.toMatchObject({ code });
		expect(folder.text("d.zip")).toBe("theirs");
	});

	it.each(STEPS)("that another program replaces $name is kept", async (step) => {
		const folder = new FakeFolder();
		folder.write("d.zip", "before");
		const done = commit(toFolder(folder.handle, "d.zip"), step, folder, () =>
			folder.write("d.zip", "theirs"),
		);
		const code = step.fails ? "io" : "changed";
		await expect(done).rejects.toMatchObject({ code });
		expect(folder.text("d.zip")).toBe("theirs");
	});

	it("that another program removes stays removed", async () => {
		const folder = new FakeFolder();
		folder.write("d.zip", "before");
		const step = { name: "", at: "put" } as const;
		const done = commit(toFolder(folder.handle, "d.zip"), step, folder, () =>
			folder.files.delete("d.zip"),
		);
		await expect(done).rejects.toMatchObject({ code: "changed" });
		expect(folder.text("d.zip")).toBeUndefined();
	});

	it("is replaced, or created", async () => {
		for (const before of ["before", "", undefined]) {
			const folder = new FakeFolder();
			if (before !== undefined) folder.write("d.zip", before);
			const to = toFolder(folder.handle, "d.zip");
			await commit(to, { name: "", at: "never" }, folder, () => {});
			expect(folder.text("d.zip")).toBe("ours");
		}
	});

	it("leaves no file if it cannot be written", async () => {
		for (const at of ["write", "close"] as const) {
			const folder = new FakeFolder();
			const step = { name: "", at, fails: true };
			const to = toFolder(folder.handle, "d.zip");
			const done = commit(to, step, folder, () => {});
			await expect(done).rejects.toMatchObject({ code: "io" });
			expect([...folder.files.keys()]).toEqual([]);
		}
	});

	it("leaves no file if the browser cannot write files", async () => {
		const folder = new FakeFolder();
		const { handle } = folder;
		const unable = {
			...handle,
			getFileHandle: async (name: string, options?: FileSystemGetFileOptions) => ({
				...(await handle.getFileHandle(name, options)),
				createWritable: undefined,
			}),
		} as unknown as FileSystemDirectoryHandle;
		const begun = toFolder(unable, "d.zip").begin({ replace: false });
		await expect(begun).rejects.toMatchObject({ code: "unsupported" });
		expect([...folder.files.keys()]).toEqual([]);
	});
});

describe("saving: a subfolder", () => {
	it("that another program fills before begin is kept", async () => {
		const folder = new FakeFolder();
		const to = toFolder(folder.handle, "d.zarr");
		expect(await to.existing?.()).toBeUndefined();
		const theirs = new FakeFolder();
		theirs.write(".zgroup", "{}");
		folder.folders.set("d.zarr", theirs);
		await expect(to.begin({ replace: false })).rejects.toMatchObject({
			code: "changed",
		});
		expect([...theirs.files.keys()]).toEqual([".zgroup"]);
	});

	it("of an interrupted commit is emptied", async () => {
		const folder = new FakeFolder();
		const ours = new FakeFolder();
		folder.folders.set("d.zarr", ours);
		for (const name of [".bevscope-saving", "label"]) ours.write(name, "");
		await toFolder(folder.handle, "d.zarr").begin({ replace: false });
		expect([...ours.files.keys()]).toEqual([".bevscope-saving"]);
	});
});
