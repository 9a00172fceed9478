import {
	CONFIGURED,
	COPY,
	html,
	PLAIN,
	type Project,
	packed,
	READ,
	serve,
	VITE_CONFIG,
} from "./projects.js";

/** Bare names of a page without a bundler, and the files that they name. */
const IMPORTS = {
	bevscope: "bevscope/dist/index.js",
	"bevscope-viewer": "bevscope-viewer/index.js",
	"bevscope/define": "bevscope/dist/elements/define.js",
	"bevscope/element": "bevscope/dist/elements/index.js",
};

const IMPORT_MAP = JSON.stringify({
	imports: Object.fromEntries(
		Object.entries(IMPORTS).map(([name, path]) => [name, `./node_modules/${path}`]),
	),
});

const ANGULAR_BUILD = {
	builder: "@angular/build:application",
	options: {
		browser: "src/main.ts",
		index: "src/index.html",
		tsConfig: "tsconfig.json",
		outputPath: "site",
		assets: [
			{
				glob: "{*worker.js,wasm/*.wasm}",
				input: "node_modules/bevscope/dist",
				output: "bevscope",
			},
		],
	},
	// As `ng new` sets it; the development server then bundles dependencies beforehand.
	configurations: { development: { optimization: false } },
};

const ANGULAR_SERVE = {
	builder: "@angular/build:dev-server",
	options: { buildTarget: "page:build:development" },
};

const ANGULAR = {
	"src/read.js": READ,
	"src/index.html": `<!doctype html>
<title>page</title>
<base href="./">
<link rel="icon" href="data:,">
<page-root></page-root>
`,
	"src/main.ts": `
import { Component, CUSTOM_ELEMENTS_SCHEMA, provideZonelessChangeDetection } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { configure } from "bevscope";
import "bevscope-viewer";
import { source } from "./read.js";

configure({ base: "bevscope/" });

@Component({
	selector: "page-root",
	schemas: [CUSTOM_ELEMENTS_SCHEMA],
	template: '<bev-viewer [src]="src"></bev-viewer>',
})
class Page {
	src = source();
}

bootstrapApplication(Page, { providers: [provideZonelessChangeDetection()] });
`,
	"tsconfig.json": JSON.stringify({
		compilerOptions: {
			target: "es2022",
			module: "preserve",
			moduleResolution: "bundler",
			lib: ["es2022", "dom"],
			allowJs: true,
			strict: true,
			noImplicitAny: false,
			skipLibCheck: true, // as `ng new` sets it
			experimentalDecorators: true,
		},
		files: ["src/main.ts"],
	}),
	"angular.json": JSON.stringify({
		version: 1,
		cli: { analytics: false, cache: { enabled: true, environment: "all" } },
		projects: {
			page: {
				projectType: "application",
				root: "",
				architect: { build: ANGULAR_BUILD, serve: ANGULAR_SERVE },
			},
		},
	}),
};

const NEXT = {
	"app/layout.js": `
export default function Layout({ children }) {
	return <html lang="en"><head><link rel="icon" href="data:," /></head><body>{children}</body></html>;
}
`,
	"app/page.js": `
"use client";
import "bevscope-viewer";
import { useEffect, useState } from "react";
import { source } from "./read.js";

export default function Page() {
	const [src, setSrc] = useState();
	useEffect(() => setSrc(source()), []);
	return src ? <bev-viewer src={src} /> : null;
}
`,
	"app/read.js": READ,
	"next.config.mjs": `
export default { output: "export", turbopack: { root: import.meta.dirname } };
`,
	"package.json": JSON.stringify({ name: "page", private: true }),
};

/** The projects of the whole matrix that the default run omits. */
export const MORE: readonly Project[] = [
	{
		name: "an import map",
		files: {
			...PLAIN,
			"index.html": `<script type="importmap">${IMPORT_MAP}</script>\n${html("./main.js")}`,
		},
		site: ".",
	},
	{
		name: "Vite 7, development server",
		files: { ...PLAIN, "vite.config.js": VITE_CONFIG },
		site: serve("vite7"),
	},
	{
		name: "Vite 7, build",
		files: PLAIN,
		build: [["vite7/bin/vite.js", "build", "--base", "./"]],
		site: "dist",
	},
	{
		name: "Rspack",
		files: {
			...PLAIN,
			"site/index.html": html("./main.js"),
			"build.mjs": packed('import { rspack as pack } from "@rspack/core";'),
		},
		build: [["./build.mjs"]],
		site: "site",
	},
	{
		name: "Rollup",
		files: {
			"read.js": READ,
			"main.js": CONFIGURED,
			"site/index.html": html("./main.js"),
			"rollup.config.mjs": `
import { nodeResolve } from "@rollup/plugin-node-resolve";
export default { input: "main.js", output: { dir: "site" }, plugins: [nodeResolve({ browser: true })] };
`,
		},
		build: [["rollup/dist/bin/rollup", "--config", "rollup.config.mjs"], COPY],
		site: "site",
	},
	{
		name: "Parcel",
		files: {
			...PLAIN,
			"package.json": JSON.stringify({
				"@parcel/resolver-default": { packageExports: true },
			}),
			"package-lock.json": "{}", // marks the project's root
		},
		build: [
			[
				"parcel/lib/bin.js",
				"build",
				"index.html",
				"--dist-dir",
				"site",
				"--public-url",
				"./",
				"--no-cache",
			],
		],
		site: "site",
	},
	{
		name: "Next.js, static export",
		files: NEXT,
		build: [["next/dist/bin/next", "build"]],
		site: "out",
	},
	{
		name: "Next.js, development server",
		files: NEXT,
		site: {
			server: [
				"next/dist/bin/next",
				"dev",
				"--hostname",
				"127.0.0.1",
				"--port",
				"PORT",
			],
		},
		page: "/",
	},
	{
		name: "Vue",
		files: {
			"read.js": READ,
			"index.html": html("./main.js"),
			"main.js": `
import "bevscope-viewer";
import { createApp } from "vue";
import App from "./App.vue";
createApp(App).mount("#root");
`,
			"App.vue": `
<script setup>
import { source } from "./read.js";
const src = source();
</script>
<template><bev-viewer :src="src" /></template>
`,
			"vite.config.js": `
import vue from "@vitejs/plugin-vue";
const isCustomElement = (tag) => tag.startsWith("bev-");
export default { plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] };
`,
		},
		build: [["vite/bin/vite.js", "build", "--base", "./"]],
		site: "dist",
	},
	{
		name: "Svelte",
		files: {
			"read.js": READ,
			"index.html": html("./main.js"),
			"main.js": `
import "bevscope-viewer";
import { mount } from "svelte";
import App from "./App.svelte";
mount(App, { target: document.getElementById("root") });
`,
			"App.svelte": `
<script>
	import { source } from "./read.js";
	const src = source();
</script>
<bev-viewer {src}></bev-viewer>
`,
			"vite.config.js": `
import { svelte } from "@sveltejs/vite-plugin-svelte";
export default { plugins: [svelte()] };
`,
		},
		build: [["vite/bin/vite.js", "build", "--base", "./"]],
		site: "dist",
	},
	{
		name: "Angular",
		files: ANGULAR,
		build: [["@angular/cli/bin/ng.js", "build"]],
		site: "site/browser",
	},
	{
		name: "Angular, development server",
		files: ANGULAR,
		site: {
			server: [
				"@angular/cli/bin/ng.js",
				"serve",
				"--host",
				"127.0.0.1",
				"--port",
				"PORT",
			],
		},
		page: "/",
	},
];
