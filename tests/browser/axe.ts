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

/**
 * Returns axe's findings, one line per node. Contrast takes most of the time: `contrast`
 * leaves it out, or looks for nothing else.
 */
export async function findings(
	page: Page,
	{ contrast = true }: { contrast?: boolean | "only" } = {},
): Promise<string[]> {
	await page.evaluate(axe);
	const options =
		contrast === "only"
			? { runOnly: ["color-contrast"] }
			: { rules: { "color-contrast": { enabled: contrast } } };
	const violations = await page.evaluate(async (given) => {
		const { axe } = globalThis as unknown as {
			axe: { run(options: object): Promise<{ violations: Finding[] }> };
		};
		return (await axe.run(given)).violations;
	}, options);
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
	);
}
