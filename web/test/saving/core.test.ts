import { describe, expect, it } from "vitest";
import { objectOf, SerialQueue } from "../../src/saving/core.js";

describe("saving: core", () => {
	it("takes an object from an array named by its key", () => {
		const bytes = Uint8Array.of(1, 2);
		expect(objectOf({ "image/0.0": bytes })).toEqual({ key: "image/0.0", bytes });
		expect(objectOf(undefined)).toBeUndefined();
	});

	it("runs tasks one at a time; a failed one does not stop the next", async () => {
		const turns = new SerialQueue();
		const seen: string[] = [];
		const task = (name: string, fails: boolean) => () =>
			Promise.resolve().then(() => {
				seen.push(`${name} begins`);
				return Promise.resolve().then(() => {
					seen.push(`${name} ends`);
					if (fails) throw new Error(name);
					return name;
				});
			});
		const first = turns.run(task("a", true));
		const second = turns.run(task("b", false));
		await expect(first).rejects.toThrow("a");
		expect(await second).toBe("b");
		expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends"]);
	});
});
