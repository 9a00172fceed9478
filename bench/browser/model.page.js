// The page side of model.bench.ts; served, not bundled. Measures the live model of the
// page's viewer.

const viewer = document.querySelector("bev-viewer");
const { controller } = viewer;
const { store } = controller;

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

function scene() {
	return viewer.renderRoot.querySelector("bev-scene-view");
}

/** Calls `on` after each drawn image until the returned function is called. */
function onPainted(on) {
	const view = scene();
	const drawn = view.drawn.bind(view);
	view.drawn = () => {
		drawn();
		on();
	};
	return () => delete view.drawn;
}

/** Resolves when `is` holds in a drawn image. */
function painted(is) {
	return new Promise((resolve) => {
		const stop = onPainted(() => {
			if (!is()) return;
			stop();
			resolve();
		});
		scene().redraw?.();
	});
}

const live = () => store.state.live;

/** Whether the picture has the modes of a frame. */
const shows = (frame) => {
	const { shown } = store.state;
	return shown?.frame === frame && live()?.frame === frame && !live().busy;
};

/** Collects the page's tasks above 50 ms until the returned function is called. */
function longTasks() {
	const tasks = [];
	const observer = new PerformanceObserver((list) => {
		for (const { duration } of list.getEntries()) tasks.push(duration);
	});
	observer.observe({ entryTypes: ["longtask"] });
	return async () => {
		await nextFrame();
		await nextFrame();
		for (const { duration } of observer.takeRecords()) tasks.push(duration);
		observer.disconnect();
		return tasks;
	};
}

async function until(is) {
	while (!is()) await nextFrame();
}

function failed() {
	const problem = live()?.problem;
	if (problem) throw new Error(problem);
}

/** Opens the model; returns the milliseconds to the first modes. */
export async function open(address) {
	const begin = performance.now();
	await viewer.setModel(address);
	failed();
	const { frame } = store.state;
	await until(() => shows(frame));
	return performance.now() - begin;
}

async function seekTo(frame) {
	const drawn = painted(() => shows(frame));
	controller.seek(frame);
	await drawn;
	failed();
}

/** The positions of a frame's modes, without those of the ego vehicle. */
export async function modesOf(frame) {
	if (!shows(frame)) await seekTo(frame);
	const { lines } = store.state.review.drawn.find(({ model }) => model === -1);
	const { points, offsets } = lines.modes;
	return Array.from(offsets.slice(0, -1)).flatMap((from, i) => [
		...points.subarray(2 * (from + 1), 2 * offsets[i + 1]),
	]);
}

/** Seeks to frames that are not predicted yet. */
export async function seeking(count) {
	const ended = longTasks();
	const times = [];
	const parts = [];
	for (let k = 0; k < count; k += 1) {
		const frame = 70 + ((k * 37) % 178);
		const begin = performance.now();
		await seekTo(frame);
		times.push(performance.now() - begin);
		parts.push(live().times);
		await nextFrame();
	}
	return { times, parts, tasks: await ended() };
}

/** Moves an agent, if the viewer has patches: from the edit to the new modes. */
export async function editing(count) {
	if (!viewer.setPatch) return null;
	const frame = 100;
	await seekTo(frame);
	const { agents } = await viewer.data.frame(0, frame);
	const track = Number(agents.trackId?.[0] ?? agents.track_id?.[0]);
	const ended = longTasks();
	const times = [];
	const parts = [];
	for (let k = 1; k <= count; k += 1) {
		const edit = { op: "move", scene: 0, track, from: frame, by: [0.1 * k, 0] };
		const patch = { format: "bevscope-patch", version: 1, edits: [edit] };
		const { times: before } = live();
		const begin = performance.now();
		const drawn = painted(() => shows(frame) && live().times !== before);
		await viewer.setPatch(JSON.stringify(patch));
		await drawn;
		failed();
		times.push(performance.now() - begin);
		parts.push(live().times);
	}
	await viewer.setPatch(undefined);
	await until(() => shows(frame));
	return { times, parts, tasks: await ended() };
}

/** Plays; returns the number of frames that were predicted. */
export async function playing(seconds) {
	controller.seek(0);
	await until(() => shows(0));
	const before = live().kept;
	const ended = longTasks();
	controller.setSpeed(1);
	controller.play();
	await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
	controller.pause();
	const tasks = await ended();
	return { frames: live().kept - before, tasks };
}

/** Predicts frames one after the other, through all scenes; returns the long tasks. */
export async function scrubbing(begin, count) {
	const { length } = viewer.data.scenes;
	const ended = longTasks();
	for (let i = begin; i < begin + count; i += 1) {
		const number = Math.floor(i / 248) % length;
		if (store.state.scene !== number) {
			controller.setScene(number, 0);
			await until(() => store.state.sceneInfo && store.state.shown?.scene === number);
		}
		controller.seek(i % 248);
		await until(() => shows(i % 248));
		failed();
	}
	return ended();
}

/** Predicts the displayed scene in the background, and seeks meanwhile. */
export async function predicting(count) {
	controller.setScene(1, 0);
	await until(() => store.state.shown?.scene === 1);
	const form = await formOf();
	const ended = longTasks();
	const begin = performance.now();
	form.requestSubmit();
	await until(() => live().run?.isRunning);
	const seeks = [];
	for (let k = 0; k < count && live().run.isRunning; k += 1) {
		const frame = 247 - k;
		const started = performance.now();
		await seekTo(frame);
		seeks.push(performance.now() - started);
	}
	await until(() => !live().run.isRunning);
	failed();
	const seconds = (performance.now() - begin) / 1000;
	return { frames: live().run.of, seconds, seeks, tasks: await ended() };
}

/** The form that predicts scenes. */
async function formOf() {
	const find = (root, tag) => {
		for (const one of root.querySelectorAll("*")) {
			if (one.localName === tag) return one;
			const inside = one.shadowRoot && find(one.shadowRoot, tag);
			if (inside) return inside;
		}
		return undefined;
	};
	await until(() =>
		find(viewer.renderRoot, "bev-live")?.shadowRoot?.querySelector("form"),
	);
	return find(viewer.renderRoot, "bev-live").shadowRoot.querySelector("form");
}
