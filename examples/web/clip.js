import "bevscope-viewer";
import { add } from "./page.js";

/** Records a second of the picture as a GIF, and shows it with a link to save it. */
export async function run(main, url) {
	const viewer = add(main, "bev-viewer", { src: url, state: "s=0&f=20&p=20-30" });
	const button = add(add(main, "p"), "button", { text: "Record frames 20 to 30" });
	const progress = add(main, "progress", { value: 0 });
	button.addEventListener("click", async () => {
		button.disabled = true;
		const clip = await viewer.record({
			format: "gif",
			size: { width: 320, height: 240 },
			onProgress: ({ done, of }) => {
				progress.value = done / of;
			},
		});
		const href = URL.createObjectURL(clip);
		const link = add(main, "a", { href, download: "clip.gif" });
		add(link, "img", { src: href, alt: "The recorded frames", width: 320 });
		button.disabled = false;
	});
	await viewer.settled;
}
