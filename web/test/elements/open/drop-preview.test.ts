import { describe, expect, it } from "vitest";
import { dropPreview } from "../../../src/elements/open/drop-preview.js";

describe("drop-preview", () => {
	it("describes the effect before the drop", () => {
		expect(dropPreview(["text/csv"], true)).toBe("Add predictions");
		expect(dropPreview(["text/csv", "text/csv"], true)).toBe(
			"Compare predictions of 2 models",
		);
		expect(dropPreview(["application/zip"], true)).toBe("Open this zip");
		expect(dropPreview([""], false)).toBe("Open as a data set");
		expect(dropPreview(["image/png"], true)).toContain("Unsupported");
	});

	it("announces only what the types tell", () => {
		// Notes, a rollout, or a raster config.
		expect(dropPreview(["application/json"], true)).toBe("Use the .json file");
		expect(dropPreview(["application/yaml"], true)).toBe("Use the .yaml file");
		expect(dropPreview(["application/json", "application/json"], true)).toBe(
			"Use the 2 files",
		);
		expect(dropPreview(["application/json"], false)).toBe("Open the data first");
		// A folder, a .tfrecord, a .parquet or a .pb.
		expect(dropPreview([""], true)).toBe("Open or add this file or folder");
		expect(dropPreview(["", "application/json"], true)).toBe("Open or add these files");
	});
});
