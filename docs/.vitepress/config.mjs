import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { defineConfig } from "vitepress";
import { MOVED_PAGES } from "./moved.mjs";

const root = join(import.meta.dirname, "..");
const base = process.env.BEV_SITE_BASE ?? "/";
/** The version that the site describes; others have sites of their own. */
const { version } = JSON.parse(
	readFileSync(join(root, "../../web/package.json"), "utf8"),
);
const page = (text, link) => ({ text, link: `/${link}` });

/** Pages by chapter; a page that does not exist (yet) is left out. */
const chapters = {
	Start: [
		page("Five minutes", "start"),
		page("Gallery", "gallery"),
		page("Playground", "playground"),
		page("Examples", "examples"),
		page("Why not ...?", "why-not"),
		page("Support matrix", "support"),
	],
	Jobs: [
		page("Look", "viewer"),
		page("Embed", "embed"),
		page("Sample", "samples"),
		page("Train", "train"),
		page("Find", "find"),
		page("Compare", "compare"),
		page("Publish", "publish"),
	],
	Viewer: [
		page("The element", "viewer-reference"),
		page("What the picture shows", "viewer-picture"),
		page("Keys, mouse and touch", "viewer-keys"),
		page("Links", "viewer-links"),
		page("Bundlers and frameworks", "bundlers"),
		page("Dashboards", "dashboards"),
		page("Hosting", "hosting"),
		page("... on GitHub Pages", "hosting-github-pages"),
		page("... on Hugging Face", "hosting-hugging-face"),
		page("... on S3", "hosting-s3"),
		page("... with nginx", "hosting-nginx"),
		page("... with Caddy", "hosting-caddy"),
		page("Container", "container"),
		page("Service", "service"),
	],
	Data: [
		page("Byte format", "format"),
		page("Semantic map", "map"),
		page("Other data sets", "other-data"),
		page("Storage", "storage"),
		page("Layouts", "layouts"),
		page("Saving arrays", "saver"),
		page("Arrays that change", "arrays"),
		page("S3", "s3"),
	],
	Reading: [
		page("Sample configs", "config"),
		page("Rasters", "raster"),
		page("Readers", "reader"),
		page("Filters", "filters"),
		page("Facts of scenarios", "scenarios"),
		page("Quantities over time", "quantities"),
		page("Rollouts", "rollouts"),
		page("What-if patches", "patches"),
		page("Results of challenges", "results"),
		page("Batch work", "batch"),
		page("Models", "models"),
	],
	Languages: [
		page("TypeScript", "typescript"),
		page("Command line", "cli"),
		page("C++", "cpp"),
		page("Python", "python"),
		page("Readers in Python", "python-reader"),
		page("Parquet", "parquet"),
		page("zarr-python", "zarr-python"),
	],
	Reference: [
		page("TypeScript", "api/"),
		page("Python", "python-reference"),
		page("Commands", "commands"),
		{ text: "C++", link: "/cpp-reference/index.html", target: "_self" },
		page("Performance", "performance"),
		page("Changes", "CHANGELOG"),
	],
};

const isPage = ({ link }) =>
	link.endsWith(".html") ||
	existsSync(join(root, link.endsWith("/") ? `${link}index.md` : `${link}.md`));

/** Returns the names in a directory of the TypeScript reference, without `index.md`. */
const listed = (path) =>
	readdirSync(join(root, path))
		.filter((name) => name !== "index.md")
		.sort();

/** Modules of the TypeScript reference with their pages. */
function typescriptModules() {
	if (!existsSync(join(root, "api"))) return [];
	return listed("api").map((module) => ({
		...page(module, `api/${module}/`),
		collapsed: true,
		items: listed(`api/${module}`).flatMap((kind) =>
			listed(`api/${module}/${kind}`).map((file) => {
				const name = file.replace(/\.md$/, "");
				return page(name, `api/${module}/${kind}/${name}`);
			}),
		),
	}));
}

const sidebar = Object.entries(chapters).map(([text, items]) => ({
	text,
	items: items.filter(isPage),
}));

/**
 * Shows the file that a paragraph links to, if it only links to an example or a file of
 * deploy/: the text of a recipe is what the tests run.
 */
function includeExamples(md) {
	md.core.ruler.after("inline", "examples", ({ tokens, Token, env }) => {
		for (let i = tokens.length - 3; i >= 0; i -= 1) {
			const [open, inline] = tokens.slice(i, i + 2);
			if (open.type !== "paragraph_open") continue;
			const [link, name, close, ...more] = inline.children ?? [];
			if (link?.type !== "link_open" || close?.type !== "link_close" || more.length > 0)
				continue;
			const href = link.attrGet("href");
			if (!/^(\.\.\/)?(examples\/.*\.\w+|deploy\/.+)$/.test(href)) continue;
			const file = join(root, href.replace(/^(\.\.\/)?/, ""));
			const fence = new Token("fence", "code", 0);
			const info = extname(file).slice(1).replace("mjs", "js").replace("conf", "nginx");
			Object.assign(fence, { info, markup: "```", map: open.map, block: true });
			fence.content = readFileSync(file, "utf8");
			env.includes?.push(file);
			inline.children = [Object.assign(name, { type: "code_inline", tag: "code" })];
			tokens.splice(i + 3, 0, fence);
		}
	});
}

/** Returns the id of a heading, as in the repository's own views of the pages. */
function slugify(heading) {
	return heading
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, "")
		.replaceAll(/\s/g, "-");
}

/** Examples are files beside the site's pages, not pages; the pages of docs/ are at the root. */
function linkFiles(md) {
	const { normalizeLink } = md;
	md.normalizeLink = (url) =>
		normalizeLink(
			url.replace(
				/^\.\.\/(?=examples\/|deploy\/|CHANGELOG|ARCHITECTURE)|^docs\/(?=[\w-]+\.md)/,
				"",
			),
		);
}

/** Writes a page that leads to the new one at each former address. */
function writeMoved({ outDir }) {
	for (const [from, to] of Object.entries(MOVED_PAGES))
		writeFileSync(
			join(outDir, `${from}.html`),
			`<!doctype html><meta charset="utf-8"><title>Moved</title>` +
				`<meta http-equiv="refresh" content="0; url=${to}.html"><a href="${to}.html">${to}</a>`,
		);
}

export default defineConfig({
	title: "bevscope",
	description:
		"Bird's-eye-view driving data in the browser, for motion prediction and planning",
	lang: "en",
	base,
	outDir: process.env.BEV_SITE ?? "../site",
	cleanUrls: false,
	ignoreDeadLinks: [
		/^\/cpp-reference\//,
		/\/examples\/.*\.(html|mjs|js|cpp|ipynb|py)$/,
		/\/deploy\//,
	],
	buildEnd: writeMoved,
	srcExclude: ["node_modules/**", "public/**", "examples/**"],
	head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}icon.svg` }]],
	vue: {
		template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("bev-") } },
	},
	markdown: {
		anchor: { slugify },
		config(md) {
			includeExamples(md);
			linkFiles(md);
		},
	},
	themeConfig: {
		nav: [
			page("Guide", "start"),
			page("Gallery", "gallery"),
			page("Reference", "api/"),
			{ text: "Viewer", link: "/app/index.html", target: "_self" },
			{
				text: version,
				items: [page("Changes", "CHANGELOG"), page("Support matrix", "support")],
			},
		],
		logo: { src: "/icon.svg", alt: "" },
		sidebar: {
			"/": sidebar,
			"/api/": [{ text: "TypeScript", items: typescriptModules() }],
		},
		search: { provider: "local" },
		outline: [2, 3],
		footer: { message: `bevscope ${version} · Apache-2.0` },
	},
});
