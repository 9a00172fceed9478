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

/** Returns axe's findings, one line per node. Contrast takes most of its time. */
export async function findings(
	page: Page,
	{ contrast = true } = {},
): Promise<string[]> {
	await page.evaluate(axe);
	const violations = await page.evaluate(async (enabled) => {
		const { axe } = globalThis as unknown as {
			axe: { run(options: object): Promise<{ violations: Finding[] }> };
		};
		return (await axe.run({ rules: { "color-contrast": { enabled } } })).violations;
	}, contrast);
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
	);
}
