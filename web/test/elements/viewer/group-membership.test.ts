import { expect, it } from "vitest";
import { GroupMembership } from "../../../src/elements/viewer/group-membership.js";
import { fakeViewer } from "../../support/fake-viewer.js";

async function member(group: string | null, scenes: number) {
	const viewer = fakeViewer({ group, isConnected: true }, { scenes, frames: 20 });
	const membership = new GroupMembership(viewer.host);
	const place = { kind: "address", address: "https://host/x.zarr" } as const;
	await viewer.controller.open(place, {});
	await viewer.controller.displayed;
	membership.hostConnected();
	await membership.joined;
	const change = (to: string | null): void => {
		Object.assign(viewer.host, { group: to });
		membership.change();
	};
	return { ...viewer, membership, change };
}

it("viewers of a group move together until one leaves", async () => {
	const [a, b] = [await member("one", 2), await member("one", 2)];
	a.controller.seek(7);
	await a.controller.displayed;
	await expect.poll(() => b.controller.state.frame).toBe(7);
	b.membership.hostDisconnected();
	a.controller.seek(3);
	await a.controller.displayed;
	expect(b.controller.state.frame).toBe(7);
	a.membership.hostDisconnected();
});

it("a viewer moves to the group of its attribute", async () => {
	const [a, b] = [await member("two", 2), await member(null, 2)];
	a.controller.seek(5);
	await a.controller.displayed;
	expect(b.controller.state.frame).toBe(0);
	b.change("two");
	await b.membership.joined;
	await expect.poll(() => b.controller.state.frame).toBe(5);
	for (const { membership } of [a, b]) membership.hostDisconnected();
});

it("a viewer that left while the group was loaded does not join", async () => {
	const viewer = await member(null, 2);
	viewer.change("three");
	viewer.change(null);
	await viewer.membership.joined;
	const other = await member("three", 2);
	other.controller.seek(9);
	await other.controller.displayed;
	expect(viewer.controller.state.frame).toBe(0);
	other.membership.hostDisconnected();
});
