import { afterEach, describe, expect, it, vi } from "vitest";
import { alone, ProcessLocks, tryLock } from "../../src/saving/locks.js";

afterEach(() => vi.unstubAllGlobals());

/** Runs as in a browser, and as in Node without Web Locks. */
const ENVIRONMENTS = [
	["without Web Locks", {}],
	["with Web Locks", { locks: new ProcessLocks() }],
] as const;

describe.each(ENVIRONMENTS)("saving: locks %s", (_, navigator) => {
	it("are shared, or held alone, until they are released", async () => {
		vi.stubGlobal("navigator", navigator);
		const first = await tryLock("a", "shared");
		const second = await tryLock("a", "shared");
		expect(await tryLock("a", "exclusive")).toBeUndefined();
		expect(await tryLock("b", "exclusive")).toBeTypeOf("function");
		first?.();
		expect(await tryLock("a", "exclusive")).toBeUndefined();
		second?.();
		const only = await tryLock("a", "exclusive");
		expect(only).toBeTypeOf("function");
		expect(await tryLock("a", "shared")).toBeUndefined();
		expect(await tryLock("a", "exclusive")).toBeUndefined();
		only?.();
		(await tryLock("a", "shared"))?.();
	});

	it("let tasks of one name run one after the other, also after a failure", async () => {
		vi.stubGlobal("navigator", navigator);
		const seen: string[] = [];
		const task = (name: string) =>
			alone("tasks", async () => {
				seen.push(`${name} begins`);
				await new Promise((done) => setTimeout(done, 1));
				seen.push(`${name} ends`);
				if (name === "a") throw new Error("failed");
				return name;
			});
		const [a, b, c] = await Promise.allSettled([task("a"), task("b"), task("c")]);
		expect(a?.status).toBe("rejected");
		expect(b).toMatchObject({ value: "b" });
		expect(c).toMatchObject({ value: "c" });
		expect(seen).toEqual(["a", "b", "c"].flatMap((n) => [`${n} begins`, `${n} ends`]));
	});
});

describe("saving: locks", () => {
	it("pass on a refusal of the browser", async () => {
		const request = async () => {
			throw new DOMException("no storage", "SecurityError");
		};
		vi.stubGlobal("navigator", { locks: { request } });
		await expect(tryLock("a", "shared")).rejects.toThrow("no storage");
	});
});
