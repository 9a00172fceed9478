// Checks the package's public names: writes them with their signatures, from the
// declarations in dist/, and compares with api.txt, so that no change goes unnoticed.
// Fails for a public name or member without a doc comment. `--write` updates api.txt.
import { readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const ENTRIES = ["index", "yaml", "arrow", "tensor", "tools", "save", "model"];
const API = new URL("../api.txt", import.meta.url);

/** Members that need no comment: JavaScript's own protocols. */
const OWN = /^(#private|private |protected |constructor\(|\[Symbol\.)/;

/** Splits declarations at the end of each statement, by the depth of brackets. */
function statements(text) {
	const found = [];
	let depth = 0;
	let begin = 0;
	for (let i = 0; i < text.length; i += 1) {
		if (text.startsWith("/*", i)) i = text.indexOf("*/", i) + 1;
		else if (text.startsWith("//", i)) i = text.indexOf("\n", i);
		else if (text[i] === '"') i = text.indexOf('"', i + 1);
		else if ("{([".includes(text[i])) depth += 1;
		else if ("})]".includes(text[i])) depth -= 1;
		const isBody = text[i] === "}" && /^\s*(\n|$)/.test(text.slice(i + 1));
		if (depth > 0 || (text[i] !== ";" && !isBody)) continue;
		found.push(text.slice(begin, i + 1).trim());
		begin = i + 1;
	}
	return found;
}

/** Separates a statement from the comments before and in it. */
function parsed(statement) {
	const code = statement
		.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, "")
		.replace(/\s+/g, " ")
		.trim();
	const first = statement.replace(/^(\s|\/\/[^\n]*\n)*/, "");
	return { code, documented: first.startsWith("/**"), statement };
}

/** Declarations of a file by name: name -> statements, and where other names are. */
function declarations(dist, file) {
	const text = readFileSync(new URL(`${file}.d.ts`, dist), "utf8");
	const own = new Map();
	const others = [];
	const imported = [];
	for (const each of statements(text).map(parsed)) {
		const from = each.code.match(
			/^(?:export|import) (?:type )?\{(.*)\} from "(.*)\.js"/,
		);
		if (from) {
			const names = from[1].split(",").map((name) => name.replace("type ", "").trim());
			const path = posix.join(posix.dirname(file), from[2]);
			const there = { names: names.filter(Boolean), path };
			(each.code.startsWith("export") ? others : imported).push(there);
			continue;
		}
		const again = each.code.match(/^export type \{(.*)\};/)?.[1].trim();
		if (again) {
			const { path } = imported.find(({ names }) => names.includes(again));
			others.push({ names: [again], path });
		}
		const name = each.code.match(
			/^export (?:declare )?(?:abstract )?(?:const|function|class|interface|type) (\w+)/,
		)?.[1];
		if (name) own.set(name, [...(own.get(name) ?? []), each]);
	}
	return { own, others };
}

/** Public declarations of an entry: name -> statements. */
function exported(dist, entry) {
	const { own, others } = declarations(dist, entry);
	for (const { names, path } of others) {
		const there = exported(dist, path);
		for (const name of names) {
			if (!there.has(name)) throw new Error(`${path}: ${name} not found`);
			own.set(name, there.get(name));
		}
	}
	return own;
}

/** Members of an interface or class, as statements. */
function membersOf({ code, statement }) {
	if (!/^export (declare )?(abstract )?(class|interface) /.test(code)) return [];
	const body = statement.replace(/^\s*\/\*\*.*?\*\/\s*/s, "");
	return statements(body.slice(body.indexOf("{") + 1, body.lastIndexOf("}"))).map(
		parsed,
	);
}

/** Returns the public declarations as lines, and the names without a comment. */
export function publicApi(dist) {
	const lines = [];
	const bare = [];
	for (const entry of ENTRIES) {
		lines.push(`# ${entry}`, "");
		for (const [name, all] of [...exported(dist, entry)].sort()) {
			if (!all.some(({ documented }) => documented)) bare.push(name);
			for (const each of all) {
				const members = membersOf(each);
				if (members.length === 0) {
					lines.push(each.code);
					continue;
				}
				lines.push(each.code.slice(0, each.code.indexOf("{") + 1).trim());
				for (const { code, documented } of members) {
					if (/^(#private|private )/.test(code)) continue;
					lines.push(`\t${code}`);
					if (!documented && !OWN.test(code)) bare.push(`${name}: ${code}`);
				}
				lines.push("}");
			}
			lines.push("");
		}
	}
	return { lines, bare };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const { lines, bare } = publicApi(new URL("../dist/", import.meta.url));
	for (const name of bare) console.error(`no doc comment: ${name}`);
	const text = `${lines.join("\n").trim()}\n`;
	if (process.argv.includes("--write")) writeFileSync(API, text);
	const same = readFileSync(API, "utf8") === text;
	if (!same) console.error("api.txt: public names differ; run tools/api.mjs --write");
	process.exitCode = bare.length > 0 || !same ? 1 : 0;
}
