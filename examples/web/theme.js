import "bevscope-viewer";
import { add } from "./page.js";

/** Changes the viewer's theme, and the colour of its ground. */
export async function run(main, url) {
	const bar = add(main, "p");
	const viewer = add(main, "bev-viewer", { src: url });
	const button = (text, act) =>
		add(bar, "button", { text }).addEventListener("click", act);
	button("Dark", () => viewer.setAttribute("theme", "dark"));
	button("Light", () => viewer.setAttribute("theme", "light"));
	button("System", () => viewer.removeAttribute("theme"));
	button("Green ground", () => viewer.style.setProperty("--bev-ground", "#1b4d2e"));
	await viewer.settled;
}
