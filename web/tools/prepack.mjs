// Run by `npm pack` and `npm publish` in the package's directory: copies licence, notices
// and changes into it, and writes the descriptions of the element. Fails if the package is
// not built or the packages' versions differ.
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { writeManifests } from "./manifest.mjs";
import { GUIDES, NOTICES } from "./notices.mjs";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const manifest = (path) => JSON.parse(readFileSync(at(path), "utf8"));

/** Throws if `found` is not `expected`. */
function expectSame(what, found, expected) {
	if (found === expected) return;
	throw new Error(`${what}: mismatch (found ${found}, expected ${expected})`);
}

const { version, exports } = manifest("package.json");
const manifestHere = JSON.parse(readFileSync("package.json", "utf8"));
const viewer = manifest("viewer/package.json");
expectSame("bevscope-viewer: version", viewer.version, version);
expectSame("bevscope-viewer: its bevscope", viewer.dependencies.bevscope, version);

for (const target of Object.values(exports).flatMap((each) =>
	typeof each === "string" ? each : Object.values(each),
)) {
	if (!existsSync(at(target))) {
		throw new Error(
			`${target}: not found (expected "npm run build:lib" before packing)`,
		);
	}
}

if (manifestHere.name === viewer.name) {
	for (const name of NOTICES) copyFileSync(at(`../${name}`), name);
	copyFileSync(at("dist/inline-viewer.js"), "inline-viewer.js");
	copyFileSync(at("dist/inline.js"), "inline-library.js");
	writeManifests(".");
} else {
	copyFileSync(at("../LICENSE"), "LICENSE"); // the notices are in dist/
}
const guides = GUIDES[manifestHere.name];
rmSync("docs", { recursive: true, force: true });
mkdirSync("docs");
for (const path of guides) writeFileSync(path, guide(at(`../${path}`)));

/** Returns a guide in which links to files that are not in the package are text. */
function guide(path) {
	const inPackage = guides.map((name) => basename(name));
	return readFileSync(path, "utf8").replace(
		/!?\[([^\]]*)\]\((?!#|https?:)([^)#]+)[^)]*\)/g,
		(link, label, target) => (inPackage.includes(target) ? link : label),
	);
}
