import { css, html, type ReactiveController, type TemplateResult } from "lit";
import { ViewerController } from "../session/controller.js";
import type { Opened, ViewerDataset } from "../session/dataset.js";
import type { ViewerState } from "../session/state.js";
import { frameAt } from "../timeline/clock.js";
import { icon } from "../ui/icons.js";
import { MAX_BESIDES } from "./layout-state.js";
import type { ViewerHost } from "./viewer-host.js";

export const scenePictureStyles = css`
.scene-label { position: absolute; z-index: 1; display: flex; align-items: center; gap: 2px; margin: 8px; padding-left: 8px; background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; }
.n2 > .scene-label, .n3 > .scene-label, .n4 > .scene-label { top: 0; right: auto; }
.n4 > .scene-label.p3 { top: 50%; bottom: auto; left: 0; }
.n4 > .scene-label.p4 { top: 50%; bottom: auto; }
.picture > .scene-label { border-left: 1px solid var(--_line); }
`;

/** Settings that all pictures share. */
const SHARED = [
	"layers",
	"threshold",
	"distance",
	"minHistory",
	"minFuture",
	"past",
	"future",
	"coords",
	"theme",
] as const;

/** Half of the smallest difference between two frames: tolerates rounded timestamps. */
const ROUNDING_S = 0.001;

/** Returns the `count` scenes after `scene`, which continue at the first one. */
export function nextScenes(scene: number, all: number, count: number): number[] {
	const bounded = Math.min(count, all - 1, MAX_BESIDES);
	return Array.from({ length: Math.max(0, bounded) }, (_, k) => (scene + 1 + k) % all);
}

/** Returns a data set that reads through `dataset`, and does not close it. */
function borrowed(dataset: ViewerDataset): ViewerDataset {
	return {
		...{ labels: dataset.labels, attrs: dataset.attrs, names: dataset.names },
		...{ scenes: dataset.scenes, frames: dataset.frames, agents: dataset.agents },
		get stats() {
			return dataset.stats;
		},
		frame: (scene, frame, options) => dataset.frame(scene, frame, options),
		timeline: (scene, options) => dataset.timeline(scene, options),
		onStats: () => () => {},
		forgetFailures: () => dataset.forgetFailures?.(),
		close: () => {},
	};
}

/** A picture of another scene, in step with the first one. */
class ScenePicture {
	readonly scene: number;
	readonly controller: ViewerController;
	readonly #main: ViewerController;
	readonly #stops: readonly (() => void)[];
	/** Whether one picture is being set as the other one. */
	#following = false;

	constructor(main: ViewerController, opened: Opened, scene: number) {
		this.scene = scene;
		this.#main = main;
		const own = { ...opened, dataset: borrowed(opened.dataset) };
		this.controller = new ViewerController({
			opener: async () => own,
			network: undefined,
		});
		const place = { kind: "given", name: `scene ${scene}`, opened: own } as const;
		this.#follow(main.state);
		void this.controller.open(place, { scene, frame: main.state.frame });
		this.#stops = [
			main.store.subscribe((state) => this.#asFollower(() => this.#follow(state))),
			this.controller.store.subscribe((state, before) =>
				this.#asFollower(() => this.#lead(state, before)),
			),
		];
	}

	dispose(): void {
		for (const stop of this.#stops) stop();
		this.controller.close();
	}

	#asFollower(act: () => void): void {
		if (this.#following) return;
		this.#following = true;
		try {
			act();
		} finally {
			this.#following = false;
		}
	}

	/** Takes over settings, camera and time of the first picture. */
	#follow(main: ViewerState): void {
		const { controller } = this;
		const { state } = controller;
		const changed = SHARED.filter((name) => state[name] !== main[name]);
		if (changed.length > 0)
			controller.adjust(Object.fromEntries(changed.map((name) => [name, main[name]])));
		this.#look(main);
		const { sceneInfo, frame, scene } = state;
		if (!sceneInfo || sceneInfo.index !== scene || !main.sceneInfo) return;
		const seconds = main.sceneInfo.seconds[main.frame] ?? 0;
		const wanted = frameAt(sceneInfo.seconds, seconds + ROUNDING_S);
		if (wanted !== frame) controller.seek(wanted, { announce: false });
	}

	/** Only the ego vehicle exists in every scene; places are those of each scene. */
	#look({ follow: wanted, camera }: ViewerState): void {
		const { state } = this.controller;
		const follow = wanted === "heading" ? "heading" : "position";
		const { span, rotation } = camera;
		const at = wanted === follow ? camera : { x: 0, y: 0, span, rotation };
		const { camera: own } = state;
		const isSame =
			own.x === at.x &&
			own.y === at.y &&
			own.span === span &&
			own.rotation === rotation;
		if (!isSame || state.follow !== follow) this.controller.setFollow(follow, at);
	}

	/** Moves the first picture's camera as this one's was moved; catches up with its time. */
	#lead(state: ViewerState, before: ViewerState): void {
		const { camera, follow } = state;
		const main = this.#main.state;
		if (camera !== before.camera) {
			if (follow === main.follow) this.#main.setFollow(follow, camera);
			else this.#main.setCamera({ ...main.camera, span: camera.span });
		}
		if (state.sceneInfo !== before.sceneInfo) this.#follow(main);
	}
}

/** The pictures of further scenes beside the first one. */
export class ScenePictures implements ReactiveController {
	readonly #host: ViewerHost;
	#pictures: readonly ScenePicture[] = [];
	#dataset: ViewerDataset | undefined;

	constructor(host: ViewerHost) {
		this.#host = host;
		host.addController(this);
	}

	hostConnected(): void {
		this.#host.requestUpdate();
	}

	hostDisconnected(): void {
		this.#keep([]);
	}

	/** Resolves when all pictures are drawn, or cannot be. */
	async settled(): Promise<void> {
		const all = this.#pictures.map(({ controller }) => controller.displayed);
		await Promise.allSettled(all);
	}

	/** Opens and closes pictures as the state says; `fit` is how many have a place. */
	update(fit: number): number {
		const { controller, state } = this.#host;
		const { dataset, sceneCount, phase, besides } = state;
		const opened = controller?.opened;
		if (dataset !== this.#dataset) this.#keep([]);
		this.#dataset = dataset;
		const scenes = besides.filter((one) => one < sceneCount).slice(0, MAX_BESIDES);
		const isShown = phase === "ready" && opened && scenes.length + 1 <= fit;
		this.#keep(isShown ? scenes : []);
		return this.#pictures.length;
	}

	/** Renders the pictures, each with its scene. */
	render(): readonly TemplateResult[] {
		const { painter, gestures } = this.#host;
		return this.#pictures.map(
			(
				{ scene, controller },
				i,
			) => html`<bev-scene-view class="p${i + 2}" bare .controller=${controller} .painter=${painter} .gestures=${gestures}></bev-scene-view>
			<div class="scene-label p${i + 2}" role="group" aria-label="Scene ${scene}">Scene ${scene}
				<button title="Open scene ${scene} in the first picture" @click=${() => this.#swap(scene, controller.state.frame)}>Open</button>
				<button class="icon-only" aria-label="Close the picture of scene ${scene}" title="Close" @click=${() => this.#close(scene)}>${icon("close")}</button></div>`,
		);
	}

	/** Opens a scene in the first picture; the one there takes its place. */
	#swap(scene: number, frame: number): void {
		const { controller, state } = this.#host;
		const { scene: open, besides: all } = state;
		const isBeside = all.includes(open);
		const others = isBeside ? all.filter((one) => one !== scene) : all;
		const besides = others.map((one) => (one === scene ? open : one));
		controller?.store.patch({ besides });
		controller?.setScene(scene, frame);
	}

	#close(scene: number): void {
		const { controller, state } = this.#host;
		const besides = state.besides.filter((one) => one !== scene);
		controller?.store.patch({ besides });
	}

	#keep(scenes: readonly number[]): void {
		const { controller } = this.#host;
		const opened = controller?.opened;
		const held = new Map(this.#pictures.map((one) => [one.scene, one]));
		if (scenes.length === held.size && scenes.every((scene) => held.has(scene))) return;
		for (const [scene, one] of held) if (!scenes.includes(scene)) one.dispose();
		this.#pictures = scenes.flatMap((scene) => {
			const kept = held.get(scene);
			if (kept) return [kept];
			return controller && opened ? [new ScenePicture(controller, opened, scene)] : [];
		});
	}
}
