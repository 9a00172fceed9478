// Usage: node scripts/node/lock.mjs DIR
//
// Writes DIR/package-lock.json for the newest versions that DIR/package.json permits.
// Leaves out addresses of registries, and optional packages of other systems than
// Debian's on x64 and arm64.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node scripts/node/lock.mjs DIR");
const file = join(folder, "package-lock.json");

/** Whether a package can be installed on Debian. */
function suits({ os = ["linux"], cpu = ["x64"], libc = ["glibc"], optional }) {
	const here = cpu.includes("x64") || cpu.includes("arm64");
	return !optional || (os.includes("linux") && here && libc.includes("glibc"));
}

rmSync(file, { force: true });
const quiet = ["--ignore-scripts", "--no-audit", "--no-fund"];
execFileSync("npm", ["install", "--package-lock-only", ...quiet], {
	cwd: folder,
	stdio: "inherit",
});
const lock = JSON.parse(readFileSync(file, "utf8"));
const packages = Object.entries(lock.packages).filter(([, one]) => suits(one));
const names = new Set(
	packages.map(([path]) => path.slice(path.lastIndexOf("node_modules/") + 13)),
);
for (const [, one] of packages) {
	delete one.resolved;
	const optional = Object.entries(one.optionalDependencies ?? {});
	const kept = optional.filter(([name]) => names.has(name));
	if (optional.length > 0) one.optionalDependencies = Object.fromEntries(kept);
}
lock.packages = Object.fromEntries(packages);
writeFileSync(file, `${JSON.stringify(lock, null, "\t")}\n`);
