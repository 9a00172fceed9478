import { beforeAll, describe, expect, it, vi } from "vitest";
import { SvgContext } from "../../../src/elements/export/svg-context.js";

beforeAll(() => {
	vi.stubGlobal("document", { createElement: () => ({ getContext: () => null }) });
});

function drawn(act: (ctx: SvgContext) => void): string[] {
	const ctx = new SvgContext(200, 100);
	act(ctx);
	return ctx.document.trim().split("\n");
}

describe("an SVG document", () => {
	it("has the picture's size", () => {
		expect(drawn(() => {})).toEqual([
			'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100">',
			"</svg>",
		]);
	});

	it("contains fills and strokes in order, with their style", () => {
		const [, fill, stroke] = drawn((ctx) => {
			ctx.fillStyle = "#123456";
			ctx.globalAlpha = 0.5;
			ctx.beginPath();
			ctx.moveTo(1, 2);
			ctx.lineTo(3.123, 4);
			ctx.closePath();
			ctx.fill();
			ctx.globalAlpha = 1;
			ctx.strokeStyle = "red";
			ctx.lineWidth = 2;
			ctx.lineJoin = "round";
			ctx.setLineDash([3, 4]);
			ctx.stroke();
		});
		expect(fill).toBe('<path d="M1 2L3.12 4Z" fill="#123456" fill-opacity="0.5"/>');
		expect(stroke).toBe(
			'<path d="M1 2L3.12 4Z" fill="none" stroke="red" stroke-width="2" stroke-linejoin="round" stroke-dasharray="3 4"/>',
		);
	});

	it("leaves out empty paths", () => {
		const lines = drawn((ctx) => {
			ctx.beginPath();
			ctx.fill();
			ctx.stroke();
		});
		expect(lines).toHaveLength(2);
	});

	it("draws a circle as two arcs", () => {
		const [, circle] = drawn((ctx) => {
			ctx.beginPath();
			ctx.arc(10, 20, 5);
			ctx.fill();
		});
		expect(circle).toContain('d="M15 20A5 5 0 1 0 5 20A5 5 0 1 0 15 20Z"');
	});

	it("escapes text, and moves it with the origin until it is restored", () => {
		const [, text, rect] = drawn((ctx) => {
			ctx.save();
			ctx.translate(5, 6);
			ctx.font = '600 12px "A", sans-serif';
			ctx.textBaseline = "middle";
			ctx.fillText('<b> & "c"', 1, 2);
			ctx.restore();
			ctx.fillRect(0, 0, 1, 1);
		});
		expect(text).toBe(
			'<text x="6" y="8" dominant-baseline="central" font-weight="600" font-size="12" font-family="&quot;A&quot;, sans-serif" fill="#000">&lt;b&gt; &amp; &quot;c&quot;</text>',
		);
		expect(rect).toContain('<rect x="0" y="0"');
	});
});
