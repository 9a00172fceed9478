import "bevscope-viewer";
import { add } from "./page.js";

/** Buttons that move the viewer to a scene and frame. */
export async function run(main, url) {
	const places = [
		[0, 20],
		[0, 60],
		[1, 10],
	];
	const bar = add(main, "p");
	const viewer = add(main, "bev-viewer", { src: url });
	await viewer.settled;
	for (const [scene, frame] of places) {
		const text = `Scene ${scene}, frame ${frame}`;
		add(bar, "button", { text }).addEventListener("click", () => {
			viewer.goTo(scene, frame);
		});
	}
}
