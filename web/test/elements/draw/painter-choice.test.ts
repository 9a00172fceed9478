import { describe, expect, it, vi } from "vitest";
import type { FrameView } from "../../../src/dataset/frame-view.js";
import type { MapView } from "../../../src/dataset/map-view.js";
import { GlPainter } from "../../../src/elements/draw/gl/gl-painter.js";
import {
	isHeavy,
	isSoftware,
	PainterChoice,
} from "../../../src/elements/draw/painter-choice.js";
import type { Picture } from "../../../src/elements/draw/picture.js";

const map = (length: number) => ({ lanes: { length } }) as MapView;
const frame = (length: number) => ({ agents: { length } }) as FrameView;

describe("the choice of a painter", () => {
	it("is WebGL2 only for many lanes or agents", () => {
		expect(isHeavy({ map: map(300), frame: frame(100) })).toBe(false);
		expect(isHeavy({ map: map(8505), frame: frame(100) })).toBe(true);
		expect(isHeavy({ map: undefined, frame: frame(500) })).toBe(true);
		expect(isHeavy({ map: undefined, frame: undefined })).toBe(false);
	});

	it.each([
		["ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader)", true],
		["ANGLE (Mesa, llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5)", true],
		["ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11)", true],
		["", true],
		["ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11)", false],
		["Apple GPU", false],
		["ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)", false],
	])("takes %s for a processor: %s", (renderer, software) => {
		expect(isSoftware(renderer)).toBe(software);
	});

	it("releases a painter that loads after cancellation, and keeps the next", async () => {
		const made: { renderer: string; release: ReturnType<typeof vi.fn> }[] = [];
		vi.spyOn(GlPainter, "make").mockImplementation(() => {
			const painter = { renderer: "GPU", release: vi.fn() };
			made.push(painter);
			return painter as unknown as GlPainter;
		});
		const changed = vi.fn();
		const choice = new PainterChoice(changed);
		const picture = { map: undefined, frame: frame(500) } as unknown as Picture;
		choice.glFor(picture);
		choice.release();
		choice.glFor(picture);
		expect(choice.pending).toBe(true);
		await vi.waitFor(() => expect(made).toHaveLength(2));
		await vi.waitFor(() => expect(choice.pending).toBe(false));
		const kept = choice.glFor(picture);
		expect(made.filter((painter) => painter.release.mock.calls.length === 0)).toEqual([
			kept,
		]);
		expect(changed).toHaveBeenCalledOnce();
	});
});
