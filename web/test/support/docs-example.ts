import { readFileSync } from "node:fs";
import { transform } from "esbuild";

/** Returns the TypeScript examples of a document in docs/, without their imports. */
export function examplesOf(document: string): readonly string[] {
	const url = new URL(`../../../docs/${document}`, import.meta.url);
	const text = readFileSync(url, "utf8");
	return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, example = ""]) =>
		example.replace(/^import .*$/gm, ""),
	);
}

/** Runs an example with the variables `given`; returns the value of `result`, an expression. */
export async function runExample(
	example: string,
	result: string,
	given: Readonly<Record<string, unknown>>,
): Promise<unknown> {
	const body = `return (async () => { ${example} return ${result}; })();`;
	const { code } = await transform(`function run() { ${body} }`, {
		loader: "ts",
		target: "es2022",
	});
	const call = new Function(...Object.keys(given), `${code} return run();`);
	return (call as (...values: unknown[]) => Promise<unknown>)(...Object.values(given));
}
