import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startWorker } from "../../src/loading/start-worker.js";

type Behaviour = "ready" | "error" | "throw";

/**
 * Stubs `Worker`: the n-th instance has the n-th behaviour; `made` lists the script
 * URLs.
 */
function stubWorkers(...behaviours: Behaviour[]): string[] {
	const made: string[] = [];
	class WorkerDouble {
		onmessage: ((event: { data: { type: string } }) => void) | null = null;
		onerror: ((event: { message: string; preventDefault(): void }) => void) | null =
			null;

		constructor(url: URL | string, { type }: WorkerOptions = {}) {
			made.push(type === "classic" ? `classic ${url}` : String(url));
			const behaviour = behaviours.shift();
			if (behaviour === "throw") throw new DOMException("blocked", "SecurityError");
			setTimeout(() => {
				if (behaviour === "ready") this.onmessage?.({ data: { type: "ready" } });
				else this.onerror?.({ message: "", preventDefault: () => {} });
			});
		}

		terminate(): void {}
	}
	vi.stubGlobal("Worker", WorkerDouble);
	return made;
}

beforeEach(() => vi.stubGlobal("origin", "https://page.test"));
afterEach(() => vi.unstubAllGlobals());

describe("loading/start-worker", () => {
	it("starts no worker if disabled or unsupported", async () => {
		await expect(startWorker(false)).resolves.toEqual({ kind: "none", notes: [] });
		vi.stubGlobal("Worker", undefined);
		await expect(startWorker(undefined)).resolves.toEqual({
			kind: "none",
			notes: [expect.stringMatching(/^thread: ENOENT: .*worker.js/)],
		});
		const worker = "https://page.test/worker.js"; // Node imports no scripts by HTTP
		await expect(startWorker(worker)).resolves.toEqual({
			kind: "none",
			notes: [`thread: ${worker}: not a local script`],
		});
	});

	it("prefers a script of the page's origin", async () => {
		const made = stubWorkers("ready");
		const started = await startWorker("https://page.test/worker.js");
		expect(started).toMatchObject({ kind: "module", notes: [] });
		expect(made).toEqual(["https://page.test/worker.js"]);
	});

	it("imports a script of another origin", async () => {
		const made = stubWorkers("ready");
		const started = await startWorker("https://cdn.test/worker.js");
		expect(started).toMatchObject({ kind: "blob", notes: [] });
		expect(made[0]).toMatch(/^blob:/);
	});

	it("starts a classic script if the page's origin is opaque", async () => {
		vi.stubGlobal("origin", "null");
		const made = stubWorkers("ready");
		const started = await startWorker("https://page.test/worker.js");
		expect(started).toMatchObject({ kind: "blob", notes: [] });
		expect(made).toEqual([expect.stringMatching(/^classic blob:/)]);
	});

	it("creates worker URLs by one Trusted Types policy", async () => {
		const createPolicy = vi.fn((_: string, rules) => ({
			createScriptURL: (address: string) => `trusted ${rules.createScriptURL(address)}`,
		}));
		vi.stubGlobal("trustedTypes", { createPolicy });
		const made = stubWorkers("error", "ready", "ready");
		await startWorker("https://page.test/worker.js");
		await startWorker("https://page.test/worker.js");
		expect(createPolicy).toHaveBeenCalledOnce();
		expect(createPolicy.mock.calls[0]?.[0]).toBe("bevscope");
		expect(made).toEqual([
			"trusted https://page.test/worker.js",
			expect.stringMatching(/^trusted blob:/),
			"trusted https://page.test/worker.js",
		]);
	});

	it("tries each way in turn and notes failures", async () => {
		stubWorkers("throw", "error");
		await expect(startWorker("https://page.test/worker.js")).resolves.toEqual({
			kind: "none",
			notes: ["module worker: blocked", "blob worker: blocked"],
		});
	});

	it("revokes a blob's URL once its worker has started or failed", async () => {
		const revoke = vi.spyOn(URL, "revokeObjectURL");
		for (const behaviour of ["ready", "error", "throw"] as const) {
			revoke.mockClear();
			const made = stubWorkers(behaviour);
			await startWorker("https://cdn.test/worker.js");
			expect(revoke.mock.calls).toEqual([[made[0]]]);
		}
		revoke.mockRestore();
	});
});
