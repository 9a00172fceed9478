import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { toMap } from "../../src/saving/destination.js";
import { toNodeFolder } from "../../src/saving/node-folder.js";

const folders: string[] = [];

afterEach(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const bytes = (text: string) => new TextEncoder().encode(text);

it("a map that is changed between existing and begin is kept", async () => {
	const map = new Map([[".zattrs", bytes("before")]]);
	const to = toMap(map);
	await to.existing?.();
	map.set(".zattrs", bytes("theirs"));
	await to.begin({ replace: true });
	await to.put(".zattrs", bytes("ours"));
	await expect(to.publish()).rejects.toMatchObject({ code: "changed" });
	expect(map.get(".zattrs")).toEqual(bytes("theirs"));
});

it("a folder that is replaced between existing and begin is kept", async () => {
	const path = mkdtempSync(join(tmpdir(), "bev-destination-"));
	folders.push(path);
	writeFileSync(join(path, ".zattrs"), "before");
	const to = toNodeFolder(path);
	await to.existing?.();
	writeFileSync(join(path, ".zattrs"), "theirs");
	await to.begin({ replace: true });
	await to.put(".zattrs", bytes("ours"));
	await expect(to.publish()).rejects.toMatchObject({ code: "changed" });
	expect(readFileSync(join(path, ".zattrs"), "utf8")).toBe("theirs");
	rmSync(`${path}.partial-web`, { recursive: true });
});
