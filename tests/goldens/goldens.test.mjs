// scripts/goldens refuses folders and archives that are not the golden files.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../scripts/goldens", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "bev-goldens-"));
const folder = join(work, "unpacked");
const GOLDENS = process.env.BEV_GOLDENS;

after(() => rmSync(work, { recursive: true }));

const goldens = (...words) => spawnSync(program, words, { encoding: "utf8" });

/** Packs a folder as an archive. */
function packed(from) {
	const archive = join(work, "asset.tar");
	execFileSync("tar", ["-cf", archive, "-C", from, "."]);
	return archive;
}

test("a folder that does not exist, or with other files, is refused", () => {
	assert.match(
		goldens("--check", join(work, "none")).stderr,
		/no folder of golden files/,
	);
	const { status, stderr, stdout } = goldens("--check", work);
	assert.equal(status, 1);
	assert.match(stdout, /: missing\n/);
	assert.match(stderr, /(\d+) of \1 golden files differ/);
});

test("an archive with another file is refused, and nothing of it remains", () => {
	const from = join(work, "wrong");
	mkdirSync(join(from, "inputs"), { recursive: true });
	writeFileSync(join(from, "inputs/meta.json"), "{}");
	const { status, stdout, stderr } = goldens(packed(from), folder);
	assert.equal(status, 1, stderr);
	assert.match(stdout, /: missing\n/);
	assert(!existsSync(folder));
	assert(!existsSync(`${folder}.new`));
});

test("an archive of the golden files is unpacked; a changed byte is found", {
	skip: !GOLDENS,
}, () => {
	mkdirSync(folder);
	writeFileSync(join(folder, "mine.txt"), "kept");
	const { status, stderr } = goldens(packed(GOLDENS), folder);
	assert.equal(status, 0, stderr);
	assert(existsSync(join(folder, "mine.txt")));
	assert.equal(goldens("--check", folder).status, 0);
	writeFileSync(join(folder, "inputs/meta.json"), "{}");
	const { stdout } = goldens("--check", folder);
	assert.match(
		stdout,
		/^inputs\/meta.json: another content \(found \w{64}, expected \w{64}\)/,
	);
});
