import { afterEach, describe, expect, it, vi } from "vitest";
import { OpfsStorage } from "../../../src/source/cache/opfs-storage.js";
import { clearPersistentCache } from "../../../src/source/cache/storage.js";

/** Locks of one name, in the order of the requests, as in browsers. */
class FakeLocks {
	#exclusive: Promise<unknown> = Promise.resolve();
	#shared: Promise<unknown>[] = [];

	request<T>(_name: string, { mode }: { mode: string }, work: () => Promise<T>) {
		if (mode === "shared") {
			const done = this.#exclusive.then(work);
			this.#shared.push(done);
			return done;
		}
		const before = Promise.all([this.#exclusive, ...this.#shared]);
		const done = before.then(work);
		[this.#exclusive, this.#shared] = [done, []];
		return done;
	}
}

/** A file system in which an entry cannot be removed while one below it is. */
class FakeRoot {
	#busy = 0;
	readonly log: string[] = [];

	getDirectory = async () => this;
	getDirectoryHandle = async () => this;

	async removeEntry(name: string, options?: { recursive: boolean }): Promise<void> {
		if (options?.recursive && this.#busy > 0) {
			throw new DOMException("in use", "NoModificationAllowedError");
		}
		this.#busy += 1;
		this.log.push(`begin ${name}`);
		await new Promise((done) => setTimeout(done, 5));
		this.log.push(`end ${name}`);
		this.#busy -= 1;
	}
}

class FakeFileHandle {
	createSyncAccessHandle(): void {}
}

async function makeStorage(): Promise<[FakeRoot, OpfsStorage]> {
	const root = new FakeRoot();
	vi.stubGlobal("FileSystemFileHandle", FakeFileHandle);
	vi.stubGlobal("navigator", { locks: new FakeLocks(), storage: root });
	const storage = await OpfsStorage.open();
	if (!storage) throw new Error("no storage");
	return [root, storage];
}

afterEach(() => vi.unstubAllGlobals());

describe("source/cache/opfs-storage", () => {
	it("clearing waits for a file that is being removed", async () => {
		const [root, storage] = await makeStorage();
		await Promise.all([
			storage.remove("a"),
			storage.remove("b"),
			clearPersistentCache(),
		]);
		expect(root.log.slice(-2)).toEqual(["begin bevscope-1", "end bevscope-1"]);
	});

	it("a file is removed after clearing that has begun", async () => {
		const [root, storage] = await makeStorage();
		await Promise.all([clearPersistentCache(), storage.remove("a")]);
		expect(root.log).toEqual([
			"begin bevscope-1",
			"end bevscope-1",
			"begin a",
			"end a",
		]);
	});
});
