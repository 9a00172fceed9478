import { describe, expect, it } from "vitest";
import { ViewerController } from "../../../src/elements/session/controller.js";
import { GroupMember } from "../../../src/elements/viewer/group.js";
import { fakeDataset } from "../../support/fake-dataset.js";
import { FakeTicker } from "../../support/fake-ticker.js";

interface Size {
	readonly scenes?: number;
	readonly frames?: number;
}

let names = 0;

/** Opens viewers with data sets of these sizes. */
async function viewers(...sizes: readonly Size[]): Promise<ViewerController[]> {
	const opened = sizes.map(async ({ scenes = 3, frames = 20 }) => {
		const { dataset } = fakeDataset({ scenes, frames, agents: 1 });
		const opener = async () => ({ dataset, findMap: async () => undefined });
		const ticker = new FakeTicker();
		const controller = new ViewerController({ opener, ticker });
		await controller.open({ kind: "address", address: "https://host/x.zarr" });
		await ready(controller, 0);
		return controller;
	});
	return Promise.all(opened);
}

const ready = (controller: ViewerController, scene: number): Promise<void> =>
	expect.poll(() => controller.state.sceneInfo?.index).toBe(scene) as Promise<void>;

const at = ({ state }: ViewerController): [number, number] => [
	state.scene,
	state.frame,
];

/** Puts the viewers in a group of their own. */
function grouped(...all: readonly ViewerController[]): GroupMember[] {
	names += 1;
	return all.map((controller) => new GroupMember(controller, `group ${names}`));
}

describe("viewer/group", () => {
	it("moves every viewer when one is moved", async () => {
		const [a, b, c] = (await viewers({}, {}, {})) as [
			ViewerController,
			ViewerController,
			ViewerController,
		];
		grouped(a, b, c);
		b.seek(7);
		expect([at(a), at(b), at(c)]).toEqual(Array(3).fill([0, 7]));
		c.step(-2);
		expect([at(a), at(b), at(c)]).toEqual(Array(3).fill([0, 5]));
	});

	it("opens the same scene at the same time", async () => {
		const [a, b] = (await viewers({}, {})) as [ViewerController, ViewerController];
		grouped(a, b);
		a.setScene(2, 11);
		await ready(b, 2);
		await expect
			.poll(() => [at(a), at(b)])
			.toEqual([
				[2, 11],
				[2, 11],
			]);
		b.setScene(1, 0);
		await ready(a, 1);
		await expect
			.poll(() => [at(a), at(b)])
			.toEqual([
				[1, 0],
				[1, 0],
			]);
	});

	it("keeps the last of two moves at once", async () => {
		const [a, b] = (await viewers({}, {})) as [ViewerController, ViewerController];
		grouped(a, b);
		a.seek(3);
		b.seek(9);
		expect([at(a), at(b)]).toEqual([
			[0, 9],
			[0, 9],
		]);
		a.setScene(1, 4);
		b.setScene(2, 5);
		await ready(b, 2);
		await expect
			.poll(() => [at(a), at(b)])
			.toEqual([
				[2, 5],
				[2, 5],
			]);
	});

	it("does not move back when a viewer has fewer frames or scenes", async () => {
		const [a, short, few] = (await viewers({}, { frames: 6 }, { scenes: 1 })) as [
			ViewerController,
			ViewerController,
			ViewerController,
		];
		grouped(a, short, few);
		a.seek(15);
		expect([at(a), at(short), at(few)]).toEqual([
			[0, 15],
			[0, 5],
			[0, 15],
		]);
		a.setScene(1, 15);
		await ready(short, 1);
		await expect.poll(() => at(short)).toEqual([1, 5]);
		expect([at(a), at(few)]).toEqual([
			[1, 15],
			[0, 15],
		]);
	});

	it("plays and pauses as one, wherever the button is pressed", async () => {
		const [a, b] = (await viewers({}, {})) as [ViewerController, ViewerController];
		grouped(a, b);
		const playing = () => [a.state.playing, b.state.playing];
		a.play();
		expect(playing()).toEqual([true, true]);
		b.pause();
		expect(playing()).toEqual([false, false]);
		expect(a.playhead).toBeUndefined();
		b.togglePlay();
		expect(playing()).toEqual([true, true]);
		expect([a.playhead, b.playhead]).toEqual([undefined, 0]);
		a.togglePlay();
		expect(playing()).toEqual([false, false]);
		a.play();
		a.pause();
		expect(playing()).toEqual([false, false]);
	});

	it("goes on playing when another viewer is moved", async () => {
		const [a, b] = (await viewers({}, {})) as [ViewerController, ViewerController];
		grouped(a, b);
		a.play();
		b.seek(7);
		expect([at(a), at(b)]).toEqual(Array(2).fill([0, 7]));
		expect([a.state.playing, b.state.playing]).toEqual([true, true]);
		b.step(1);
		expect([a.state.playing, b.state.playing]).toEqual([false, false]);
		expect([at(a), at(b)]).toEqual(Array(2).fill([0, 8]));
	});

	it("shows a viewer that joins or leaves what it does itself", async () => {
		const [a, b, c] = (await viewers({}, {}, {})) as [
			ViewerController,
			ViewerController,
			ViewerController,
		];
		c.play();
		const [first] = grouped(a, b);
		a.play();
		const third = new GroupMember(c, `group ${names}`);
		const playing = () => [a, b, c].map(({ state }) => state.playing);
		expect(playing()).toEqual([true, true, true]);
		expect(c.playhead).toBeUndefined();
		third.leave();
		expect(playing()).toEqual([true, true, false]);
		first?.leave();
		expect(playing()).toEqual([true, false, false]);
		a.pause();
	});

	it("gives a viewer that joins the group's position", async () => {
		const [a, b] = (await viewers({}, {})) as [ViewerController, ViewerController];
		a.seek(8);
		b.seek(2);
		grouped(a, b);
		expect([at(a), at(b)]).toEqual([
			[0, 8],
			[0, 8],
		]);
	});

	it("moves no viewer that has left", async () => {
		const [a, b] = (await viewers({}, {})) as [ViewerController, ViewerController];
		const [, member] = grouped(a, b);
		member?.leave();
		a.seek(8);
		expect([at(a), at(b)]).toEqual([
			[0, 8],
			[0, 0],
		]);
	});

	it("announces the frame of the moved viewer only", async () => {
		const [a, b] = (await viewers({}, {})) as [ViewerController, ViewerController];
		grouped(a, b);
		a.seek(7);
		expect(a.state.announcement).toContain("7");
		expect(b.state.announcement).not.toContain("7");
	});
});
