import { describe, expect, it } from "vitest";
import { pageOf } from "../../../src/elements/gallery/gallery-page.js";

describe("gallery/gallery-page", () => {
	it("contains pictures, places, values and links, and no script", () => {
		const values = [
			{ name: "min ttc", text: "1.2 s", number: 1.2 },
			{ name: "cut in", text: "yes", number: 1 },
		];
		const page = pageOf({
			title: "tracks: cut_in",
			source: "https://host/town.zarr",
			legend: [
				{ name: "a<b>.csv", colour: "#ff5fa8" },
				{ name: "b.csv", colour: "#fe0", dash: [6, 3] },
				{ name: "recorded", colour: "red; } </style><script>" },
			],
			items: [
				{
					place: "scene 3 \u00b7 frame 4",
					values,
					tags: ["near <miss>"],
					image: "data:image/png;base64,AAAA",
					link: "https://host/#s=3&f=4",
				},
				{
					place: "scene 5 \u00b7 frame 0",
					values: [],
					tags: [],
					image: undefined,
					link: undefined,
				},
			],
		});
		expect(page).toContain("</span> a&lt;b&gt;.csv</span>");
		expect(page).toContain(".line-0 { background: #ff5fa8; }");
		expect(page).toContain(
			".line-1 { background: repeating-linear-gradient(90deg, #fe0 0px 6px, #161a20 6px 9px) content-box; }",
		);
		expect(page.match(/<\/?style>/g)).toEqual(["<style>", "</style>"]);
		expect(page).toContain("<title>tracks: cut_in</title>");
		expect(page).toContain('src="data:image/png;base64,AAAA"');
		// The picture opens the viewer, too.
		expect(page).toMatch(
			/<a href="https:\/\/host\/#s=3&amp;f=4"><img [^>]+><p>scene 3 \u00b7 frame 4<\/p><\/a>/,
		);
		expect(page).toContain('<span class="tag">near &lt;miss&gt;</span>');
		expect(page).toContain(">min ttc 1.2 s</span> \u00b7 <span");
		expect(page).toContain("not drawn");
		expect(page).toContain("2 pictures");
		expect(page).not.toContain("<script");
	});

	it("text of the data set is text", () => {
		const hostile = `"><img src=x onerror=alert(1)>'&`;
		const page = pageOf({
			title: hostile,
			source: hostile,
			items: [
				{
					place: hostile,
					values: [{ name: hostile, text: hostile, number: 0 }],
					tags: [hostile],
					image: hostile,
					link: hostile,
				},
			],
		});
		expect(page).not.toContain("<img src=x");
		expect(page).not.toMatch(/(src|href|alt)="[^"]*"[^ >]/);
	});
});
