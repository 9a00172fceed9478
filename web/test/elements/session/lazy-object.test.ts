import { describe, expect, it, vi } from "vitest";
import { Lazy } from "../../../src/elements/session/lazy-object.js";

describe("Lazy", () => {
	it("has called all uses that waited when it has settled", async () => {
		let resolve: (value: string) => void = () => {};
		const loaded = new Promise<string>((done) => {
			resolve = done;
		});
		const late = new Lazy(() => loaded, vi.fn());
		const seen: string[] = [];
		for (const name of ["a", "b"]) void late.use((value) => seen.push(value + name));
		const settled = late.settled().then(() => [...seen]);
		resolve("x");
		expect(await settled).toEqual(["xa", "xb"]);
	});

	it("settles if nothing is used, and if loading fails", async () => {
		const onFailure = vi.fn();
		const late = new Lazy(() => Promise.reject(new Error("no")), onFailure);
		await late.settled();
		void late.use(() => {});
		await late.settled();
		expect(onFailure).toHaveBeenCalledOnce();
	});
});
