import { expect, it, vi } from "vitest";
import { ViewerPicture } from "../../../src/elements/viewer/viewer-picture.js";
import { fakeViewer } from "../../support/fake-viewer.js";

const box = (left: number, top: number) => ({
	getBoundingClientRect: () => ({ left, top }),
});

/** A picture of 200 x 100 pixels, 50 m high, 30 pixels below the viewer's corner. */
async function shown() {
	const view = {
		...{ x: 10, y: 20, rotation: 0, pixelsPerMetre: 2, width: 200, height: 100 },
	};
	const scene = { ...box(5, 35), view, follow: vi.fn() };
	const renderRoot = { querySelector: () => scene };
	const { host, controller } = fakeViewer({ ...box(5, 5), renderRoot });
	await controller.open({ kind: "address", address: "https://host/x.zarr" }, {});
	await controller.displayed;
	return { picture: new ViewerPicture(host), scene, controller };
}

it("a point is projected into the viewer, and back", async () => {
	const { picture } = await shown();
	const at = picture.project(10, 20);
	expect(at).toEqual({ x: 100, y: 80 });
	const back = picture.unproject(100, 80);
	expect(back?.x).toBeCloseTo(10);
	expect(back?.y).toBeCloseTo(20);
});

it("what the camera follows keeps the visible area of a displayed frame", async () => {
	const { picture, scene, controller } = await shown();
	picture.look({ follow: "free", coords: "ego", selection: "ego" });
	expect(scene.follow).toHaveBeenCalledWith("free");
	expect(controller.state).toMatchObject({ coords: "ego", selection: "ego" });
});

it("nothing is projected or encoded without a picture", async () => {
	const { host, controller } = fakeViewer();
	const picture = new ViewerPicture(host);
	expect(picture.project(1, 2)).toBeUndefined();
	expect(picture.unproject(1, 2)).toBeUndefined();
	expect(await picture.toBlob("image/png")).toBeNull();
	picture.look({ follow: "free" });
	expect(controller.state.follow).toBe("free");
});
