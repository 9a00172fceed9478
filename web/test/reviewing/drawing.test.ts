import { describe, expect, it } from "vitest";
import { DrawingPen, repeated } from "../../src/reviewing/drawing.js";

/** Calls and assignments in their order. */
function recorder() {
	const calls: unknown[] = [];
	const ctx = new Proxy(
		{},
		{
			get:
				(_, name) =>
				(...args: unknown[]) =>
					calls.push([name, ...args]),
			set: (_, name, value) => {
				calls.push([name, value]);
				return true;
			},
		},
	) as CanvasRenderingContext2D;
	return { calls, ctx };
}

type Used = Omit<DrawingPen, "drawing">;

/** Calls everything that a pen has. */
function paint(pen: Used): void {
	pen.lineJoin = "round";
	pen.strokeStyle = "#123456";
	pen.fillStyle = "rgb(1 2 3)";
	pen.globalAlpha = 0.25;
	pen.lineWidth = 1.5;
	pen.setLineDash([9, 4]);
	pen.beginPath();
	pen.moveTo(1, 2.5);
	pen.lineTo(-3, 4);
	pen.closePath();
	pen.stroke();
	pen.setLineDash([]);
	pen.strokeStyle = "rgb(1 2 3)";
	pen.beginPath();
	pen.arc(5, 6, 2.5, 0, 2 * Math.PI);
	pen.fill();
}

describe("a drawing", () => {
	it("repeats the same calls in the same order", () => {
		const pen = new DrawingPen();
		paint(pen);
		const drawing = pen.drawing({ width: 8, height: 9, density: 2 });
		const [once, again] = [recorder(), recorder()];
		paint(once.ctx);
		repeated(again.ctx, structuredClone(drawing));
		expect(again.calls).toEqual(once.calls);
		expect(drawing.words).toEqual(["round", "#123456", "rgb(1 2 3)"]);
		expect(drawing).toMatchObject({ width: 8, height: 9, density: 2 });
	});
});
