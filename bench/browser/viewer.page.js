// The page side of viewer.bench.ts; served, not bundled. Measures playing, moving, seeking
// and input in the page's viewer.
import { FRAMES, opened, predictions } from "/support/made-scene.js";

const viewer = document.querySelector("bev-viewer");
const { controller } = viewer;

// Animation frames are a 60th of a second apart, however long they take: a busy machine
// plays slower instead of leaving out frames of data.
const { requestAnimationFrame: request } = window;
const clock = { real: 0, now: 0 };
window.requestAnimationFrame = (callback) =>
	request((real) => {
		if (real !== clock.real) clock.now += 1000 / 60;
		clock.real = real;
		callback(clock.now);
	});
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

function scene() {
	return viewer.renderRoot.querySelector("bev-scene-view");
}

/** Reads a pixel of the canvas, so that drawing is finished and not only queued. */
function drawn() {
	return scene().canvas.getContext("2d").getImageData(640, 300, 1, 1).data[3];
}

/** Calls `on` for each drawn image, also those of lines being redrawn, until the returned function is called. */
function onPainted(on) {
	const view = scene();
	const drawn = view.drawn.bind(view);
	view.drawn = () => {
		drawn();
		on();
	};
	return () => delete view.drawn;
}

/** Counts images while `act` is called before each animation frame. */
async function counted(seconds, act) {
	let pictures = 0;
	const stop = onPainted(() => {
		pictures += 1;
	});
	const begin = performance.now();
	while (performance.now() - begin < seconds * 1000) {
		act();
		await nextFrame();
	}
	stop();
	return { pictures, seconds: (performance.now() - begin) / 1000 };
}

function play() {
	if (!controller.state.playing) controller.play();
}

/** Opens the scene with `models` sets of predictions, drawn by `painter`. */
export async function prepare(painter, models) {
	viewer.painter = painter;
	await viewer.show("bench", opened());
	if (models > 0)
		viewer.predictions = Array.from({ length: models }, (_, i) => ({
			name: `model ${i + 1}`,
			from: predictions(0.5 * (i + 1)),
		}));
	await viewer.settled;
	controller.setFollow("position", { ...controller.state.camera, span: 160 });
	while (controller.state.buffered[0]?.end !== FRAMES) await nextFrame();
	while (controller.state.review.drawn.length !== models) await nextFrame();
	await viewer.settled;
	const by = scene().drawnBy;
	if (by !== painter) throw new Error(`drawn by ${by}, expected ${painter}`);
}

export function playing(seconds) {
	controller.setSpeed(8);
	return counted(seconds, play);
}

export async function turning(seconds) {
	controller.setFollow("heading", { x: 0, y: 0, span: 160, rotation: 0 });
	const result = await counted(seconds, play);
	controller.pause();
	return result;
}

/** Plays in a picture tilted by 45 degrees that follows `follow`. */
async function playingTilted(seconds, follow) {
	const flat = { x: 0, y: 0, span: 160, rotation: 0 };
	controller.setFollow(follow, { ...flat, tilt: Math.PI / 4 });
	await viewer.settled;
	const result = await counted(seconds, play);
	controller.pause();
	return result;
}

export function tilted(seconds) {
	return playingTilted(seconds, "position");
}

export function tiltedTurning(seconds) {
	return playingTilted(seconds, "heading");
}

export function panning(seconds) {
	controller.setFollow("position", { x: 0, y: 0, span: 160, rotation: 0 });
	let dx = 0.2;
	return counted(seconds, () => {
		const { camera } = controller.state;
		if (Math.abs(camera.x) > 40) dx = -dx;
		controller.setCamera({ ...camera, x: camera.x + dx });
	});
}

/** Returns the milliseconds from each of `count` seeks to its image. */
export async function seeking(count) {
	const times = [];
	for (let k = 0; k < count; k += 1) {
		const begin = performance.now();
		controller.seek((k * 97) % FRAMES);
		await viewer.settled;
		if (drawn() !== 255) throw new Error("nothing is drawn");
		times.push(performance.now() - begin);
	}
	return times;
}

/** Returns the milliseconds from each of `count` wheel and key events to the next image. */
export async function input(count) {
	const { canvas } = scene();
	const box = canvas.getBoundingClientRect();
	const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
	const times = [];
	for (let k = 0; k < count; k += 1) {
		const deltaY = k % 4 < 2 ? 60 : -60;
		const all = { bubbles: true, cancelable: true, composed: true };
		const event =
			k % 2 === 0
				? new WheelEvent("wheel", { ...at, ...all, deltaY })
				: new KeyboardEvent("keydown", { key: "ArrowRight", ...all });
		await nextFrame();
		const begin = performance.now();
		const painted = new Promise((resolve) => {
			const stop = onPainted(() => {
				stop();
				resolve(performance.now());
			});
		});
		(k % 2 === 0 ? canvas : scene()).dispatchEvent(event);
		times.push((await painted) - begin);
	}
	return times;
}

/** Reads files of predictions; returns the seconds, and the longest tasks of the page. */
export async function reading(addresses) {
	const files = await Promise.all(
		addresses.map(async (address) => {
			const blob = await (await fetch(address)).blob();
			return new File([blob], address.split("/").at(-1), { type: "text/csv" });
		}),
	);
	const tasks = [];
	const observer = new PerformanceObserver((list) =>
		tasks.push(...list.getEntries().map(({ duration }) => duration)),
	);
	observer.observe({ type: "longtask" });
	const begin = performance.now();
	for (const file of files) viewer.addPredictions(file.name, file);
	const ready = () =>
		controller.state.review.models.length === files.length &&
		controller.state.review.models.every(({ phase }) => phase === "ready");
	while (!ready()) await nextFrame();
	const seconds = (performance.now() - begin) / 1000;
	await viewer.settled;
	observer.disconnect();
	return { seconds, tasks };
}
