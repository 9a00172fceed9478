import { describe, expect, it } from "vitest";
import { SceneInput } from "../../../src/elements/scene-view/scene-input.js";

/** An element without a page. */
class Target {
	readonly #listeners = new Map<string, (event: Event) => void>();

	addEventListener(type: string, listener: (event: Event) => void): void {
		this.#listeners.set(type, listener);
	}
	dispatchEvent(event: Event): void {
		this.#listeners.get(event.type)?.(event);
	}
	getBoundingClientRect() {
		return { left: 0, top: 0 };
	}
	setPointerCapture(): void {}
}

type Way = readonly (readonly [x: number, y: number])[];

interface Pressed {
	readonly button?: number;
	readonly ctrlKey?: boolean;
	readonly cooperative?: boolean;
}

/** Returns the calls of pointers that press, move in turn along their ways, and release. */
function gesture(ways: readonly Way[], pressed: Pressed = {}): Record<string, number> {
	const calls: Record<string, number> = {};
	const count = (name: string) => (value: number) => {
		calls[name] = (calls[name] ?? 0) + value;
	};
	const target = new Target();
	const { button = 0, ctrlKey = false, cooperative = false } = pressed;
	new SceneInput(target as unknown as HTMLElement, {
		pan: (dx, dy) => count("pan")(Math.abs(dx) + Math.abs(dy)),
		zoom: () => count("zoom")(1),
		rotate: count("rotate"),
		tilt: count("tilt"),
		flatten: () => count("flatten")(1),
		click: () => count("click")(1),
		doubleClick: () => count("doubleClick")(1),
		move: () => {},
		cooperative: () => cooperative,
		left: () => count("left")(1),
	});
	const pointerType = ways.length > 1 || cooperative ? "touch" : "mouse";
	const send = (type: string, pointerId: number, [x, y]: readonly [number, number]) => {
		const at = { clientX: x, clientY: y };
		const event = Object.assign(new Event(type), { pointerId, button, ctrlKey, ...at });
		target.dispatchEvent(Object.assign(event, { pointerType }));
	};
	for (const [id, [start = [0, 0] as const]] of ways.entries())
		send("pointerdown", id, start);
	for (let k = 1; k < (ways[0]?.length ?? 0); k += 1)
		for (const [id, way] of ways.entries()) send("pointermove", id, way[k] ?? [0, 0]);
	for (const [id, way] of ways.entries()) send("pointerup", id, way.at(-1) ?? [0, 0]);
	return calls;
}

/** Returns places from (x, y), each (dx, dy) from the one before it. */
function line(x: number, y: number, dx: number, dy: number): Way {
	return Array.from({ length: 11 }, (_, k) => [x + k * dx, y + k * dy] as const);
}

describe("a drag with the right button or Ctrl", () => {
	it("tilts by 60 degrees in 200 pixels upwards", () => {
		const { tilt, ...others } = gesture([line(0, 0, 0, -20)], { button: 2 });
		expect(tilt).toBeCloseTo(Math.PI / 3, 9);
		expect(others).toEqual({});
		expect(gesture([line(0, 0, 1, 20)], { ctrlKey: true }).tilt).toBeCloseTo(
			-Math.PI / 3,
			9,
		);
	});

	it("rotates if it starts sideways, also when it goes up later", () => {
		const way = [...line(0, 0, 20, 5), ...line(200, 50, 0, -20)];
		const { tilt, rotate } = gesture([way], { button: 2 });
		expect(tilt).toBeUndefined();
		expect(rotate).toBeCloseTo((-200 * Math.PI) / 300, 9);
	});
});

describe("two fingers", () => {
	it("side by side tilt by moving up or down together, and do not pan", () => {
		const up = gesture([line(0, 0, 0, -10), line(60, 0, 0.5, -10)]);
		expect(up.tilt).toBeGreaterThan(0.3);
		expect(up.pan).toBeUndefined();
		const down = gesture([line(0, 0, 0, 10), line(60, 0, 0, 10)]);
		expect(down.tilt).toBeLessThan(-0.3);
	});

	it("pan, pinch and twist otherwise", () => {
		const ways = {
			sideways: [line(0, 0, 10, 1), line(60, 0, 10, 1)],
			apart: [line(0, 0, -10, 0), line(60, 0, 10, 0)],
			above: [line(0, 0, 0, -10), line(0, 60, 0, -10)],
			against: [line(0, 0, 0, -10), line(60, 0, 0, 10)],
			alone: [line(0, 0, 0, -10), line(60, 0, 0, 0)],
		};
		for (const [name, way] of Object.entries(ways)) {
			const { tilt, pan } = gesture(way);
			expect(tilt, name).toBeUndefined();
			expect(pan, name).toBeGreaterThan(0);
		}
	});

	it("pan where one finger scrolls the page", () => {
		const ways = [line(0, 0, 0, -10), line(60, 0, 0, -10)];
		const { tilt, pan } = gesture(ways, { cooperative: true });
		expect(tilt).toBeUndefined();
		expect(pan).toBeGreaterThan(0);
	});
});

describe("one pointer", () => {
	it("pans, and clicks without moving", () => {
		expect(gesture([line(0, 0, 3, 4)])).toEqual({ pan: 70 });
		expect(gesture([[[5, 5]]])).toEqual({ click: 1 });
	});

	it("leaves the finger to a scrolling page", () => {
		expect(gesture([line(0, 0, 0, -10)], { cooperative: true })).toEqual({ left: 10 });
	});
});
