import { describe, expect, it } from "vitest";
import { serve, useServers } from "./harness.js";
import * as app from "./viewer-harness.js";

const at = useServers({ own: () => serve(), viewer: () => app.serveApp() });

/** Features missing in older browsers, and scripts that remove them from a page. */
const REQUIRED = {
	WebAssembly: "delete globalThis.WebAssembly",
	"WebAssembly SIMD": "WebAssembly.validate = () => false",
	"AbortSignal.throwIfAborted": "delete AbortSignal.prototype.throwIfAborted",
	"AbortSignal.reason": "delete AbortSignal.prototype.reason",
	structuredClone: "delete globalThis.structuredClone",
} as const;

describe("browser/oldest: a page without a required feature", () => {
	for (const [name, removal] of Object.entries(REQUIRED)) {
		it(`reports a typed error and a message without ${name}`, async () => {
			const library = await at.browser.newPage();
			await library.addInitScript(removal);
			await library.goto(`${at.own.origin}/page.html`);
			const got = await library.evaluate(
				`import("/dist/index.js").then((lib) => lib.ChunkedDataset.open("/tiny.zarr", { signal: new AbortController().signal })).then(
					() => ({ code: "opened" }),
					({ code, message }) => ({ code, message }),
				)`,
			);
			expect(got).toEqual({
				code: "unsupported",
				message: expect.stringContaining(name),
			});
			const viewer = await at.browser.newPage();
			const thrown: string[] = [];
			viewer.on("pageerror", (error) => thrown.push(String(error)));
			await viewer.addInitScript(removal);
			await viewer.goto(
				`${at.viewer.origin}/app/index.html#v=1&src=${app.TINY_SOURCE}`,
			);
			await viewer.getByText("This browser is too old").waitFor();
			await viewer.getByText("Chrome 105").first().waitFor();
			expect(thrown).toEqual([]);
		});
	}
});
