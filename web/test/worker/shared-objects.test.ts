import { describe, expect, it } from "vitest";
import type { Client, ObjectIds } from "../../src/worker/client.js";
import type { Query } from "../../src/worker/protocol.js";
import { SharedObjects } from "../../src/worker/shared-objects.js";

/** A client that lists the ids it has freed, and makers that count their calls. */
function asked() {
	const freed: number[] = [];
	let made = 0;
	const client = {
		ask: async (query: Query) => {
			if (query.kind === "free") freed.push(query.id);
			return {};
		},
	} as unknown as Client;
	const make = async (): Promise<ObjectIds> => ({ map: ++made });
	return { client, freed, make, made: () => made };
}

describe("worker/shared-objects", () => {
	it("are made once for engines one after the other", async () => {
		const { client, freed, make, made } = asked();
		let last: SharedObjects | undefined;
		for (let k = 0; k < 5; k += 1) {
			const next = new SharedObjects(client);
			last?.close();
			expect(await next.take("a", make)).toEqual({ map: 1 });
			last = next;
		}
		expect([made(), freed]).toEqual([1, []]);
		last?.close();
		expect(freed).toEqual([1]);
	});

	it.each([0, 1])("are freed once, if engine %i is closed first", async (i) => {
		const { client, freed, make, made } = asked();
		const both = [new SharedObjects(client), new SharedObjects(client)] as const;
		const ids = await Promise.all(both.map((one) => one.take("a", make)));
		expect([made(), ids]).toEqual([1, [{ map: 1 }, { map: 1 }]]);
		both[i]?.close();
		both[i]?.close();
		expect(freed).toEqual([]);
		for (const one of both) for (const held of ids) one.release(held);
		expect(freed).toEqual([]);
		both[1 - i]?.close();
		expect(freed).toEqual([1]);
	});

	it("are others for another key or another client", async () => {
		const [one, other] = [asked(), asked()];
		const [shared, far] = [one, other].map(({ client }) => new SharedObjects(client));
		expect(await shared?.take("a", one.make)).toEqual({ map: 1 });
		expect(await shared?.take("b", one.make)).toEqual({ map: 2 });
		expect(await far?.take("a", other.make)).toEqual({ map: 1 });
		expect([one.made(), other.made()]).toEqual([2, 1]);
		shared?.close();
		expect([one.freed, other.freed]).toEqual([[1, 2], []]);
	});

	it("two unused ones are kept, the last ones used", async () => {
		const { client, freed, make, made } = asked();
		const shared = new SharedObjects(client);
		for (const key of ["a", "b", "a", "c"])
			shared.release(await shared.take(key, make));
		expect([made(), freed]).toEqual([3, [2]]);
		shared.close();
		expect(freed).toEqual([2, 1, 3]);
	});

	it("a failure is not kept, an abort is that of one user", async () => {
		const { client, freed, make, made } = asked();
		const shared = new SharedObjects(client);
		const fail = () => Promise.reject(new Error("no map"));
		await expect(shared.take("a", fail)).rejects.toThrow("no map");
		const control = new AbortController();
		const both = [shared.take("a", make, control.signal), shared.take("a", make)];
		control.abort(new Error("before"));
		await expect(both[0]).rejects.toThrow("before");
		expect(await both[1]).toEqual({ map: 1 });
		expect([made(), freed]).toEqual([1, []]);
		shared.close();
		expect(freed).toEqual([1]);
	});

	it("objects that are made after all have left are freed", async () => {
		const { client, freed } = asked();
		const shared = new SharedObjects(client);
		const made: ((ids: ObjectIds) => void)[] = [];
		const make = () => new Promise<ObjectIds>((resolve) => made.push(resolve));
		const control = new AbortController();
		const left = shared.take("a", make, control.signal);
		control.abort(new Error("left"));
		await expect(left).rejects.toThrow("left");
		const next = shared.take("a", make);
		made[1]?.({ map: 8 });
		made[0]?.({ map: 7 });
		expect(await next).toEqual({ map: 8 });
		expect(freed).toEqual([7]);
		const late = shared.take("b", make);
		shared.close();
		expect(freed).toEqual([7, 8]);
		made[2]?.({ map: 9 });
		await late;
		expect(freed).toEqual([7, 8, 9]);
	});

	it("lost ones are made again, and freed with their last user", async () => {
		const { client, freed, make } = asked();
		const [one, other] = [new SharedObjects(client), new SharedObjects(client)];
		await one.take("a", make);
		const lost = await other.take("a", make);
		other.forget(lost);
		other.forget(lost);
		expect(await other.take("a", make)).toEqual({ map: 2 });
		expect(freed).toEqual([]);
		one.close();
		expect(freed).toEqual([1]);
		other.close();
		expect(freed).toEqual([1, 2]);
	});
});
