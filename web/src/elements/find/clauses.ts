/** The part of a filter that `and` and `or` join; a leaf is any other condition. */
export interface Clause {
	readonly op: "and" | "or" | "leaf";
	readonly text: string;
	/** The joined conditions; none of a leaf. */
	readonly parts: readonly Clause[];
}

/** A word, a string or a character of a filter, and its place. */
interface Token {
	readonly text: string;
	readonly begin: number;
	readonly end: number;
}

const TOKEN = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_][\w./]*|\S/gs;
const NAME = /^[A-Za-z_]/;

/** Returns the logical structure of a valid filter; the core reads its conditions. */
export function clauseOf(filter: string): Clause {
	const tokens = tokensOf(filter);
	return read(filter, tokens);
}

/** Returns the names in a condition; words of the language are among them. */
export function namesIn(condition: string): readonly string[] {
	const words = tokensOf(condition).map(({ text }) => text);
	return [...new Set(words.filter((word) => NAME.test(word)))];
}

/** Returns the alternatives that `or` joins, at any depth. */
export function alternativesOf({ op, parts }: Clause): readonly Clause[] {
	return [...(op === "or" ? parts : []), ...parts.flatMap(alternativesOf)];
}

/** Returns the texts of all conditions. */
export function leavesOf({ op, text, parts }: Clause): readonly string[] {
	return op === "leaf" ? [text] : parts.flatMap(leavesOf);
}

/** Returns the conditions that hold in a row that passes the filter, in its order. */
export function holding(
	clause: Clause,
	holds: (alternative: Clause) => boolean,
): readonly string[] {
	const { op, text, parts } = clause;
	if (op === "leaf") return [text];
	const all = op === "and" ? parts : parts.filter(holds);
	return all.flatMap((part) => holding(part, holds));
}

function tokensOf(filter: string): readonly Token[] {
	return [...filter.matchAll(TOKEN)].map(({ 0: text, index }) => ({
		text,
		begin: index,
		end: index + text.length,
	}));
}

function read(filter: string, tokens: readonly Token[]): Clause {
	const [first, last] = [tokens[0], tokens.at(-1)];
	const text = first && last ? filter.slice(first.begin, last.end) : "";
	for (const op of ["or", "and"] as const) {
		const parts = split(tokens, op);
		if (parts.length > 1) {
			return { op, text, parts: parts.map((part) => read(filter, part)) };
		}
	}
	if (isEnclosed(tokens)) return read(filter, tokens.slice(1, -1));
	return { op: "leaf", text, parts: [] };
}

/** Splits at a word outside of brackets; the `and` of a `between` does not count. */
function split(tokens: readonly Token[], word: "and" | "or"): readonly Token[][] {
	const parts: Token[][] = [[]];
	let depth = 0;
	let between = 0;
	for (const token of tokens) {
		depth += depthOf(token);
		const outside = depth === 0;
		if (outside && token.text === "between") between += 1;
		const isBound = token.text === "and" && between > 0;
		if (outside && isBound) between -= 1;
		if (outside && token.text === word && !isBound) parts.push([]);
		else parts.at(-1)?.push(token);
	}
	return parts;
}

/** Whether one pair of parentheses contains all tokens. */
function isEnclosed(tokens: readonly Token[]): boolean {
	if (tokens.length < 3 || tokens[0]?.text !== "(") return false;
	let depth = 0;
	const closed = tokens.findIndex((token) => {
		depth += depthOf(token);
		return depth === 0;
	});
	return closed === tokens.length - 1;
}

function depthOf({ text }: Token): number {
	if (text === "(" || text === "[") return 1;
	return text === ")" || text === "]" ? -1 : 0;
}
