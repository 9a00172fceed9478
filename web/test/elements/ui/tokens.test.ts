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

describe("tokens", () => {
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
