import { describe, expect, it } from "vitest";
import { loaderOf } from "../../src/base/loader.js";

describe("loaderOf", () => {
	it("lets calls go on in their order, after one import", async () => {
		const imports: ((name: string) => void)[] = [];
		const load = loaderOf(() => new Promise<string>((done) => imports.push(done)));
		const order: string[] = [];
		const calls = ["first", "second"].map(async (name) => {
			order.push(`${name} ${await load()}`);
		});
		expect(imports).toHaveLength(1);
		imports[0]?.("code");
		await Promise.all(calls);
		expect(order).toEqual(["first code", "second code"]);
	});

	it("tries again after a failure", async () => {
		const results = [Promise.reject(new Error("offline")), Promise.resolve("code")];
		const load = loaderOf(() => results.shift() ?? Promise.reject(new Error("third")));
		await expect(load()).rejects.toThrow("offline");
		expect(await load()).toBe("code");
	});
});
