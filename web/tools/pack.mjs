import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Packs the npm package in `directory` into `folder`; returns the tarball's path. */
export function pack(directory, folder) {
	const args = ["pack", "--silent", "--pack-destination", folder];
	const said = execFileSync("npm", args, { cwd: directory, encoding: "utf8" });
	return join(folder, said.trim().split("\n").at(-1));
}
