import { describe, expect, it } from "vitest";
import { dropPreview } from "../../../src/elements/open/drop-preview.js";

describe("drop-preview", () => {
	it("describes the effect before the drop", () => {
		expect(dropPreview(["text/csv"], true)).toBe("Add predictions");
		expect(dropPreview(["text/csv", "text/csv"], true)).toBe(
			"Compare predictions of 2 models",
		);
		expect(dropPreview(["application/zip"], true)).toBe("Open this zip");
		expect(dropPreview(["", "application/json"], true)).toBe("Use as the map");
		expect(dropPreview([""], false)).toBe("Open as a data set");
		expect(dropPreview(["image/png"], true)).toContain("Unsupported");
		expect(dropPreview(["application/yaml"], true)).toContain("config");
	});
});
