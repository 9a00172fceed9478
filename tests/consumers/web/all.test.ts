import { describe, expect, it } from "vitest";
import { MORE } from "./more-projects.js";
import { NODE, pagesOf, runScript } from "./runner.js";

const started = pagesOf(MORE, "consumers-all");

/** Registers the elements and adds one, in a document made by `create`. */
const inDocument = (create: string): string => `
	${create}
	class ResizeObserver { observe() {} disconnect() {} }
	for (const name of Object.getOwnPropertyNames(window))
		if (!(name in globalThis)) globalThis[name] = window[name];
	Object.assign(globalThis, { window, ResizeObserver });
	await import("bevscope-viewer");
	const viewer = document.createElement("bev-viewer");
	document.body.append(viewer);
	console.log(viewer.localName, viewer.renderRoot !== undefined);
	process.exit();
`;

const JSDOM = `
	import { JSDOM } from "jsdom";
	const { window } = new JSDOM("<body></body>", { url: "http://127.0.0.1/", pretendToBeVisual: true });`;

const HAPPY_DOM = `
	import { Window } from "happy-dom";
	const window = new Window();`;

describe("consumers: runtimes", () => {
	it("Bun reads a frame, and the process ends without close()", async () => {
		const command = ["@oven/bun-linux-x64/bin/bun", "run"];
		const said = await runScript(started, { ...NODE, name: "Bun", command });
		expect(JSON.parse(said)).toEqual({ east: 3, agents: 3 });
	});

	it("Deno reads a frame, and the process ends after close()", async () => {
		const command = ["@deno/linux-x64-glibc/deno", "run", "--quiet", "-A"];
		const script = `${NODE.script}\ndataset.close();`;
		const said = await runScript(started, { name: "Deno", script, command });
		expect(JSON.parse(said)).toEqual({ east: 3, agents: 3 });
	});

	for (const [name, create] of Object.entries({
		jsdom: JSDOM,
		"happy-dom": HAPPY_DOM,
	})) {
		it(`${name} renders the element`, async () => {
			const said = await runScript(started, { name, script: inDocument(create) });
			expect(said).toBe("bev-viewer true\n");
		});
	}
});
