import { beforeEach } from "vitest";
import { ENGINE, type Engine } from "../support/engines.js";

/** Tests that an engine does not run: a part of the name, and the reason. */
type Skipped = readonly (readonly [name: RegExp, reason: string])[];

const DRIVER = "the driver cannot do it:";

const CRASH = "the page crashes in VideoEncoder.isConfigSupported (WebKitGTK 2.50)";

const BOTH: Skipped = [
	[/read through a file input/, `${DRIVER} choose a folder`],
	[/if storage is full/, `${DRIVER} limit the storage`],
];

/**
 * Setup of the suite that runs in all engines. Skips the tests below and prints why, so
 * that a reader of the log sees what an engine does not cover.
 */
const SKIPPED: Readonly<Record<Engine, Skipped>> = {
	chromium: [],
	firefox: [
		...BOTH,
		[/shares it all by a link/, `${DRIVER} read the clipboard`],
		[/seconds of processor time/, `${DRIVER} measure processor time`],
		[/if less motion is|at once with reduced/, `${DRIVER} prefer less motion`],
		[/by a double click/, `${DRIVER} click twice`],
		[/two fingers|by touch/, `${DRIVER} touch`],
		[/hostile: .*limits memory/, "it decodes bodies ahead of their reader, unlimited"],
	],
	webkit: [
		...BOTH,
		[/hostile: .*limits memory/, "does not end (cause unknown)"],
		[
			/a reload fetches|works for another origin|changed data set is|compares length and|thread uses the Cache/,
			"nothing is found in the cache after a reload in a session of the driver (cause unknown)",
		],
		[/without 'wasm-unsafe-eval'/, "WebKitGTK compiles WebAssembly under any policy"],
		[/in a sandboxed frame/, `${DRIVER} run scripts in frames`],
		[
			/browser's file system|closed page has flushed|folder with other content|two pages save/,
			"no file system on 127.0.0.1, which WebKitGTK does not trust",
		],
		[/^export > |selects, exports|loads code on first use/, CRASH],
		[/selects the visible panels/, "the window is at least 447 pixels wide"],
		[/without a required feature/, `${DRIVER} run scripts before the page's own`],
	],
};

beforeEach(({ task, skip }) => {
	const names: string[] = [];
	for (let at: { name: string; suite?: unknown } | undefined = task; at; ) {
		names.unshift(at.name);
		at = at.suite as typeof at;
	}
	const name = names.join(" > ");
	const [, reason] = SKIPPED[ENGINE].find(([pattern]) => pattern.test(name)) ?? [];
	if (!reason) return;
	console.log(`skipped in ${ENGINE}: ${name}: ${reason}`);
	skip(reason);
});
