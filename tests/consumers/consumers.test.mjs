// Builds and runs programs outside the tree, from an install into an empty prefix.
// BEV_BUILD names a build directory of bevscope. With BEV_CONSUMERS=compiled only those run
// that compile the whole library, without it only those that use what is built.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test as anyTest, before } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const tree = join(here, "../..");
const build = process.env.BEV_BUILD;
// Beside `build`, so that ccache sees the same relative paths.
const work = (name) => `${build}-consumers-${name}`;
const prefix = work("prefix");
const cache = readFileSync(join(build, "CMakeCache.txt"), "utf8");
const cached = (name) => cache.match(new RegExp(`^${name}:\\w+=(.*)$`, "m"))?.[1] ?? "";
const libraries = cached("CMAKE_INSTALL_LIBDIR") || "lib";
const type = cached("CMAKE_BUILD_TYPE").toUpperCase();
const compiler = cached("CMAKE_CXX_COMPILER");
const town = join(work("town"), "scenes/town.zarr");

const compiled = process.env.BEV_CONSUMERS === "compiled";
const test = (name, body) => compiled || anyTest(name, body);
const compiledTest = (name, body) => compiled && anyTest(name, body);

const run = (program, ...words) =>
	execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Configures and builds a project in an empty directory. */
function cmake(source, name, ...options) {
	const binary = work(name);
	rmSync(binary, { recursive: true, force: true });
	run(
		"cmake",
		...["-S", source, "-B", binary, "-G", "Ninja"],
		...["CMAKE_BUILD_TYPE", "CMAKE_CXX_COMPILER", "CMAKE_C_COMPILER"].map(
			(name) => `-D${name}=${cached(name)}`,
		),
		...options,
	);
	run("cmake", "--build", binary);
	return binary;
}

/** Options with which a build of the tree compiles what `build` has in ccache. */
const cachedBuild = [
	`-DCMAKE_CXX_FLAGS_${type}=${cached(`CMAKE_CXX_FLAGS_${type}`)}`,
	`-DBEV_WERROR=${cached("BEV_WERROR")}`,
	...["CXX", "C"].map((language) => {
		const ccache = cached("BEV_CCACHE");
		const launcher = ["env", `CCACHE_BASEDIR=${tree}`, "CCACHE_NOHASHDIR=1", ccache];
		return `-DCMAKE_${language}_COMPILER_LAUNCHER=${existsSync(ccache) ? launcher.join(";") : ""}`;
	}),
];

/** Lines that every consumer prints, from the command's table of frames. */
function expectedLines() {
	const csv = run(
		`${prefix}/bin/bevscope`,
		...["cat", `${town}/frames`, "--rows", "0:5", "--format", "csv"],
		...["--fields", "ego_translation,agent_index_interval"],
	);
	const [, ...rows] = csv.trim().split("\n");
	return rows.map((row, index) => {
		const [x, y, , begin, end] = row.split(",").map(Number);
		return `frame ${index}: ego at ${x.toFixed(1)} ${y.toFixed(1)}, ${end - begin} agents`;
	});
}

before(() => {
	for (const name of ["prefix", "town", "pkg"]) {
		rmSync(work(name), { recursive: true, force: true });
	}
	mkdirSync(work("pkg"));
	run("cmake", "--install", build, "--prefix", prefix);
	run(
		`${prefix}/bin/bevscope`,
		...["town", work("town"), "--scenes", "1", "--agents-max", "30", "--no-aerial"],
	);
});

test("the prefix has headers, libraries, packages and the command", () => {
	const lib = join(prefix, libraries);
	for (const file of [
		"libbevscope.a",
		"libbevscope_native.a",
		"pkgconfig/bevscope.pc",
	]) {
		assert.ok(existsSync(join(lib, file)), file);
	}
	assert.ok(existsSync(join(lib, "cmake/bevscope/bevscopeConfig.cmake")));
	assert.ok(existsSync(join(prefix, "include/bevscope/bevscope.hpp")));
	assert.ok(existsSync(join(prefix, "lib/systemd/system/bevscope.service")));
	assert.ok(existsSync(join(prefix, "share/bevscope/deploy/nginx.conf")));
	assert.deepEqual(run("ls", join(prefix, "include")).trim(), "bevscope");
});

test("the preset library makes libraries alone", () => {
	const binary = work("library");
	rmSync(binary, { recursive: true, force: true });
	run("cmake", "-S", tree, "-B", binary, "--preset", "library");
	const targets = run("cmake", "--build", binary, "--target", "help");
	assert.match(targets, /libbevscope_native\.a/);
	assert.doesNotMatch(targets, /: CXX_EXECUTABLE_LINKER|^bevscope:|^unit_tests:/m);
	// The sources of the library alone, without the targets of the program.
	run("cmake", "--build", binary, "--target", "bev_native_facade");
});

test("everything is installed below the prefix", () => {
	const rules = readFileSync(join(build, "cmake_install.cmake"), "utf8");
	const places = [...rules.matchAll(/DESTINATION "([^"]*)"/g)].map(
		([, place]) => place,
	);
	assert.ok(places.some((place) => place.endsWith("/bevscope/app")));
	for (const place of places) assert.match(place, /^\$\{CMAKE_INSTALL_PREFIX\}\//);
});

test("the command finds the viewer that is installed with it", async () => {
	const app = join(prefix, "share/bevscope/app");
	// Not every build has the viewer: its place is what is tested here.
	mkdirSync(app, { recursive: true });
	const page = join(app, "index.html");
	if (!existsSync(page)) writeFileSync(page, "<title>viewer</title>");
	const server = spawn(`${prefix}/bin/bevscope`, ["serve", work("town")]);
	try {
		const [said] = await once(server.stdout, "data");
		const answer = await fetch(String(said).trim().split("\n")[0]);
		assert.equal(await answer.text(), readFileSync(page, "utf8"));
	} finally {
		server.kill();
	}
});

test("find_package: the example", () => {
	const binary = cmake(
		join(tree, "examples/native"),
		"find_package",
		`-DCMAKE_PREFIX_PATH=${prefix}`,
	);
	const lines = run(join(binary, "example_frames"), town).trim().split("\n");
	assert.deepEqual(lines, expectedLines());
});

test("a shared library that links the static library", () => {
	const binary = cmake(join(here, "plugin"), "plugin", `-DCMAKE_PREFIX_PATH=${prefix}`);
	const lines = run(join(binary, "consumer"), town).trim().split("\n");
	assert.deepEqual(lines, [expectedLines()[0], "-1 not_found"]);
});

/** Compiles one source with the flags of pkg-config; returns the program. */
function compile(source, name) {
	const packages = join(prefix, libraries, "pkgconfig");
	const flags = execFileSync("pkg-config", ["--cflags", "--libs", "bevscope-native"], {
		encoding: "utf8",
		env: { ...process.env, PKG_CONFIG_PATH: packages },
	});
	const program = join(work("pkg"), name);
	run(compiler, "-std=c++20", source, "-o", program, ...flags.trim().split(/\s+/));
	return program;
}

test("pkg-config and one line of the compiler", () => {
	const program = compile(join(tree, "examples/native/frames.cpp"), "frames");
	assert.deepEqual(run(program, town).trim().split("\n"), expectedLines());
});

test("the C++ of README.md and docs/cpp.md compiles and runs", () => {
	for (const [document, name] of [
		["README.md", "readme"],
		["docs/cpp.md", "guide"],
	]) {
		const text = readFileSync(join(tree, document), "utf8");
		const snippets = [...text.matchAll(/```cpp\n(.*?)```/gs)].map(([, code]) => code);
		assert.ok(snippets.length > 0, document);
		const code = snippets
			.join("\n")
			.replace(/^#include.*$/gm, "")
			.replaceAll('"town.zarr"', `"${town}"`)
			.replaceAll("build/town", work("town"));
		const source = join(work("pkg"), `${name}.cpp`);
		const include = "#include <bevscope/bevscope.hpp>\n#include <cstdio>\n";
		writeFileSync(source, `${include}int main() {\n${code}\n}\n`);
		run(compile(source, name));
	}
});

compiledTest("FetchContent: the core with a source of one's own", () => {
	const binary = cmake(
		join(here, "fetch_content"),
		"fetch_content",
		`-DBEVSCOPE_SOURCE=${tree}`,
		...cachedBuild,
	);
	const lines = run(join(binary, "consumer"), town).trim().split("\n");
	assert.deepEqual(lines, expectedLines());
});

compiledTest("the shared library exports only names of bev", () => {
	const binary = cmake(
		tree,
		"shared",
		...["-DBUILD_SHARED_LIBS=ON", "-DBEV_TESTS=OFF", "-DBEV_EXAMPLES=OFF"],
		...cachedBuild,
	);
	const root = work("shared_prefix");
	rmSync(root, { recursive: true, force: true });
	run("cmake", "--install", binary, "--prefix", root);
	const library = join(root, libraries, "libbevscope.so");
	const names = run("nm", "-DC", "--defined-only", library)
		.trim()
		.split("\n")
		.map((line) => line.split(" ").slice(2).join(" "));
	const foreign = names.filter(
		(name) => !/^(vtable for |typeinfo (name )?for )?bev::/.test(name),
	);
	assert.deepEqual(foreign, []);
	assert.ok(names.includes("typeinfo for bev::Error"), "exceptions cross the boundary");
	const internal = names.filter((name) =>
		/bev::(zarr|store|save|scene|sample|raster|map|geom|zip|native|library)::/.test(
			name,
		),
	);
	assert.deepEqual(internal, []);
	const example = cmake(
		join(here, "plugin"),
		"shared_plugin",
		`-DCMAKE_PREFIX_PATH=${root}`,
	);
	const lines = run(join(example, "consumer"), town).trim().split("\n");
	assert.deepEqual(lines, [expectedLines()[0], "-1 not_found"]);
});
