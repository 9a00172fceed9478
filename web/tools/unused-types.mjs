// Removes declarations that no entry of the package refers to.
import { parseAst } from "rolldown/parseAst";

/** Yields the names and `import("..")` types in a syntax tree. */
function* references(node) {
	if (Array.isArray(node)) for (const one of node) yield* references(one);
	if (typeof node?.type !== "string") return;
	if (node.type === "Identifier") yield { name: node.name };
	if (node.type === "TSImportType") {
		const { name = "*" } = node.qualifier ?? {};
		yield { from: node.source?.value ?? node.argument.literal.value, name };
	}
	for (const child of Object.values(node))
		if (typeof child === "object") yield* references(child);
}

/** Names that a statement declares. */
function declared({ declaration, type, id, declarations }) {
	if (declaration) return declared(declaration);
	if (declarations) return declarations.flatMap((one) => declared({ id: one.id }));
	const isGlobal = type === "TSGlobalDeclaration" || id?.type === "Literal";
	return id?.name && id.name !== "global" && !isGlobal ? [id.name] : [];
}

/** A file of declarations, of which some are used. */
class Declarations {
	/** Files whose names this one exports as its own. */
	all = [];
	imports = new Map();
	exports = new Map();
	statements = [];

	constructor(href, text) {
		const at = (source) => new URL(source.replace(/\.js$/, ".d.ts"), href).href;
		let end = 0;
		for (const node of parseAst(text, { lang: "dts" }, href).body) {
			const [before, code] = [
				text.slice(end, node.start),
				text.slice(node.start, node.end),
			];
			end = node.end;
			const from = node.source && at(node.source.value);
			const isRelative = node.source?.value.startsWith(".");
			const statement = { node, before, code, from: isRelative ? from : undefined };
			this.statements.push(statement);
			if (node.type === "ExportAllDeclaration") this.all.push(from);
			for (const one of node.specifiers ?? []) {
				const [name, target] =
					node.type === "ImportDeclaration"
						? [one.local.name, one.imported?.name ?? "*"]
						: [one.exported.name, one.local.name];
				const names = node.type === "ImportDeclaration" ? this.imports : this.exports;
				names.set(name, { from: statement.from, name: target, outer: node.source });
			}
			statement.names = node.specifiers?.length || node.source ? [] : declared(node);
			statement.refers =
				node.source || node.specifiers?.length
					? []
					: [...references(node)].map(({ from: path, name }) => ({
							from: path && at(path),
							name,
						}));
		}
	}

	/** Whether it changes types of others, so that it counts although no name is used. */
	get augments() {
		return this.statements.some((one) => isAugmentation(one));
	}
}

const isAugmentation = ({ node, names }) =>
	names.length === 0 && !node.source && !/^(Ex|Im)port/.test(node.type);

/**
 * Returns the texts of the files, by URL, without what the files `entries` do not refer to;
 * undefined for files of which nothing is left.
 */
export function withoutUnused(texts, entries) {
	const files = new Map(
		Array.from(texts, ([href, text]) => [href, new Declarations(href, text)]),
	);
	const used = new Map(Array.from(files.keys(), (href) => [href, new Set()]));
	/** Marks what a file calls `name`, whether it is its own or not. */
	function use(href, name) {
		const file = files.get(href);
		if (file === undefined || used.get(href).has(name)) return;
		used.get(href).add(name);
		if (name === "*") for (const other of names(file)) use(href, other);
		const given = file.imports.get(name) ?? file.exports.get(name);
		if (given?.from) use(given.from, given.name);
		else if (given && !given.outer && given.name !== name) use(href, given.name);
		for (const statement of file.statements) {
			if (statement.names.includes(name) || isAugmentation(statement))
				for (const one of statement.refers) use(one.from ?? href, one.name);
			if (
				statement.node.type === "ImportDeclaration" &&
				!statement.node.specifiers.length
			)
				if (statement.from) use(statement.from, "");
		}
		if (!given && !file.statements.some((one) => one.names.includes(name)))
			for (const other of file.all) use(other, name);
	}
	function names(file) {
		return [
			...file.exports.keys(),
			...file.statements.flatMap((one) =>
				one.node.type.startsWith("Export") ? one.names : [],
			),
			...(file.all.length > 0 ? ["*"] : []),
		];
	}
	for (const href of entries) use(href, "*");
	for (const href of entries)
		for (const other of files.get(href)?.all ?? []) use(other, "*");

	return new Map(
		Array.from(files, ([href, file]) => {
			const has = used.get(href);
			if (has.size === 0) return [href, undefined];
			return [href, written(file, has, files)];
		}),
	);
}

/** Returns the text of a file with the names in `used`. */
function written({ statements }, used, files) {
	const out = statements.map(({ node, before, code, from, names }) => {
		if (node.type === "ExportAllDeclaration") return before + code;
		if (node.specifiers?.length) {
			const kept = node.specifiers.filter(({ local, exported }) =>
				used.has((exported ?? local).name),
			);
			if (kept.length === node.specifiers.length) return before + code;
			if (kept.length === 0)
				return files.get(from)?.augments ? `\nimport "${node.source.value}";` : "";
			const parts = kept.map(({ start, end }) =>
				code.slice(start - node.start, end - node.start),
			);
			return before + code.replace(/\{[^}]*\}/, `{ ${parts.join(", ")} }`);
		}
		const isKept = names.length === 0 || names.some((name) => used.has(name));
		return isKept ? before + code : "";
	});
	return `${out.join("").trim()}\n`;
}
