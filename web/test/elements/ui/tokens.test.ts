import { describe, expect, it } from "vitest";
import { TOKENS } from "../../../src/elements/ui/tokens.js";

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(hex: string): number {
	const channels = [1, 3, 5].map(
		(at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
	);
	const linear = channels.map((c) =>
		c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
	);
	const [r = 0, g = 0, b = 0] = linear;
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
	const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (high + 0.05) / (low + 0.05);
}

const value = (name: string, theme: number) => TOKENS[name]?.[theme] ?? "#000000";

/** Linear RGB as seen with each kind of colour vision (Machado et al. 2009, severity 1). */
const VISIONS: Readonly<Record<string, readonly (readonly number[])[]>> = {
	normal: [
		[1, 0, 0],
		[0, 1, 0],
		[0, 0, 1],
	],
	protanopia: [
		[0.152286, 1.052583, -0.204868],
		[0.114503, 0.786281, 0.099216],
		[-0.003882, -0.048116, 1.051998],
	],
	deuteranopia: [
		[0.367322, 0.860646, -0.227968],
		[0.280085, 0.672501, 0.047413],
		[-0.01182, 0.04294, 0.968881],
	],
	tritanopia: [
		[1.255528, -0.076749, -0.178779],
		[-0.078411, 0.930809, 0.147602],
		[0.004733, 0.691367, 0.3039],
	],
};

function linearOf(hex: string): readonly number[] {
	return [1, 3, 5].map((at) => {
		const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
		return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
	});
}

/** CIE L*a*b* of linear RGB. */
function labOf(rgb: readonly number[]): readonly number[] {
	const [r = 0, g = 0, b = 0] = rgb.map((c) => Math.min(1, Math.max(0, c)));
	const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
	const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
	const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
	const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
	return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function seen(hex: string, vision: readonly (readonly number[])[]): readonly number[] {
	const rgb = linearOf(hex);
	return labOf(
		vision.map((row) => row.reduce((sum, w, i) => sum + w * (rgb[i] ?? 0), 0)),
	);
}

describe("tokens", () => {
	it("have model colours that differ with every kind of colour vision", () => {
		for (const theme of [0, 1]) {
			const names = ["predicted", "model-2", "model-3", "model-4"];
			for (const name of names) {
				const ratio = contrast(value(name, theme), value("ground", theme));
				expect(ratio, `${name}, theme ${theme}`).toBeGreaterThanOrEqual(3);
			}
			for (const [vision, matrix] of Object.entries(VISIONS)) {
				const labs = names.map((name) => seen(value(name, theme), matrix));
				for (const [i, one] of labs.entries()) {
					for (const other of labs.slice(0, i)) {
						const distance = Math.hypot(...one.map((c, k) => c - (other[k] ?? 0)));
						expect(distance, `${names[i]}, ${vision}, theme ${theme}`).toBeGreaterThan(
							20,
						);
					}
				}
			}
		}
	});

	it("have readable text on every surface, dark and light", () => {
		for (const theme of [0, 1]) {
			for (const ink of ["ink", "ink2", "ink3"]) {
				for (const surface of ["bg", "panel", "raise"]) {
					const ratio = contrast(value(ink, theme), value(surface, theme));
					expect(ratio, `${ink} on ${surface}, theme ${theme}`).toBeGreaterThanOrEqual(
						4.5,
					);
				}
			}
		}
	});

	it("have readable letters on lights and accent", () => {
		for (const theme of [0, 1]) {
			for (const light of ["red", "yellow", "green", "accent"]) {
				const ratio = contrast(value(`on-${light}`, theme), value(light, theme));
				expect(ratio, `on ${light}, theme ${theme}`).toBeGreaterThanOrEqual(4.5);
			}
		}
	});

	it("have data colours and edges with sufficient contrast", () => {
		for (const theme of [0, 1]) {
			for (const thing of [
				"ego",
				"vehicle",
				"cyclist",
				"pedestrian",
				"other",
				"edge",
			]) {
				const surface = thing === "edge" ? "panel" : "ground";
				const ratio = contrast(value(thing, theme), value(surface, theme));
				expect(ratio, `${thing}, theme ${theme}`).toBeGreaterThanOrEqual(3);
			}
		}
	});
});
