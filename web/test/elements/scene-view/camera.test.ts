import { describe, expect, it } from "vitest";
import { projectionOf } from "../../../src/elements/draw/picture.js";
import {
	blended,
	type Camera,
	DEFAULT_CAMERA,
	FOLLOWS,
	fitted,
	panned,
	refollowed,
	revealed,
	rotated,
	scaleBar,
	screenFromWorld,
	snapped,
	TILT_MAX,
	tilted,
	viewOf,
	worldFromScreen,
	zoomed,
} from "../../../src/elements/scene-view/camera.js";

const size = { width: 800, height: 400 };
const ego = { x: 100, y: -50, yaw: 0.7 };
const camera: Camera = { x: 3, y: -4, span: 80, rotation: 0.2 };

describe("camera", () => {
	it("spans the shorter side", () => {
		expect(viewOf(camera, "free", ego, size).pixelsPerMetre).toBe(5);
	});

	it("centres the ego when following", () => {
		for (const follow of ["position", "heading"] as const) {
			const view = viewOf(DEFAULT_CAMERA, follow, ego, size);
			expect(screenFromWorld(view, ego.x, ego.y)).toEqual({ x: 400, y: 200 });
		}
	});

	it("points the ego's heading up when following the heading", () => {
		const view = viewOf(DEFAULT_CAMERA, "heading", ego, size);
		const ahead = screenFromWorld(view, ego.x + Math.cos(0.7), ego.y + Math.sin(0.7));
		expect(ahead.x).toBeCloseTo(400, 9);
		expect(ahead.y).toBeCloseTo(200 - view.pixelsPerMetre, 9);
	});

	it("maps the screen back to the same point in world", () => {
		for (const follow of FOLLOWS) {
			const view = viewOf(camera, follow, ego, size);
			const at = screenFromWorld(view, 12, 34);
			const back = worldFromScreen(view, at.x, at.y);
			expect(back.x).toBeCloseTo(12, 9);
			expect(back.y).toBeCloseTo(34, 9);
		}
	});

	it("keeps the point under the pointer while dragging", () => {
		for (const follow of FOLLOWS) {
			const before = viewOf(camera, follow, ego, size);
			const held = worldFromScreen(before, 300, 120);
			const moved = panned(camera, follow, before, 40, -25);
			const at = screenFromWorld(viewOf(moved, follow, ego, size), held.x, held.y);
			expect(at.x, follow).toBeCloseTo(340, 6);
			expect(at.y, follow).toBeCloseTo(95, 6);
		}
	});

	it.each(FOLLOWS)("keeps the point under the pointer while zooming (%s)", (follow) => {
		const before = viewOf(camera, follow, ego, size);
		const held = worldFromScreen(before, 700, 50);
		const zoom = { factor: 2, at: { x: 700, y: 50 } };
		const closer = zoomed(camera, follow, before, zoom);
		const at = screenFromWorld(viewOf(closer, follow, ego, size), held.x, held.y);
		expect(closer.span).toBe(40);
		expect(at.x).toBeCloseTo(700, 6);
		expect(at.y).toBeCloseTo(50, 6);
	});

	it("keeps its centre while zooming without a pointer", () => {
		const view = viewOf(camera, "position", ego, size);
		const closer = zoomed(camera, "position", view, { factor: 2 });
		expect(closer).toEqual({ ...camera, span: 40 });
	});

	it("never zooms beyond its bounds", () => {
		const view = viewOf(camera, "free", ego, size);
		const span = (factor: number, max?: number) =>
			zoomed(camera, "free", view, { factor, max }).span;
		expect(span(1e9)).toBe(4);
		expect(span(1e-9)).toBe(20_000);
		expect(span(1e-9, 500)).toBe(500);
		// A link may contain a larger span than zooming allows.
		expect(span(0.5, 40)).toBe(camera.span);
	});

	it("rotates about its centre, with angles within half a turn", () => {
		const turned = rotated({ ...camera, rotation: 3 }, 1);
		expect(turned.rotation).toBeCloseTo(4 - 2 * Math.PI, 9);
		expect({ ...turned, rotation: 3 }).toEqual({ ...camera, rotation: 3 });
	});

	it.each(FOLLOWS)(
		"moves to what is outside of the picture, and no farther (%s)",
		(follow) => {
			const view = viewOf(camera, follow, ego, size);
			const p = worldFromScreen(view, 1500, 200);
			const moved = revealed(camera, follow, view, p);
			expect(moved).toBeDefined();
			const after = viewOf(moved ?? camera, follow, ego, size);
			const at = screenFromWorld(after, p.x, p.y);
			expect(at.x).toBeCloseTo(size.width - 80, 6);
			expect(at.y).toBeCloseTo(200, 6);
			const near = worldFromScreen(view, 30, 30);
			expect(revealed(camera, follow, view, near)).toBeUndefined();
		},
	);

	it("keeps the view when set free, and centres the ego otherwise", () => {
		const view = viewOf(camera, "heading", ego, size);
		const free = refollowed(camera, view, "free");
		expect(viewOf(free, "free", ego, size)).toEqual(view);
		expect(refollowed(free, view, "position")).toEqual({ ...DEFAULT_CAMERA, span: 80 });
	});

	it("fits a box with a margin", () => {
		const fit = fitted({ x: 0, y: 0 }, { x: 100, y: 100 }, size);
		const view = viewOf(fit, "free", ego, size);
		const corner = screenFromWorld(view, 0, 0);
		expect(corner.y).toBeLessThan(400);
		expect(corner.y).toBeGreaterThan(360);
	});

	it("rotates the shorter way between two views", () => {
		const from = { ...viewOf(camera, "free", ego, size), rotation: 3 };
		const to = { ...from, rotation: -3 };
		const middle = blended(from, to, 0.5).rotation;
		expect(Math.abs(Math.cos(middle) - Math.cos(3))).toBeLessThan(0.02);
		expect(blended(from, to, 1).x).toBe(to.x);
	});

	it("aligns world's origin to a device pixel", () => {
		const view = viewOf(camera, "heading", ego, size);
		const at = snapped(view, 1.5);
		const middle = screenFromWorld({ ...at, width: 0, height: 0 }, 0, 0);
		for (const pixels of [middle.x * 1.5, middle.y * 1.5]) {
			expect(Math.abs(pixels - Math.round(pixels))).toBeLessThan(1e-6);
		}
		const moved = screenFromWorld(at, view.x, view.y);
		expect(Math.abs(moved.x - 400) * 1.5).toBeLessThanOrEqual(0.5);
		expect(Math.abs(moved.y - 200) * 1.5).toBeLessThanOrEqual(0.5);
	});

	it("chooses round lengths for the scale", () => {
		expect(scaleBar(1, 110)).toBe(100);
		expect(scaleBar(4.6, 110)).toBe(20);
		expect(scaleBar(150, 110)).toBe(0.5);
	});
});

describe("a tilted camera", () => {
	const tilt = Math.PI / 4;
	const camera: Camera = { x: 3, y: -4, span: 80, rotation: 0.2, tilt };

	it("shortens the ground vertically, by the cosine of the tilt", () => {
		const level = { ...camera, rotation: 0 };
		const view = viewOf(level, "free", ego, size);
		const [a, b] = [screenFromWorld(view, 0, 0), screenFromWorld(view, 10, 10)];
		expect(b.x - a.x).toBeCloseTo(50, 9);
		expect(a.y - b.y).toBeCloseTo(50 * Math.cos(tilt), 9);
	});

	it("maps the screen back to the same point in world", () => {
		for (const follow of FOLLOWS) {
			const view = viewOf(camera, follow, ego, size);
			const at = screenFromWorld(view, 12, 34);
			const back = worldFromScreen(view, at.x, at.y);
			expect(back.x).toBeCloseTo(12, 9);
			expect(back.y).toBeCloseTo(34, 9);
		}
	});

	it("keeps the point under the pointer while dragging and zooming", () => {
		for (const follow of FOLLOWS) {
			const before = viewOf(camera, follow, ego, size);
			const held = worldFromScreen(before, 300, 120);
			const moved = panned(camera, follow, before, 40, -25);
			const at = screenFromWorld(viewOf(moved, follow, ego, size), held.x, held.y);
			expect(at.x, follow).toBeCloseTo(340, 6);
			expect(at.y, follow).toBeCloseTo(95, 6);
			const point = { x: 300, y: 120 };
			const nearer = zoomed(camera, follow, before, { factor: 2, at: point });
			const there = screenFromWorld(viewOf(nearer, follow, ego, size), held.x, held.y);
			expect(there.x, follow).toBeCloseTo(300, 6);
			expect(there.y, follow).toBeCloseTo(120, 6);
		}
	});

	it("snaps the world's origin to whole pixels", () => {
		const view = snapped(viewOf(camera, "heading", ego, size), 2);
		const origin = screenFromWorld(view, 0, 0);
		expect(Math.abs(2 * origin.x - Math.round(2 * origin.x))).toBeLessThan(1e-6);
		expect(Math.abs(2 * origin.y - Math.round(2 * origin.y))).toBeLessThan(1e-6);
	});

	it("tilts from 0 to 60 degrees; a flat camera has no tilt", () => {
		expect(tilted(camera, 2).tilt).toBe(TILT_MAX);
		expect(tilted(camera, -1).tilt).toBeUndefined();
		expect(tilted(camera, 0)).toEqual({ x: 3, y: -4, span: 80, rotation: 0.2 });
		const views = [7, Number.NaN, -1, undefined].map(
			(of) => viewOf({ ...camera, tilt: of }, "free", ego, size).tilt,
		);
		expect(views).toEqual([TILT_MAX, 0, 0, 0]);
	});

	it("keeps its tilt when it follows something else, and when it fits a box", () => {
		const view = viewOf(camera, "free", ego, size);
		for (const follow of FOLLOWS)
			expect(refollowed(camera, view, follow).tilt).toBe(tilt);
		const box = [
			{ x: 0, y: 0 },
			{ x: 10, y: 400 },
		] as const;
		const all = fitted(...box, view);
		expect(all.tilt).toBe(tilt);
		const seen = viewOf(all, "free", ego, size);
		const corners = box.map(({ x, y }) => screenFromWorld(seen, x, y).y);
		expect(corners.map((y) => y / 400)).toEqual([
			expect.closeTo(0.955, 2),
			expect.closeTo(0.045, 2),
		]);
	});

	it("eases", () => {
		const flat = viewOf({ ...camera, tilt: undefined }, "free", ego, size);
		const view = viewOf(camera, "free", ego, size);
		expect(blended(flat, view, 0).tilt).toBe(0);
		expect(blended(flat, view, 1).tilt).toBe(tilt);
		expect(blended(view, flat, 0.5).tilt).toBeCloseTo(tilt / 8, 9);
	});
});

describe("a flat camera", () => {
	it("has exactly the coordinates of a camera without tilt", () => {
		// The formulas without a tilt; even rounding errors would move lines by a pixel.
		for (const follow of FOLLOWS) {
			const view = viewOf(camera, follow, ego, size);
			const s = view.pixelsPerMetre;
			const [cos, sin] = [Math.cos(view.rotation), Math.sin(view.rotation)];
			const [dx, dy] = [12 - view.x, 34 - view.y];
			expect(screenFromWorld(view, 12, 34)).toEqual({
				x: view.width / 2 + s * (cos * dx - sin * dy),
				y: view.height / 2 - s * (sin * dx + cos * dy),
			});
			expect(projectionOf(view)).toEqual({
				...{ a: cos * s, b: -(sin * s), c: -(sin * s), d: -(cos * s) },
				e: view.width / 2 - cos * s * view.x + sin * s * view.y,
				f: view.height / 2 + sin * s * view.x + cos * s * view.y,
			});
		}
	});
});
