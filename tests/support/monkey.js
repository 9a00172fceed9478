// A random tester for the viewer, run in a page: acts at random and checks, after each
// ready state, that everything on screen belongs to the frame it names. The truth is
// the same data set, read from a server without failures. Served, not bundled.

import { ListTruth } from "./monkey-truth.js";
import { random } from "./random.js";

const nextPicture = () => new Promise((done) => requestAnimationFrame(() => done()));

/** Returns the first matching element below `root`, including shadow trees. */
function find(root, selector) {
	const here = root.querySelector(selector);
	if (here) return here;
	for (const host of root.querySelectorAll("*")) {
		const found = host.shadowRoot && find(host.shadowRoot, selector);
		if (found) return found;
	}
	return undefined;
}

const textOf = (element) => element?.textContent.replace(/\s+/g, " ").trim();

/** Images within which panels follow; distributions of all scenes are computed first. */
const MAX_WAITS = 600;

export class Monkey {
	#viewer;
	#truth;
	#next;
	#frames;
	#lists;
	#views = new Map();
	#pictures = new Map();
	#report = {
		settled: 0,
		failed: 0,
		tables: 0,
		counts: 0,
		distributions: 0,
		lists: 0,
		pictures: 0,
		samePictures: 0,
		wrong: [],
	};

	/** @param frames number of frames visited per scene */
	static async make(lib, viewer, { truth, seed, frames }) {
		const dataset = await lib.ChunkedDataset.open(truth);
		const monkey = new Monkey(viewer, dataset, seed, frames);
		monkey.#lists = await ListTruth.make(dataset, frames);
		viewer.predictions = monkey.#lists.models;
		return monkey;
	}

	constructor(viewer, truth, seed, frames) {
		this.#viewer = viewer;
		this.#truth = truth;
		this.#next = random(seed);
		this.#frames = frames;
	}

	/** Acts `steps` times; checks whenever the viewer was allowed to become ready. */
	async run(steps) {
		for (let step = 0; step < steps; step += 1) {
			const name = this.#act();
			if (this.#next() < 0.3) continue; // the next act comes before the viewer is ready
			await this.#check(`step ${step}, ${name}`);
			if (this.#report.wrong.length > 5) break;
		}
		await this.#check("the end");
		return this.#report;
	}

	#below(limit) {
		return Math.floor(this.#next() * limit);
	}

	#pick(all) {
		return all[this.#below(all.length)];
	}

	/** Performs one random user action. Returns its name. */
	#act() {
		const { controller } = this.#viewer;
		const { state } = controller;
		const frame = this.#below(this.#frames);
		const acts = {
			seek: () => controller.seek(frame),
			"seek and seek": () =>
				[this.#below(this.#frames), frame].map((f) => controller.seek(f)),
			step: () => controller.step(this.#pick([-10, -1, 1, 10])),
			scene: () => controller.setScene(this.#below(state.sceneCount), frame),
			"scene and back": () => {
				const { scene } = state;
				controller.setScene(this.#below(state.sceneCount), frame);
				controller.setScene(scene, frame);
			},
			play: () => controller.togglePlay(),
			layer: () =>
				controller.toggleLayer(this.#pick(["vehicle", "cyclist", "trail", "future"])),
			threshold: () => controller.setThreshold(this.#pick([0.3, 0.5, 0.8])),
			distance: () =>
				controller.setDistance(this.#pick([30, 60, Number.POSITIVE_INFINITY])),
			select: () => {
				const tracks = state.shown?.agents.track_id ?? [];
				controller.select(this.#pick(["ego", undefined, ...tracks]));
			},
			link: () => this.#viewer.restore(`s=${state.scene}&f=${frame}`),
			again: () => controller.retryUnread(),
			key: () =>
				this.#press(
					this.#pick(["ArrowRight", "ArrowLeft", "Home", " ", "Escape", "n", "v"]),
				),
			undo: () => this.#press("z", { ctrlKey: true }),
			redo: () => this.#press("Z", { ctrlKey: true, shiftKey: true }),
			"other selection": () => this.#press(this.#pick(["<", ">"])),
			tab: () => this.#viewer.layout.show(this.#pick(this.#viewer.layout.tabs)),
			arrangement: () =>
				this.#viewer.restore(
					`s=${state.scene}&f=${frame}&${this.#pick([
						"tb=agents,selected",
						"tb=selected,plots&hd=layers",
						"tb=agents&hd=plots",
						"tb=distributions,agents&ds=tracks",
					])}`,
				),
			rows: () =>
				this.#viewer.restore(
					`s=${state.scene}&f=${frame}&tr=${this.#pick([
						"speed",
						"speed,jerk@1",
						"acceleration@ego,speed,distance_to_ego@2",
					])}`,
				),
			"brush of agents": () =>
				this.#viewer.restore(
					`s=${state.scene}&f=${frame}&tb=distributions,agents&ds=tracks;on=max_speed${this.#pick(
						["", ";b.max_speed=2~", ";b.max_speed=0.5~4", ";b.max_speed=~1"],
					)}`,
				),
			"brush of predictions": () =>
				this.#viewer.restore(
					`s=${state.scene}&f=${frame}&tb=predictions,distributions&ds=predictions${this.#pick(
						["", ";b.ade=1~", ";b.ade=0.5~2", ";b.ade=3.5~"],
					)}`,
				),
			list: () =>
				controller.reviews.list(
					this.#pick([
						...["agents", "tracks", "frames", "all", "all-tracks"],
						...["worse", "worse-tracks", "worse-frames", "worse-all"],
						...["worse-all-tracks", "worse-all-frames"],
					]),
				),
			"ranked prediction": () => this.#press(this.#pick(["j", "k"])),
			"scenes beside": () =>
				this.#viewer.restore(
					`s=${state.scene}&f=${frame}&sb=${(state.scene + 1) % state.sceneCount}`,
				),
		};
		const name = this.#pick(Object.keys(acts));
		acts[name]();
		return name;
	}

	#press(key, modifiers = {}) {
		const options = { key, bubbles: true, composed: true, ...modifiers };
		this.#viewer.dispatchEvent(new KeyboardEvent("keydown", options));
	}

	async #check(when) {
		const { controller } = this.#viewer;
		controller.pause();
		const failure = await this.#viewer.settled.then(
			() => undefined,
			(error) => error,
		);
		const { state } = controller;
		const expected = failure ? undefined : await this.#view(state);
		await nextPicture(); // recent switches apply to the next image
		await nextPicture();
		const wrongs = () => (failure ? this.#leftOver() : this.#differences(expected));
		// Panels follow within a few images.
		let found = wrongs();
		for (let wait = 0; found.length > 0 && wait < MAX_WAITS; wait += 1) {
			await nextPicture();
			found = wrongs();
		}
		if (controller.state !== state && found.length > 0) return; // a new action has begun
		this.#report[failure ? "failed" : "settled"] += 1;
		const place = `scene ${state.scene}, frame ${state.frame}`;
		this.#report.wrong.push(...found.map((one) => `${when}: ${place}: ${one}`));
		if (!failure) await this.#comparePicture(`${when}: ${place}`);
	}

	/** Returns the truth: the same frame, read with the same threshold. */
	async #view({ scene, frame, threshold }) {
		const key = `${scene} ${frame} ${threshold}`;
		let view = this.#views.get(key);
		if (!view) {
			view = await this.#truth.frame(scene, frame, { threshold });
			this.#views.set(key, view);
		}
		return view;
	}

	/** Returns stale content on screen after a failed read. */
	#leftOver() {
		const { state } = this.#viewer.controller;
		const { shown, scene, frame } = state;
		const found = [];
		if (shown && (shown.scene !== scene || shown.frame !== frame)) {
			found.push(
				`shows scene ${shown.scene}, frame ${shown.frame} after a failed read`,
			);
		}
		const rows = this.#rows();
		if (!shown && rows.length > 0)
			found.push(`${rows.length} agents after a failed read`);
		return found;
	}

	#rows() {
		const table = find(this.#viewer.shadowRoot, "bev-agent-table");
		return [...(table?.shadowRoot.querySelectorAll("tbody tr") ?? [])];
	}

	#differences(expected) {
		const { state } = this.#viewer.controller;
		const { shown, distance } = state;
		const found = [];
		const same = (what, got, want) => {
			if (got !== want) found.push(`${what}: found ${got}, expected ${want}`);
		};
		same("scene on show", shown?.scene, expected.scene);
		same("frame on show", shown?.frame, expected.frame);
		same("time", shown?.timestamp, expected.timestamp);
		same("ego east", shown?.ego.translation[0], expected.ego.translation[0]);
		const slider = find(this.#viewer.shadowRoot, 'bev-timeline input[type="range"]');
		if (slider) same("slider", Number(slider.value), expected.frame);
		const { agents } = expected;
		const kept = [...agents.track_id.keys()].filter(
			(i) => agents.kept[i] === 1 && agents.distance[i] <= distance,
		);
		const rows = this.#rows();
		if (find(this.#viewer.shadowRoot, "bev-agent-table")?.checkVisibility()) {
			this.#report.tables += 1;
			const want = kept.map(
				(i) => `${agents.track_id[i]} ${agents.distance[i].toFixed(1)}`,
			);
			const got = rows.map((row) => {
				const cells = [...row.querySelectorAll("td, [role=gridcell]")].map(textOf);
				return `${cells[1]} ${cells[3]}`;
			});
			same("agent table", got.sort().join(", "), want.sort().join(", "));
		}
		const layers = find(this.#viewer.shadowRoot, "bev-layers");
		if (layers?.checkVisibility()) {
			this.#report.counts += 1;
			const [counts] = textOf(layers.shadowRoot).match(/\d+ of \d+/) ?? [];
			same("counts", counts, `${kept.length} of ${agents.track_id.length}`);
		}
		const lights = find(this.#viewer.shadowRoot, "bev-light-list");
		if (lights?.checkVisibility()) {
			const ids = [...lights.shadowRoot.querySelectorAll(".id")].map(textOf);
			const known = new Set([
				...expected.lights.traffic_light_id,
				...expected.lights.face_id,
			]);
			same(
				"lights not of this frame",
				ids.filter((id) => !known.has(id)).join(", "),
				"",
			);
			same("lights", ids.length > 0, expected.lights.length > 0);
		}
		this.#checkDistribution(same);
		this.#checkList(same);
		return found;
	}

	/** Compares the counts and the largest values of distributions, unless scenes are left out. */
	#checkDistribution(same) {
		const panel = find(this.#viewer.shadowRoot, "bev-distributions");
		if (!panel?.checkVisibility()) return;
		if (!panel.shadowRoot) return same("distributions are loaded", false, true);
		const { distributions } = this.#viewer.controller.state;
		const want = this.#lists.distribution(distributions);
		const text = textOf(panel.shadowRoot.querySelector(".count"));
		if (
			!want ||
			panel.shadowRoot.querySelector("[role=alert]") ||
			/left out/.test(text)
		)
			return;
		this.#report.distributions += 1;
		same("rows of the distribution", text, `${want.text}4 of 4 scenes`);
		const cells = [
			...panel.shadowRoot.querySelectorAll(
				'table[aria-label^="Largest by"] tbody tr, [role=table][aria-label^="Largest by"] tbody tr',
			),
		].map((row) => textOf(row.querySelector(":scope > :last-child")));
		const values = cells.map((cell) => Number.parseFloat(cell.replace("\u2212", "-")));
		const isNear = (value, i) => Math.abs(value - want.values[i]) < 0.051;
		same("length of its list", values.length, want.values.length);
		same(
			`values of its list, ${distributions}`,
			values.every(isNear) || values.join(" "),
			true,
		);
	}

	/** Compares the listed predictions with those that were made, and their errors. */
	#checkList(same) {
		const panel = find(this.#viewer.shadowRoot, "bev-review");
		const { scene, review, distributions } = this.#viewer.controller.state;
		const { list, report, comparison, ranking, models, active } = review;
		const isReady = list.includes("all")
			? ranking?.running === false && ranking.leftOut.length === 0
			: report && (comparison || !list.startsWith("worse"));
		if (!panel?.checkVisibility() || !isReady) return;
		if (!panel.shadowRoot) return same("the list is loaded", false, true);
		this.#report.lists += 1;
		const model = models.findIndex(({ id }) => id === active);
		const want = this.#lists.list({ scene, list, distributions, model });
		const table = panel.shadowRoot.querySelector(".scroll > table");
		const rows = [...(table?.querySelectorAll("tbody tr") ?? [])].map((row) =>
			[...row.children].map(textOf),
		);
		same(`length of the list ${list}`, rows.length, want.order.length);
		const points = find(panel.shadowRoot, ".plot[aria-label*=' over A, ']");
		const said = points?.getAttribute("aria-label").match(/([\d,]+) points?/)?.[1];
		if (list.startsWith("worse"))
			same(`points of ${list}`, Number(said?.replace(",", "") ?? 0), want.values.size);
		const isNear = (text, value) =>
			Math.abs(Number(text?.replace("\u2212", "-")) - value) < 0.0051;
		rows.forEach((cells, i) => {
			const values = want.values.get(cells.slice(0, want.cells).join(" "));
			const got = cells.slice(want.cells, want.cells + (values?.length ?? 1));
			same(
				`row ${i} of the list ${list}, ${cells.join(" ")}`,
				values?.every((value, k) => isNear(got[k], value)) || values?.join(" "),
				true,
			);
			same(`order of row ${i} of ${list}`, isNear(got.at(-1), want.order[i]), true);
		});
	}

	/** Two images of the same state must be equal, once nothing changes any more. */
	async #comparePicture(when) {
		if (!(await this.#hasNoBrush())) return;
		let [named, hash] = [this.#pictureName(), this.#hash()];
		for (let same = 0, wait = 0; same < 2 && wait < 60; wait += 1) {
			for (let k = 0; k < 3; k += 1) await nextPicture();
			const now = [this.#pictureName(), this.#hash()];
			same = now[0] === named && now[1] === hash ? same + 1 : 0;
			[named, hash] = now;
		}
		if (named === undefined) return;
		this.#report.pictures += 1;
		const before = this.#pictures.get(named);
		if (before === undefined) this.#pictures.set(named, hash);
		else if (before === hash) this.#report.samePictures += 1;
		else this.#report.wrong.push(`${when}: another picture of the same state`);
	}

	/** Returns whether no brush filters the picture, which follows a removed one. */
	async #hasNoBrush() {
		const filters = ({ review, pageLayers }) =>
			review.kept ||
			review.linesDue ||
			pageLayers.some(({ name }) => /dimmed/.test(name));
		for (let wait = 0; wait < MAX_WAITS; wait += 1) {
			const { state } = this.#viewer.controller;
			if (/;b\./.test(state.distributions)) return false;
			if (!filters(state)) return true;
			await nextPicture();
		}
		this.#report.wrong.push("a removed brush filters the picture");
		return false;
	}

	/** Returns what a picture depends on; undefined for pictures that are not compared. */
	#pictureName() {
		const { state } = this.#viewer.controller;
		const canvas = this.#canvas;
		if (!canvas || state.hover !== undefined) return undefined;
		const { scene, frame, threshold, distance, selection, follow, camera, layers } =
			state;
		const about = state.focus && `${state.focus.scene} ${state.focus.of}`;
		const key = [scene, frame, threshold, distance, selection, follow, [...layers]];
		return `${key.join(" ")} ${about} ${JSON.stringify(camera)} ${canvas.width}x${canvas.height}`;
	}

	get #canvas() {
		return find(this.#viewer.shadowRoot, "bev-scene-view")?.canvas;
	}

	#hash() {
		const canvas = this.#canvas;
		if (!canvas) return 0;
		const { width, height } = canvas;
		const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
		let hash = 0x811c9dc5;
		for (const word of new Uint32Array(data.buffer))
			hash = Math.imul(hash ^ word, 0x01000193);
		return hash >>> 0;
	}
}
