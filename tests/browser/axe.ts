import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
	readonly id: string;
	readonly nodes: readonly {
		readonly html: string;
		readonly failureSummary?: string;
	}[];
}

/** Returns axe's findings, one line per node. */
export async function findings(page: Page): Promise<string[]> {
	await page.evaluate(axe);
	const violations = await page.evaluate(async () => {
		const { axe } = globalThis as unknown as {
			axe: { run(): Promise<{ violations: Finding[] }> };
		};
		return (await axe.run()).violations;
	});
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
	);
}
