import { describe, expect, it } from "vitest";
import { isHeavy, isSoftware } from "../../../src/elements/ui/painter-choice.js";
import type { FrameView } from "../../../src/frame-view.js";
import type { MapView } from "../../../src/map-view.js";

const map = (length: number) => ({ lanes: { length } }) as MapView;
const frame = (length: number) => ({ agents: { length } }) as FrameView;

describe("the choice of a painter", () => {
	it("is WebGL2's for many lanes or agents only", () => {
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
});
