import "bevscope-viewer";
import { add } from "./page.js";

/** Shows the viewer's selection and frame below it. */
export async function run(main, url) {
	const viewer = add(main, "bev-viewer", { src: url });
	const frame = add(main, "output");
	const selection = add(add(main, "p"), "output", { text: "Nothing is selected" });
	viewer.addEventListener("frame-change", ({ detail }) => {
		frame.textContent = `Scene ${detail.scene}, frame ${detail.frame}`;
	});
	viewer.addEventListener("selection-change", ({ detail }) => {
		selection.textContent =
			detail.selection === undefined
				? "Nothing is selected"
				: `Selected: ${detail.selection}`;
	});
	await viewer.settled;
}
