/** A project that uses the packages, and how it is built. docs/bundlers.md describes each. */
export interface Project {
	readonly name: string;
	/** Its files by path. */
	readonly files: Readonly<Record<string, string>>;
	/**
	 * Scripts that build it, with their arguments: paths below `node_modules`, or below the
	 * project if they begin with "./".
	 */
	readonly build?: readonly (readonly string[])[];
	/** The directory of the built page, or a development server for the port PORT. */
	readonly site: string | { readonly server: readonly string[] };
	/** The page's path. */
	readonly page?: string;
	/** Warnings in the console or of the build that docs/bundlers.md names. */
	readonly expected?: RegExp;
}

/** Reads a frame of the data set in the page's query, and gives the result to the test. */
export const READ = `
import { ChunkedDataset } from "bevscope";

async function read(src) {
	const dataset = await ChunkedDataset.open(src);
	const { ego, agents } = await dataset.frame(0, 3);
	const { worker, notes } = dataset.capabilities;
	dataset.close();
	return { east: ego.translation[0], agents: agents.centroid.length / 2, worker, notes };
}

export function source() {
	const src = new URLSearchParams(location.search).get("data");
	globalThis.reading ??= read(src);
	return src;
}
`;

const MAIN = `
import "bevscope-viewer";
import { source } from "./read.js";

const viewer = document.createElement("bev-viewer");
viewer.setAttribute("src", source());
document.body.append(viewer);
`;

/** For bundlers that do not copy the modules and the worker. */
export const CONFIGURED = `
import { configure } from "bevscope";

configure({ base: "./bevscope/" });
${MAIN}`;

/** Copies the files to the place that `CONFIGURED` names. */
export const COPY = ["bevscope/bin/bevscope-files.mjs", "site/bevscope"];

export const html = (script: string): string =>
	`<!doctype html>\n<title>page</title>\n<link rel="icon" href="data:,">\n<div id="root"></div>\n<script type="module" src="${script}"></script>\n`;

export const PLAIN = {
	"read.js": READ,
	"main.js": MAIN,
	"index.html": html("./main.js"),
};
export const VITE_CONFIG = `
import { bevscope } from "bevscope/vite";
export default { plugins: [bevscope()] };
`;

export const serve = (vite: string) => ({
	server: [
		`${vite}/bin/vite.js`,
		"--host",
		"127.0.0.1",
		"--strictPort",
		"--port",
		"PORT",
	],
});

/** A script that runs a bundler with the interface of webpack. */
export const packed = (imported: string): string => `
import { resolve } from "node:path";
${imported}

const output = { path: resolve("site") };
pack({ mode: "production", entry: "./main.js", output, performance: { hints: false } }, (error, stats) => {
	const shown = { colors: false, all: false, errors: true, warnings: true };
	console.log(error ?? stats.toString(shown));
	if (error || stats.hasErrors()) process.exitCode = 1;
});
`;

/** Vite's hint for bundles with React, of which the elements are a part. */
const LARGE = /chunkSizeWarningLimit/;

const REACT = `
import "bevscope-viewer";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { source } from "./read.js";

function App() {
	const [frame, setFrame] = useState(0);
	return (
		<>
			<p id="frame">{frame}</p>
			<bev-viewer
				src={source()}
				onframe-change={(event: CustomEvent<{ frame: number }>) => setFrame(event.detail.frame)}
			/>
		</>
	);
}

createRoot(document.getElementById("root")!).render(<StrictMode><App /></StrictMode>);
`;

/**
 * The component: it is steered, plays, and returns its position to the program, which must
 * not move it back.
 */
const REACT_COMPONENT = `
import { type Viewer } from "bevscope-viewer/element";
import { BevViewer } from "bevscope-viewer/react";
import { StrictMode, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { source } from "./read.js";

const src = source();
const page = globalThis as unknown as { reading: Promise<object> };
const read = page.reading;
let begin = (viewer: Viewer, setFrame: (frame: number) => void) => {};
// The test waits until the steps have passed, and for what was read.
page.reading = new Promise((resolve, reject) => {
	begin = (...given) => {
		begin = () => {};
		steer(...given).then(() => resolve(read), reject);
	};
});
const shown: number[] = [];

async function until(met: () => boolean, what: string) {
	for (const end = Date.now() + 20_000; !met(); ) {
		if (Date.now() > end) throw new Error(what + ": " + shown);
		await new Promise((next) => setTimeout(next, 10));
	}
}

async function steer(viewer: Viewer, setFrame: (frame: number) => void) {
	await viewer.settled;
	await until(() => viewer.frame === 2, "begins at the prop");
	setFrame(3);
	await until(() => viewer.frame === 3, "moves with the prop");
	viewer.play();
	await until(() => shown.at(-1) === 5, "plays to the end");
	const sorted = [...shown].sort((a, b) => a - b);
	if (String(shown) !== String(sorted)) throw new Error("moved back: " + shown);
	if (viewer.className !== "tall") throw new Error("no class");
}

function App() {
	const viewer = useRef<Viewer>(null);
	const [frame, setFrame] = useState(2);
	useEffect(() => {
		if (viewer.current) begin(viewer.current, setFrame);
	}, []);
	return (
		<BevViewer ref={viewer} src={src} frame={frame} className="tall"
			onFrameChange={({ detail }) => { shown.push(detail.frame); setFrame(detail.frame); }} />
	);
}

createRoot(document.getElementById("root")!).render(<StrictMode><App /></StrictMode>);
`;

const TSX = { compilerOptions: { jsx: "react-jsx", module: "esnext" } };

/** The projects of the default run. */
export const USUAL: readonly Project[] = [
	{
		name: "a plain tag",
		files: {
			"index.html": `<!doctype html>
<title>page</title>
<link rel="icon" href="data:,">
<script type="module" src="./bevscope/dist/cdn/viewer.js"></script>
<script type="module" src="./main.js"></script>
`,
			"read.js": READ.replace('"bevscope"', '"./bevscope/dist/cdn/bevscope.js"'),
			"main.js": MAIN.replace('import "bevscope-viewer";', ""),
			"copy.mjs": `
import { cpSync } from "node:fs";
cpSync("node_modules/bevscope", "bevscope", { recursive: true });
`,
		},
		build: [["./copy.mjs"]],
		site: ".",
	},
	{
		name: "Vite 5, development server",
		files: { ...PLAIN, "vite.config.js": VITE_CONFIG },
		site: serve("vite5"),
	},
	{
		name: "Vite 5, build",
		files: PLAIN,
		build: [["vite5/bin/vite.js", "build", "--base", "./"]],
		site: "dist",
	},
	{
		name: "Vite 8, development server",
		files: PLAIN,
		site: serve("vite"),
	},
	{
		name: "Vite 8, build",
		files: PLAIN,
		build: [["vite/bin/vite.js", "build", "--base", "./"]],
		site: "dist",
	},
	{
		name: "webpack",
		files: {
			...PLAIN,
			"site/index.html": html("./main.js"),
			"build.mjs": packed('import pack from "webpack";'),
		},
		build: [["./build.mjs"]],
		site: "site",
	},
	{
		name: "esbuild",
		files: {
			"read.js": READ,
			"main.js": CONFIGURED,
			"site/index.html": html("./main.js"),
			"build.mjs": `
import { build } from "esbuild";
await build({ entryPoints: ["main.js"], bundle: true, splitting: true, format: "esm", outdir: "site" });
`,
		},
		build: [["./build.mjs"], COPY],
		site: "site",
	},
	{
		name: "React, TSX",
		files: {
			"read.js": READ,
			"main.tsx": REACT,
			"index.html": html("./main.tsx"),
			"tsconfig.json": JSON.stringify(TSX),
		},
		build: [["vite/bin/vite.js", "build", "--base", "./"]],
		site: "dist",
		expected: LARGE,
	},
	{
		name: "React, the component",
		files: {
			"read.js": READ,
			"main.tsx": REACT_COMPONENT,
			"index.html": html("./main.tsx"),
			"tsconfig.json": JSON.stringify(TSX),
		},
		build: [["vite/bin/vite.js", "build", "--base", "./"]],
		site: "dist",
		expected: LARGE,
	},
];
