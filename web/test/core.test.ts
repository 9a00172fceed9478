import { describe, expect, it } from "vitest";
import type { CoreEngine, CoreMap, CoreModule, CoreQuery } from "../src/core.js";
import { compile } from "../src/loading/compile.js";
import { instantiate } from "../src/worker/core-module.js";

/** The names of an interface, all of them: a missing one does not compile. */
function names<T>(all: Record<keyof T, true>): string[] {
	return Object.keys(all).sort();
}

/** Methods that Embind gives every class beside our own. */
const EMBIND = ["clone", "constructor", "deleteLater", "isAliasOf", "isDeleted"];

function methods(value: object): string[] {
	const found = new Set<string>();
	for (let at = value; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
		for (const name of Object.getOwnPropertyNames(at)) {
			if (typeof (value as Record<string, unknown>)[name] === "function")
				found.add(name);
		}
	}
	return [...found].filter((name) => !EMBIND.includes(name)).sort();
}

const { module } = await compile(undefined);
const core = await instantiate(module);

describe("core", () => {
	it("has the module's functions and classes", () => {
		for (const name of names<CoreModule>({
			Engine: true,
			parseMap: true,
			version: true,
		})) {
			expect(core).toHaveProperty(name, expect.any(Function));
		}
		expect(core.version()).toMatch(/^\d+\.\d+\.\d+$/);
	});

	it("has the methods of an engine and of a query, no more and no less", () => {
		const engine = new core.Engine(1000);
		const all = names<CoreEngine>({
			open: true,
			rows: true,
			frame: true,
			frameAt: true,
			scene: true,
			summary: true,
			supply: true,
			supplyAbsent: true,
			describe: true,
			cache: true,
			absentChunks: true,
			delete: true,
		});
		expect(methods(engine)).toEqual(all);
		const query = engine.open();
		const ofQuery = names<CoreQuery>({ missing: true, build: true, delete: true });
		expect(methods(query)).toEqual(ofQuery);
		query.delete();
		engine.delete();
	});

	it("has the methods of a map", () => {
		const unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
		const rows = [0, 4, 8, 12].map((at) => unit.slice(at, at + 4));
		const meta = new TextEncoder().encode(JSON.stringify({ world_to_ecef: rows }));
		const map = core.parseMap(new Uint8Array(), meta);
		const all = names<CoreMap>({
			build: true,
			near: true,
			laneColours: true,
			delete: true,
		});
		expect(methods(map)).toEqual(all);
		expect(map.laneColours(["face"])).toHaveLength(0);
		map.delete();
	});

	it("throws errors that carry a code", () => {
		expect(() => new core.Engine(-1)).toThrow(
			expect.objectContaining({ code: "invalid_argument" }) as Error,
		);
		expect(() => core.parseMap(Uint8Array.of(1), Uint8Array.of(2))).toThrow(
			expect.objectContaining({ code: "invalid_metadata" }) as Error,
		);
	});
});
