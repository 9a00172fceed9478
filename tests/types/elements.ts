// Compiled against the elements by several versions of TypeScript; never run.

import { define } from "bevscope/define";
import type {
	Camera,
	Follow,
	Layer,
	ModelFrom,
	Problem,
	Theme,
	Viewer,
} from "bevscope/element";

define();

export function steer(viewer: Viewer): void {
	viewer.addEventListener("frame-change", ({ detail }) => {
		const position: readonly [number, number] = [detail.scene, detail.frame];
		use(position);
	});
	viewer.addEventListener("load-error", ({ detail }) => {
		const problem: Problem = detail;
		use(problem.error.code, problem.error.url, problem.error.key, problem.error.status);
	});
	viewer.addEventListener("click", (event) => use(event.clientX));
	const remove: () => void = viewer.addLayer({
		name: "mine",
		draw: (context, view, frame) =>
			use(context.canvas, view.project(1, 2).x, frame?.ego.yaw),
	});
	const types: readonly [Camera, Follow, Layer, Theme] = [
		viewer.camera,
		"heading",
		"lanes",
		"auto",
	];
	use(remove, types, viewer.project(0, 0)?.x, viewer.goTo(1, 2));
	const ahead: ModelFrom = ({ yaw }) => {
		const count = yaw?.dims[0] ?? 0;
		return { positions: { data: new Float64Array(2 * count), dims: [count, 1, 2] } };
	};
	use(viewer.setModel(ahead, { name: "mine", image: "u8" }));
	// @ts-expect-error: no such form
	use(viewer.setModel(ahead, { image: "rgba" }));
	const found = document.querySelector("bev-viewer");
	use(found?.scene);
	// Other elements do not have the viewer's events.
	document.body.addEventListener("frame-change", (event: Event) => use(event));
	// @ts-expect-error: no detail on an event of another element
	document.body.addEventListener("frame-change", (event) => use(event.detail));
}

declare function use(...values: unknown[]): void;
