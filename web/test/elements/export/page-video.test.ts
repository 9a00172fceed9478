import { expect, it } from "vitest";
import { recordForPage } from "../../../src/elements/export/page-video.js";
import { ViewerController } from "../../../src/elements/session/controller.js";

it("a video needs a picture and a known format", async () => {
	const controller = new ViewerController({
		opener: () => Promise.reject(new Error("none")),
	});
	const rejected = (format?: "webm") =>
		expect(recordForPage(controller, null, { format })).rejects;
	await rejected().toThrow("or no picture (found webm, expected webm, mp4 or gif)");
	const picture = { size: { width: 4, height: 3 } } as never;
	const avi = "avi" as never;
	await expect(recordForPage(controller, picture, { format: avi })).rejects.toThrow(
		"record: unsupported format, or no picture (found avi, expected webm, mp4 or gif)",
	);
});
