import { describe, expect, it } from "vitest";
import type { FrameRange, Playhead } from "../../../src/elements/timeline/clock.js";
import { Player } from "../../../src/elements/timeline/player.js";
import { FakeTicker } from "../../support/fake-ticker.js";

const seconds = Float64Array.from({ length: 11 }, (_, i) => i / 10);

function playing(
	isLoaded: (frame: number) => boolean = () => true,
	speed = 1,
	loop?: FrameRange,
) {
	const ticker = new FakeTicker();
	const heads: (Playhead & { waiting: boolean })[] = [];
	const player = new Player(ticker, {
		seconds: () => seconds,
		speed: () => speed,
		isLoaded,
		loop: () => loop,
		onTick: (head, waiting) => heads.push({ ...head, waiting }),
	});
	player.start(0);
	ticker.tick(0);
	return { ticker, heads, player };
}

describe("Player", () => {
	it("advances by elapsed time", () => {
		const { ticker, heads } = playing();
		ticker.tick(100);
		ticker.tick(100);
		ticker.tick(60);
		expect(heads.at(-1)?.frame).toBe(2);
		ticker.tick(60);
		expect(heads.at(-1)?.frame).toBe(3);
	});

	it("advances faster at a higher speed", () => {
		const { ticker, heads } = playing(() => true, 4);
		ticker.tick(100);
		expect(heads.at(-1)?.frame).toBe(4);
	});

	it("does not jump after a suspended tab", () => {
		const { ticker, heads } = playing();
		ticker.tick(60_000);
		expect(heads.at(-1)?.frame).toBe(2);
	});

	it("waits for a frame, reports it, and continues", () => {
		let loaded = 1;
		const { ticker, heads } = playing((frame) => frame <= loaded);
		ticker.tick(250);
		expect(heads.at(-1)).toMatchObject({ frame: 1, waiting: true });
		loaded = 10;
		ticker.tick(120);
		expect(heads.at(-1)).toMatchObject({ frame: 2, waiting: false });
	});

	it("loops a section without a pause at its end", () => {
		const { ticker, heads, player } = playing(() => true, 1, { begin: 0, end: 4 });
		for (let k = 0; k < 9; k += 1) ticker.tick(100);
		const frames = heads.map(({ frame }) => frame);
		expect(frames.slice(-8)).toEqual([2, 3, 0, 1, 2, 3, 0, 1]);
		expect(heads.some(({ waiting, ended }) => waiting || ended)).toBe(false);
		expect(player.playing).toBe(true);
	});

	it("stops at the end", () => {
		const { ticker, heads, player } = playing(() => true, 8);
		for (let k = 0; k < 6; k += 1) ticker.tick(100);
		expect(heads.at(-1)).toMatchObject({ frame: 10, ended: true });
		expect(player.playing).toBe(false);
		expect(ticker.waiting).toBe(0);
	});

	it("continues after a seek", () => {
		const { ticker, heads, player } = playing();
		player.moveTo(7);
		ticker.tick(110);
		expect(heads.at(-1)?.frame).toBe(8);
	});
});
