// Checks the package: packs it as for publishing, runs publint and are-the-types-wrong
// on the tarball, and checks the size budgets and code that a strict content security
// policy forbids.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NOTICES } from "./notices.mjs";

const web = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bevscope-package-"));

/**
 * Lit's parser of static template text in the one-file viewer. It never receives data.
 */
const LIT_TEMPLATE = /createElement\([`"']template[`"']\);return \w+\.innerHTML=/g;

/** Code that the policy forbids. */
const FORBIDDEN =
	/\bnew Function\b|\beval\(|\bFunction\.apply\b|\bstyle="|\.innerHTML\b/;

function run(command, ...args) {
	console.log(`== ${[command, ...args].join(" ")}`);
	execFileSync(join(web, "node_modules/.bin", command), args, {
		cwd: web,
		stdio: "inherit",
	});
}

function pack() {
	const args = ["pack", "--silent", "--pack-destination", folder];
	const name = execFileSync("npm", args, { cwd: web, encoding: "utf8" }).trim();
	return join(folder, name.split("\n").at(-1));
}

/** Throws if the tarball or the built viewer lacks the licence or the notices. */
function requireNotices(tarball) {
	const packed = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" });
	const files = new Set(packed.split("\n"));
	for (const name of NOTICES) {
		const wanted = readFileSync(join(web, "..", name), "utf8");
		if (!files.has(`package/dist/${name}`)) {
			throw new Error(`package: ${name} is missing (expected dist/${name})`);
		}
		for (const folder of ["dist", "../build/app"]) {
			if (readFileSync(join(web, folder, name), "utf8") === wanted) continue;
			throw new Error(`${folder}/${name}: differs from the repository's`);
		}
	}
}

/** Returns the scripts with forbidden code, except Lit's template parser. */
function forbidden() {
	const dist = join(web, "dist");
	const scripts = readdirSync(dist, { recursive: true }).filter((file) =>
		/\.m?js$/.test(file),
	);
	return scripts.filter((file) =>
		FORBIDDEN.test(readFileSync(join(dist, file), "utf8").replace(LIT_TEMPLATE, "")),
	);
}

try {
	const tarball = pack();
	requireNotices(tarball);
	run("publint", "run", tarball, "--strict");
	run(
		"attw",
		tarball,
		"--profile",
		"esm-only",
		"--exclude-entrypoints",
		"./core.wasm",
		"./full.wasm",
		"./stream.wasm",
	);
	const refused = forbidden();
	if (refused.length > 0)
		throw new Error(`a strict policy refuses ${refused.join(", ")}`);
	execFileSync(process.execPath, [join(web, "tools/size.mjs")], { stdio: "inherit" });
} finally {
	rmSync(folder, { recursive: true });
}
