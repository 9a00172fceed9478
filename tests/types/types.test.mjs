// Compiles programs against the package's declarations with several versions of
// TypeScript, without skipLibCheck, as packages of other people do.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const MODULES = at("build/types/node_modules");
const VERSIONS = ["5.4", "5.7", "5.9", "6.0", "7.0"];

const BASE = {
	target: "ES2022",
	module: "NodeNext",
	moduleResolution: "NodeNext",
	strict: true,
	exactOptionalPropertyTypes: true,
	noUncheckedIndexedAccess: true,
	skipLibCheck: false,
	noEmit: true,
	types: [],
};

const PROJECTS = {
	"the library": { files: ["library.ts"], lib: ["ES2022", "DOM", "DOM.Iterable"] },
	"the library, by a bundler's rules": {
		files: ["library.ts"],
		lib: ["ES2022", "DOM"],
		module: "ESNext",
		moduleResolution: "Bundler",
	},
	"the elements": { files: ["elements.ts"], lib: ["ES2022", "DOM", "DOM.Iterable"] },
	"the elements in React, Vue and Svelte": {
		files: ["react.tsx", "svelte.ts", "vue.ts"],
		lib: ["ES2022", "DOM", "DOM.Iterable"],
		jsx: "react-jsx",
		versions: VERSIONS.slice(2), // Svelte's own types need a newer DOM library
	},
	"the elements in Solid, Preact, Qwik and Astro": {
		files: ["solid.tsx", "preact.tsx", "qwik.tsx", "astro.ts"],
		lib: ["ES2022", "DOM", "DOM.Iterable"],
		jsx: "react-jsx",
		module: "ESNext",
		moduleResolution: "Bundler", // Qwik's types have no extensions
		versions: VERSIONS.slice(2),
		skipLibCheck: true, // Astro's and Qwik's own types need Node's
	},
	"the widgets": { files: ["widgets.ts"], lib: ["ES2022", "DOM", "DOM.Iterable"] },
	"the library without the DOM": { files: ["library.ts"], lib: ["ES2022"] },
};

/** Installs the package's folder beside the programs' copies, as a link. */
function link() {
	for (const [name, folder] of Object.entries({
		bevscope: "web",
		"bevscope-viewer": "web/viewer",
	})) {
		if (!existsSync(`${MODULES}/${name}`))
			symlinkSync(at(folder), `${MODULES}/${name}`);
	}
}

async function compile(version, name) {
	const { files, versions: _, ...options } = PROJECTS[name];
	const folder = at(`build/types/projects`);
	mkdirSync(folder, { recursive: true });
	writeFileSync(`${folder}/package.json`, '{ "type": "module" }');
	for (const file of files)
		copyFileSync(at(`tests/types/${file}`), `${folder}/${file}`);
	const config = `${folder}/${version}-${Object.keys(PROJECTS).indexOf(name)}.json`;
	const project = {
		compilerOptions: { ...BASE, preserveSymlinks: true, ...options },
		files,
	};
	writeFileSync(config, JSON.stringify(project, undefined, "\t"));
	const tsc = `${MODULES}/typescript-${version}/bin/tsc`;
	try {
		await promisify(execFile)(process.execPath, [tsc, "-p", config]);
	} catch ({ stdout, stderr }) {
		assert.fail(`TypeScript ${version}:\n${stdout}${stderr}`);
	}
}

link();
for (const name of Object.keys(PROJECTS)) {
	for (const version of PROJECTS[name].versions ?? VERSIONS) {
		test(`TypeScript ${version} compiles ${name}`, () => compile(version, name));
	}
}
