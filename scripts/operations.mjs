// Writes what is made from the table of operations (core/ops): the types of
// web/src/core/operations.ts and the page core/ops/README.md.
//
//   node scripts/operations.mjs [--check] [PROGRAM]
//
// PROGRAM prints the table; default build/dev/native/bev_operations. With --check it writes
// nothing, and fails if a file is stale.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);

/** Types of TypeScript for kinds of values, and of typed arrays for dtypes. */
const TYPES = {
	...{ flag: "boolean", number: "number", integer: "number", index: "number" },
	...{ count: "number", id: "bigint", text: "string", texts: "readonly string[]" },
	...{ nothing: "undefined", requests: "readonly CoreRequest[]", outcome: "Arrays" },
	...{ "<f8": "Float64Array", "<f4": "Float32Array", "<i8": "BigInt64Array" },
	...{ "<u8": "BigUint64Array", "<u4": "Uint32Array", "|u1": "Uint8Array" },
};

const typeOf = (kind) => TYPES[kind] ?? `Handle<"${kind}">`;

/** Parses "scenes <u4 (n); a <f8 (n, 3) m". */
const resultsOf = (text) =>
	text
		.split(";")
		.map((each) => /^\s*(\S+)\s+(\S+)\s*(.*)$/.exec(each)?.slice(1))
		.filter((each) => each !== undefined);

function resultType({ result, results }) {
	const named = resultsOf(results);
	if (result !== "outcome" || named.length === 0) return typeOf(result);
	const fields = named.map(([name, dtype, shape]) => {
		const type = shape === "" ? "number" : typeOf(dtype);
		return `readonly ${/^\w+$/.test(name) ? name : `"${name}"`}: ${type}`;
	});
	return `{ ${fields.join("; ")} }`;
}

function typeScript(table) {
	const rows = table.map((one) => {
		const given = one.arguments.map(({ name, kind, required }) =>
			required ? `${name}: ${typeOf(kind)}` : `${name}?: ${typeOf(kind)} | undefined`,
		);
		const fields = given.length > 0 ? `{ ${given.join("; ")} }` : "Nothing";
		return `/** ${one.meaning} */\n${one.name}: [given: ${fields}, result: ${resultType(one)}];`;
	});
	const text = rows.join("\n");
	const imports = ["Arrays", "CoreRequest", "Handle"];
	return `// Made by scripts/operations.mjs from the table of operations: do not edit.

import type { ${imports.filter((name) => text.includes(name)).join(", ")} } from "./types.js";

type Nothing = Record<never, never>;

/** The core's operations: what each takes and returns. */
export interface Operations {
${text}
}
`;
}

/** Breaks text into lines of at most `width` characters. */
function wrapped(text, width = 96) {
	const lines = [""];
	for (const word of text.split(" ")) {
		const line = lines.at(-1) === "" ? word : `${lines.at(-1)} ${word}`;
		if (line.length > width) lines.push(word);
		else lines[lines.length - 1] = line;
	}
	return lines.join("\n  ");
}

function section({ name, meaning, arguments: given, result, results }) {
	const list = given.map(
		(one) => `\`${one.name}\` ${one.kind}${one.required ? "" : " (optional)"}`,
	);
	const named = resultsOf(results).map(
		([key, ...how]) => `\`${key}\` ${how.join(" ")}`,
	);
	const lines = [
		`- **${name}**: ${meaning}`,
		list.length > 0 ? `takes ${list.join(", ")};` : "takes nothing;",
		`returns ${named.length > 0 ? named.join(", ").replaceAll(" ,", ",") : result}`,
	];
	return lines.map((line) => wrapped(line)).join("\n  ");
}

const page = (table) => `# Operations

Every question to the core is an operation of one table, \`core/ops\`. This page is made from
it by \`scripts/operations.mjs\`.

Kinds of arguments: a *count* has 32 bits, an *index* and an *integer* are exact in 53 bits, an
*id* has 64 bits; arrays are named by NumPy's dtype; other names are objects that an operation
made. An *outcome* is arrays by name; the word alone means that they depend on the data.

${table.map(section).join("\n")}
`;

const words = process.argv.slice(2);
const isCheck = words[0] === "--check";
const program = words.at(isCheck ? 1 : 0) ?? "build/dev/native/bev_operations";
const table = JSON.parse(execFileSync(program, { cwd: fileURLToPath(ROOT) }));
const biome = fileURLToPath(new URL("web/node_modules/.bin/biome", ROOT));
const formatted = (text) =>
	execFileSync(biome, ["format", "--stdin-file-path=operations.ts"], {
		input: text,
		cwd: fileURLToPath(ROOT),
		encoding: "utf8",
	});
const made = {
	"web/src/core/operations.ts": formatted(typeScript(table)),
	"core/ops/README.md": page(table),
};
for (const [file, text] of Object.entries(made)) {
	const url = new URL(file, ROOT);
	if (!isCheck) writeFileSync(url, text);
	else if (readFileSync(url, "utf8") !== text) {
		console.error(`${file}: stale; run node scripts/operations.mjs`);
		process.exitCode = 1;
	}
}
