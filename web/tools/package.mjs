// Checks the packages: packs them as for publishing, checks contents and sizes of the
// tarballs, runs publint and are-the-types-wrong on them, and checks the size budgets and
// code that a strict content security policy forbids.
import { execFileSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { GUIDES, NOTICES } from "./notices.mjs";
import { pack } from "./pack.mjs";

const web = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bevscope-package-"));

/**
 * The packages by directory, with limits in kB of their packed and unpacked sizes: most of
 * them are the WebAssembly modules, which each of the files of bevscope-viewer contains.
 */
const PACKAGES = {
	".": { packed: 2340, unpacked: 5990 },
	viewer: { packed: 2380, unpacked: 4080 },
};

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

/** Returns the paths that an `exports`, `bin` or CDN field refers to. */
function targets(field) {
	if (typeof field === "string") return [field.replace(/^\.\//, "")];
	return Object.values(field ?? {}).flatMap(targets);
}

/**
 * Unpacks a tarball and throws if a file that users need is missing, or a file of the
 * sources is in it. Prints the sizes and throws if they exceed `limits`.
 */
function checkContents(tarball, limits) {
	const unpacked = `${tarball}.d`;
	mkdirSync(unpacked);
	execFileSync("tar", ["-xzf", tarball, "-C", unpacked]);
	const root = join(unpacked, "package");
	const files = readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
	const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	const { exports, bin, jsdelivr, unpkg } = manifest;
	const isViewer = manifest.name === "bevscope-viewer";
	const wanted = [
		"README.md",
		"LICENSE",
		...NOTICES.map((name) => (isViewer ? name : `dist/${name}`)),
		...GUIDES[manifest.name],
		...targets({ exports, bin, jsdelivr, unpkg }),
	];
	const missing = wanted.filter((file) => !files.includes(file));
	const foreign = files.filter((file) =>
		/(^|\/)(src|test|node_modules)\/|\.ts(x|buildinfo)$|\.map$/.test(file),
	);
	if (missing.length + foreign.length > 0 || manifest.private) {
		throw new Error(
			`${manifest.name}: missing ${missing.join(", ") || "nothing"}, unexpected ${foreign.join(", ") || "nothing"}`,
		);
	}
	for (const file of files.filter((name) => /^(README|docs\/.*)\.md$/.test(name)))
		requireLinks(root, file);
	const text = Buffer.concat(files.map((file) => readFileSync(join(root, file))));
	const sizes = {
		packed: gzipSync(text, { level: 9 }).length / 1000,
		unpacked: text.length / 1000,
	};
	console.log(`${manifest.name}: ${files.length} files`);
	for (const [name, size] of Object.entries(sizes)) {
		console.log(`... ${name} ${size.toFixed(0)} kB of ${limits[name]}`);
		if (size > limits[name])
			throw new Error(`${manifest.name}: ${name}: larger than ${limits[name]} kB`);
	}
}

/** Throws if a document of an unpacked package links to a file that is not in it. */
function requireLinks(root, file) {
	const text = readFileSync(join(root, file), "utf8");
	for (const [, target] of text.matchAll(/\]\((?!#|https?:)([^)#]+)/g)) {
		if (existsSync(join(root, dirname(file), target))) continue;
		throw new Error(`${file}: link to ${target}, which is not in the package`);
	}
}

/** Throws if a built directory lacks the licence or the notices. */
function requireNotices() {
	for (const name of NOTICES) {
		const wanted = readFileSync(join(web, "..", name), "utf8");
		for (const built of ["dist", "../build/app"]) {
			if (readFileSync(join(web, built, name), "utf8") === wanted) continue;
			throw new Error(`${built}/${name}: differs from the repository's`);
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
	requireNotices();
	for (const [directory, limits] of Object.entries(PACKAGES)) {
		const tarball = pack(join(web, directory), folder);
		checkContents(tarball, limits);
		run("publint", "run", tarball, "--strict");
		const wasm = ["core", "stream", "tools", "convert", "save"];
		const untyped = wasm.map((name) => `./${name}.wasm`);
		run("attw", tarball, "--profile", "esm-only", "--exclude-entrypoints", ...untyped);
	}
	const refused = forbidden();
	if (refused.length > 0)
		throw new Error(`a strict policy refuses ${refused.join(", ")}`);
	execFileSync(process.execPath, [join(web, "tools/size.mjs")], { stdio: "inherit" });
} finally {
	rmSync(folder, { recursive: true });
}
