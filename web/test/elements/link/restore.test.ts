import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { formatLink, parseLink } from "../../../src/elements/link/link.js";
import { restoreLink as restore } from "../../../src/elements/link/restore.js";
import { ViewerController } from "../../../src/elements/session/controller.js";
import { fakeDataset } from "../../support/fake-dataset.js";
import { FakeTicker } from "../../support/fake-ticker.js";

const SRC = "https://host/x.zarr";
const SCENES = 3;
const FRAMES = 20;

/** A deterministic random number generator: mulberry32. */
function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Returns a random state as a viewer's `save` writes it. */
function randomState(random: () => number): string {
	const below = (n: number) => Math.floor(random() * n);
	const maybe = (text: () => string) => (random() < 0.5 ? [text()] : []);
	const range = () => {
		const first = below(FRAMES);
		return `${first}-${first + below(FRAMES - first)}`;
	};
	const selection = maybe(() => (random() < 0.3 ? "ego" : `${1 + below(3)}`));
	const follows = ["heading", "free", ...(selection[0] ? ["selected", "agent"] : [])];
	const tenth = () => ((1 + below(90)) / 10).toString();
	const pairs = [
		`v=1&src=${SRC}`,
		...maybe(() => `s=${1 + below(SCENES - 1)}`),
		...maybe(() => `f=${1 + below(FRAMES - 1)}`),
		...maybe(() => `p=${range()}`),
		...selection.map((one) => `t=${one}`),
		...maybe(() => `w=${follows[below(follows.length)]}`),
		...maybe(() => "c=ego"),
		...maybe(() => `x=${tenth()}`),
		...maybe(() => `y=-${tenth()}`),
		...maybe(() => `z=${20 + below(50)}`),
		...maybe(() => "r=0.5"),
		...maybe(() => "l=lanes,past,ego"),
		...maybe(() => "th=0.2"),
		...maybe(() => "d=30"),
		...maybe(() => "mh=2"),
		...maybe(() => "mf=3"),
		...maybe(() => "lp=7"),
		...maybe(() => "lf=9"),
		...maybe(() => "pm=fde"),
		...maybe(() => "find=agents:speed > 3".replaceAll(" ", "%20")),
		...maybe(() => "q=speed,yaw_rate"),
		...maybe(() => "qt=ego,2"),
		...maybe(() => `qp=${range()}`),
		...maybe(() => "n=a-note"),
	];
	return pairs.join("&");
}

async function opened(start: string) {
	const { dataset } = fakeDataset({ scenes: SCENES, frames: FRAMES, agents: 3 });
	const controller = new ViewerController({
		opener: async () => ({ dataset, findMap: async () => undefined }),
		ticker: new FakeTicker(),
	});
	const { state, bad } = parseLink(start);
	expect(bad).toEqual([]);
	await controller.open({ kind: "address", address: SRC }, state);
	await settled(controller);
	return controller;
}

const settled = (controller: ViewerController) =>
	expect
		.poll(() => {
			const { sceneInfo, scene, shown, frame } = controller.state;
			return sceneInfo?.index === scene && shown?.frame === frame;
		})
		.toBe(true);

/** As the viewer's `save`. */
const saved = (controller: ViewerController) => formatLink(controller.linkState());

beforeEach(() => {
	vi.stubGlobal("document", { baseURI: "https://page/" });
});
afterEach(() => {
	vi.unstubAllGlobals();
});

describe("restore", () => {
	it("opens another data set, and reports invalid values", async () => {
		const controller = await opened(`v=1&src=${SRC}&f=3`);
		restore(controller, "v=1&src=https://host/y.zarr&f=5&th=2");
		expect(controller.state.notices).toEqual([
			"Link: ignored th=2 (expected a number from 0 to 1)",
		]);
		const address = "https://host/y.zarr";
		await expect.poll(() => controller.state.place).toMatchObject({ address });
		expect(controller.state.frame).toBe(5);
	});

	it("without a data set applies to the open one, or to the next", async () => {
		const controller = await opened(`v=1&src=${SRC}&f=3`);
		restore(controller, "f=7&c=ego");
		expect(saved(controller)).toBe(`v=1&src=${SRC}&f=7&c=ego`);
		controller.close();
		restore(controller, "c=world&th=0.2");
		expect(controller.state).toMatchObject({ coords: "world", threshold: 0.2 });
	});

	it("of a section in another scene marks it", async () => {
		const controller = await opened(`v=1&src=${SRC}`);
		controller.goTo(parseLink("s=1&f=10&p=10-15").state);
		await settled(controller);
		expect(controller.state).toMatchObject({
			section: { begin: 10, end: 16 },
			loop: true,
		});
	});

	it("moves the camera to where the text says", async () => {
		const controller = await opened(`v=1&src=${SRC}&t=1&w=selected&z=30`);
		restore(controller, `v=1&src=${SRC}&s=1&t=2&w=agent&x=3&z=40`);
		await settled(controller);
		const { follow, camera, selection } = controller.state;
		expect({ follow, selection, camera }).toEqual({
			follow: "agent",
			selection: 2n,
			camera: { x: 3, y: 0, span: 40, rotation: 0 },
		});
	});

	it("follows the ego vehicle if the text names no selection", async () => {
		const controller = await opened(`v=1&src=${SRC}&t=1`);
		restore(controller, `v=1&src=${SRC}&w=selected`);
		expect(controller.state.follow).toBe("position");
	});

	it("gives any state, from any other state", async () => {
		const random = seeded(7);
		const controller = await opened(randomState(random));
		for (let i = 0; i < 60; i += 1) {
			const text = randomState(random);
			restore(controller, text);
			if (i % 3 > 0) await settled(controller);
			expect(saved(controller)).toBe(text);
			if (i % 3 > 1) continue;
			await settled(controller);
			expect(saved(controller)).toBe(text);
		}
	});

	it("of what was saved changes nothing", async () => {
		const random = seeded(11);
		for (let i = 0; i < 20; i += 1) {
			const text = randomState(random);
			const controller = await opened(text);
			expect(saved(controller)).toBe(text);
			controller.store.patch({ loop: false });
			const { plotsLinked: _, ...before } = controller.state;
			const link = saved(controller);
			restore(controller, link);
			expect(controller.state).toMatchObject(before);
			await settled(controller);
			expect(saved(controller)).toBe(link);
		}
	});
});
