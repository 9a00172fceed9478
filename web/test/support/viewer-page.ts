import "../../src/elements/define.js";
import type { Viewer } from "../../src/elements/ui/viewer.js";
import { fakeDataset, fakeMap } from "./fake-dataset.js";

const viewer = document.querySelector<Viewer>("bev-viewer");
const asked = new URLSearchParams(location.search);
if (asked.has("map")) {
	await viewer?.show("circles.zarr", fakeDataset({ map: fakeMap() }));
} else if (asked.has("plain")) await viewer?.show("circles.zarr", fakeDataset());
