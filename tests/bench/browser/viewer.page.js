// The page side of viewer.bench.ts; served, not bundled. Measures playing, moving and
// seeking in the page's viewer.
import { FRAMES, opened } from "/support/made-scene.js";

/** Reads a pixel of the canvas, so that drawing is finished and not only queued. */
function drawn(viewer) {
	const canvas = viewer.renderRoot.querySelector("bev-scene-view").canvas;
	return canvas.getContext("2d").getImageData(640, 300, 1, 1).data[3];
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Returns images drawn per second while `act` is called before each animation frame. */
async function rate(controller, seconds, act) {
	let count = 0;
	const painted = controller.painted.bind(controller);
	controller.painted = (picture, what) => {
		count += 1;
		painted(picture, what);
	};
	const begin = performance.now();
	while (performance.now() - begin < seconds * 1000) {
		act();
		await nextFrame();
	}
	delete controller.painted;
	return count / ((performance.now() - begin) / 1000);
}

/**
 * Plays, pans and seeks with `painter`; returns frames per second and the milliseconds
 * from each seek to its image.
 */
export async function measure(seconds, seeks, painter) {
	const viewer = document.querySelector("bev-viewer");
	const { controller } = viewer;
	viewer.painter = painter;
	await viewer.show("bench", opened());
	await viewer.settled;
	controller.setFollow("position", { ...controller.state.camera, span: 160 });
	while (controller.state.buffered[0]?.end !== FRAMES) await nextFrame();
	await viewer.settled;

	const by = viewer.renderRoot.querySelector("bev-scene-view").drawnBy;
	if (by !== painter) throw new Error(`drawn by ${by}, expected ${painter}`);
	controller.setSpeed(8);
	const play = () => {
		if (!controller.state.playing) controller.play();
	};
	const playing = await rate(controller, seconds, play);
	controller.setFollow("heading", { x: 0, y: 0, span: 160, rotation: 0 });
	const turning = await rate(controller, seconds, play);
	controller.pause();
	controller.setFollow("position", { x: 0, y: 0, span: 160, rotation: 0 });
	let dx = 0.2;
	const panning = await rate(controller, seconds, () => {
		const { camera } = controller.state;
		if (Math.abs(camera.x) > 40) dx = -dx;
		controller.setCamera({ ...camera, x: camera.x + dx });
	});

	const times = [];
	for (let k = 0; k < seeks; k += 1) {
		const begin = performance.now();
		controller.seek((k * 97) % FRAMES);
		await viewer.settled;
		if (drawn(viewer) !== 255) throw new Error("nothing is drawn");
		times.push(performance.now() - begin);
	}
	return { playing, turning, panning, times };
}
