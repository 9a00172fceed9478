import { parse } from "acorn";
import { transformSync } from "esbuild";

/** A text of the viewer's code that a person may see. */
export interface VisibleWords {
	readonly file: string;
	/** Expressions are `{}`. */
	readonly text: string;
	/** The expressions' sources, in order. */
	readonly of: readonly string[];
}

/** Attributes whose values are read out or displayed. */
const ATTRIBUTE =
	/\s(?:aria-(?:label|description|valuetext|roledescription)|title|placeholder|alt)="([^"]*)"/g;

/** Texts of markup: of its elements, and of attributes with words. */
function textsOf(markup: string): string[] {
	const attributes = [...markup.matchAll(ATTRIBUTE)].map(([, text = ""]) => text);
	const rest = markup.replaceAll(/<!--.*?-->/gs, "");
	// An attribute's value may contain `>` in an expression, which is `{}` here.
	const elements = rest.split(/<[^>]*>/).map((text) => text.replaceAll(/\s+/g, " "));
	return [...attributes, ...elements];
}

type Part = Pick<VisibleWords, "text" | "of">;

/** A node of ESTree's syntax tree. */
interface Node {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
	return typeof value === "object" && value !== null && "type" in value;
}

/** Returns a template's text, with `{}` for its expressions, and their sources. */
function partsOf(template: Node, code: string): Part {
	const quasis = template.quasis as readonly { value: { cooked: string } }[];
	const expressions = template.expressions as readonly Node[];
	return {
		text: quasis.map(({ value }) => value.cooked).join("{}"),
		of: expressions.map(({ start, end }) => code.slice(start, end)),
	};
}

/** Returns the texts of markup, each with its own expressions. */
function split({ text, of }: Part): Part[] {
	let next = 0;
	const numbered = text.replaceAll("{}", () => `{${next++}}`);
	return textsOf(numbered).map((one) => ({
		text: one.replaceAll(/\{\d+\}/g, "{}"),
		of: [...one.matchAll(/\{(\d+)\}/g)].map(([, k]) => of[Number(k)] ?? ""),
	}));
}

function nameOfTag(node: Node): string {
	return node.type === "TaggedTemplateExpression"
		? String((node.tag as Node).name ?? "")
		: "";
}

/** Returns every text of a file that may be displayed: not imports, types, styles. */
export function visibleWords(file: string, typed: string): VisibleWords[] {
	const { code } = transformSync(typed, { loader: "ts", target: "esnext" });
	const found: VisibleWords[] = [];
	const add = (parts: readonly Part[]): void => {
		for (const { text, of } of parts)
			if (/\p{L}/u.test(text)) found.push({ file, text: text.trim(), of });
	};
	const visit = (node: Node, tag: string): void => {
		if (/^(Import|Export(All|Named.*From))/.test(node.type) || tag === "css") return;
		if (node.type === "Literal" && typeof node.value === "string")
			add([{ text: node.value, of: [] }]);
		if (node.type === "TemplateLiteral") {
			const parts = partsOf(node, code);
			add(tag ? split(parts) : [parts]);
		}
		const inner = nameOfTag(node);
		for (const value of Object.values(node).flat())
			if (isNode(value)) visit(value, value.type === "TemplateLiteral" ? inner : "");
	};
	visit(
		parse(code, { ecmaVersion: "latest", sourceType: "module" }) as unknown as Node,
		"",
	);
	return found;
}
