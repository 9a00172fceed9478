import { BevError, messageOf } from "../../base/errors.js";
import { Latest } from "../../base/latest.js";
import type { ViewerDataset } from "../session/dataset.js";
import { withFault } from "../session/outcomes.js";
import type { ViewerState } from "../session/state.js";
import { type Store, until } from "../session/store.js";
import {
	type CameraChoice,
	formatCameras,
	isOn,
	parseCameras,
	withCamera,
} from "./camera-choice.js";
import { decodeImage } from "./decode-image.js";
import { frameRows, NO_ROW } from "./frame-rows.js";
import { pointWords } from "./point-words.js";
import { type PlacedPoints, PointsLayer, WORLD } from "./points-layer.js";
import { readRow } from "./read-row.js";
import { type FrameRow, RowLoader } from "./row-loader.js";
import {
	fieldsOf,
	readTables,
	type SensorField,
	type SensorSettings,
	type SensorTable,
	settingsIn,
} from "./sensor-tables.js";
import type {
	CameraView,
	DecodedImage,
	RowPoints,
	SensorsView,
	Shown,
} from "./sensors-view.js";

/** Widths in pixels to which images are scaled down, small and enlarged. */
const SMALL = 640;
const LARGE = 2048;

/** Memory of a camera's small and enlarged images, and of a field's points. */
const SMALL_BYTES = 16 * 2 ** 20;
const LARGE_BYTES = 96 * 2 ** 20;
const POINT_BYTES = 48 * 2 ** 20;

/** Frames that are read ahead while playing. */
const AHEAD = 4;

/** Cameras and point fields that are shown. */
const MAX_CAMERAS = 24;
const MAX_POINT_FIELDS = 8;

interface Camera {
	readonly of: SensorField;
	readonly small: RowLoader<DecodedImage>;
	readonly large: RowLoader<DecodedImage>;
}

interface Points {
	readonly of: SensorField;
	readonly loader: RowLoader<RowPoints>;
}

/** Rows of a table by frame of the scene; a text says why there are none. */
type Rows = Int32Array | string;

/**
 * Shows images and points of the requested frame: reads them as the state asks, and puts
 * what was read into the state.
 */
export class Sensors {
	readonly #store: Store<ViewerState>;
	/** The data set with the tables. */
	readonly #from: ViewerDataset;
	readonly #frames: ViewerDataset;
	readonly #settings: SensorSettings;
	readonly #cameras: Camera[] = [];
	readonly #points: Points[] = [];
	readonly #layer = new PointsLayer();
	readonly #joining = new Latest();
	readonly #opening = new Latest();
	#rows = new Map<SensorTable, Rows>();
	#scene: ViewerState["sceneInfo"];
	#visible = false;
	#isUpdating = false;
	#unsubscribe = (): void => {};

	constructor(store: Store<ViewerState>, frames: ViewerDataset, from: ViewerDataset) {
		this.#store = store;
		this.#frames = frames;
		this.#from = from;
		this.#settings = settingsIn(from.attrs ?? {});
	}

	/** Whether the strip is visible; images are not read before. */
	set visible(visible: boolean) {
		if (visible === this.#visible) return;
		this.#visible = visible;
		this.#update();
	}

	/** Opens or closes the strip. */
	toggle(): void {
		const choice = this.#choice;
		this.#choose({ ...choice, open: !choice.open });
	}

	/** Shows or hides a camera. */
	toggleCamera(name: string): void {
		const all = this.#cameras.map(({ of }) => of.name);
		this.#choose(withCamera(this.#choice, name, all));
	}

	/** Enlarges a camera, or none. */
	enlarge(large: string | undefined): void {
		this.#choose({ ...this.#choice, large });
	}

	/** Reads what failed again. */
	retry(): void {
		this.#from.forgetFailures?.();
		const hasNoRows = [...this.#rows.values()].some((rows) => typeof rows === "string");
		if (hasNoRows) this.#join(this.#scene);
		for (const loader of this.#loaders) loader.retry();
	}

	/** Finds the fields, and shows them from then on. Resolves when they are known. */
	async open(): Promise<void> {
		const read = (signal: AbortSignal) => readTables(this.#from, signal);
		await this.#opening.run(read, {
			done: (tables) => this.#opened(fieldsOf(tables, this.#settings)),
			failed: (error) => this.#notify("Cameras", messageOf(error)),
		});
	}

	dispose(): void {
		this.#opening.cancel();
		this.#joining.cancel();
		this.#unsubscribe();
		for (const loader of this.#loaders) loader.clear();
		const { pageLayers } = this.#store.state;
		const others = pageLayers.filter((layer) => layer !== this.#layer);
		this.#store.patch({ sensed: undefined, pageLayers: others });
	}

	get #choice(): CameraChoice {
		return parseCameras(this.#store.state.cameras);
	}

	get #loaders(): readonly Pick<RowLoader<unknown>, "retry" | "clear">[] {
		const images = this.#cameras.flatMap(({ small, large }) => [small, large]);
		return [...images, ...this.#points.map(({ loader }) => loader)];
	}

	#choose(choice: CameraChoice): void {
		this.#store.patch({ cameras: formatCameras(choice) });
	}

	#notify(what: string, why?: string): void {
		this.#store.patch(withFault(this.#store.state, { code: "cameras", what, why }));
	}

	#opened(fields: readonly SensorField[]): void {
		const images = fields.filter(({ kind }) => kind === "image");
		const points = fields.filter(({ kind }) => kind === "points");
		const cut = [
			images.length > MAX_CAMERAS && `${MAX_CAMERAS} of ${images.length} cameras`,
			points.length > MAX_POINT_FIELDS &&
				`${MAX_POINT_FIELDS} of ${points.length} fields of points`,
		].filter(Boolean);
		if (cut.length > 0) this.#notify(`Only ${cut.join(" and ")} are shown`);
		for (const of of images.slice(0, MAX_CAMERAS)) this.#cameras.push(this.#camera(of));
		for (const of of points.slice(0, MAX_POINT_FIELDS))
			this.#points.push({ of, loader: this.#pointLoader(of) });
		if (fields.length === 0) return;
		this.#reportUnknown();
		this.#unsubscribe = this.#store.subscribe((state, before) => {
			const { scene, frame, sceneInfo, playing, cameras, layers, shown } = state;
			if (
				scene !== before.scene ||
				frame !== before.frame ||
				sceneInfo !== before.sceneInfo ||
				playing !== before.playing ||
				cameras !== before.cameras ||
				layers !== before.layers
			)
				this.#update();
			else if (shown !== before.shown) this.#publish();
		});
		const { pageLayers } = this.#store.state;
		if (this.#points.length > 0)
			this.#store.patch({ pageLayers: [this.#layer, ...pageLayers] });
		this.#update();
	}

	/** Reports names in a link that the data lacks. */
	#reportUnknown(): void {
		const { names = [], large } = this.#choice;
		const known = new Set(this.#cameras.map(({ of }) => of.name));
		const asked = large === undefined ? names : [...names, large];
		const unknown = [...new Set(asked)].filter((name) => !known.has(name));
		if (unknown.length === 0) return;
		const found = `found ${unknown.join(", ")}, expected ${[...known].join(", ")}`;
		this.#notify("Link", `unknown cameras (${found})`);
	}

	#camera(of: SensorField): Camera {
		const loader = (width: number, budget: number) =>
			new RowLoader<DecodedImage>({
				read: async (row, signal, sequential) => {
					const found = await readRow(this.#from, of, row, { signal, sequential });
					try {
						const { values } = found;
						return values && (await decodeImage(values as Uint8Array, width));
					} finally {
						found.release();
					}
				},
				bytesOf: ({ bitmap }) => 4 * bitmap.width * bitmap.height,
				release: ({ bitmap }) => bitmap.close(),
				onChange: () => this.#publish(),
				budget,
			});
		return { of, small: loader(SMALL, SMALL_BYTES), large: loader(LARGE, LARGE_BYTES) };
	}

	#pointLoader(of: SensorField): RowLoader<RowPoints> {
		return new RowLoader<RowPoints>({
			read: async (row, signal, sequential) => {
				const found = await readRow(this.#from, of, row, { signal, sequential });
				const { values, width, release } = found;
				if (values instanceof Float32Array || values instanceof Float64Array)
					return { data: values, width, release };
				release();
				if (values === undefined) return undefined;
				throw new BevError("unsupported", `${of.name}: points are not floats`);
			},
			bytesOf: ({ data }) => data.byteLength,
			release: (points) => points.release(),
			onChange: () => this.#publish(),
			budget: POINT_BYTES,
		});
	}

	/** Requests what the state shows. */
	#update(): void {
		const { state } = this.#store;
		if (state.sceneInfo !== this.#scene) this.#join(state.sceneInfo);
		this.#isUpdating = true;
		const { open, large } = this.#choice;
		const isSeen = open && this.#visible;
		for (const { of, small, large: enlarged } of this.#cameras) {
			const on = isSeen && isOn(this.#choice, of.name);
			const isLarge = of.name === large;
			this.#request(on && !isLarge, of.table, small);
			this.#request(on && isLarge, of.table, enlarged);
		}
		const on = state.layers.has("points");
		for (const { of, loader } of this.#points) this.#request(on, of.table, loader);
		this.#isUpdating = false;
		this.#publish();
	}

	/** Reads which rows belong to the frames of a scene. */
	#join(scene: ViewerState["sceneInfo"]): void {
		this.#scene = scene;
		this.#rows = new Map();
		this.#joining.cancel();
		if (!scene) return;
		const all = [...this.#cameras, ...this.#points].map(({ of }) => of.table);
		const options = { frames: this.#frames, tables: this.#from, ...this.#settings };
		const read = (signal: AbortSignal) =>
			Promise.all(
				[...new Set(all)].map(async (table): Promise<[SensorTable, Rows]> => {
					try {
						return [table, await frameRows(table, scene.index, { ...options, signal })];
					} catch (error) {
						signal.throwIfAborted();
						return [table, messageOf(error)];
					}
				}),
			);
		void this.#joining.run(read, {
			done: (rows) => {
				this.#rows = new Map(rows);
				this.#update();
			},
			failed: () => {},
		});
	}

	#request<T>(on: boolean, table: SensorTable, loader: RowLoader<T>): void {
		if (!on) {
			loader.clear();
			return;
		}
		const { frame, playing } = this.#store.state;
		const rows = this.#rows.get(table);
		const at = (of: number): FrameRow[] => {
			const row = typeof rows === "string" ? NO_ROW : (rows?.[of] ?? NO_ROW);
			return row >= 0 ? [{ frame: of, row }] : [];
		};
		const [wanted] = at(frame);
		const ahead = Array.from({ length: playing ? AHEAD : 0 }, (_, k) => frame + 1 + k);
		loader.want(wanted, ahead.flatMap(at), playing);
	}

	/** Returns what a field has for the requested frame. */
	#shown<T>(of: SensorField, loader: RowLoader<T>): Shown<T> {
		const { frame, sceneInfo } = this.#store.state;
		const rows = this.#rows.get(of.table);
		if (!sceneInfo || rows === undefined) return { state: "late" };
		if (typeof rows === "string") return { state: "failed", why: rows };
		const row = rows[frame] ?? NO_ROW;
		if (row >= 0) return loader.shown ?? { state: "late" };
		const why =
			row === NO_ROW ? "No row for this frame" : "Several rows for this frame";
		return { state: "absent", why };
	}

	/** Puts what was read into the state. */
	#publish(): void {
		if (this.#isUpdating) return; // once, at the end
		const { state } = this.#store;
		const choice = this.#choice;
		const cameras = this.#cameras.map(({ of, small, large }): CameraView => {
			const isLarge = of.name === choice.large;
			const shown = this.#shown(of, isLarge ? large : small);
			return { name: of.name, on: isOn(choice, of.name), large: isLarge, shown };
		});
		const points = this.#points.map(({ of, loader }) => this.#shown(of, loader));
		const hasLayer = state.layers.has("points");
		const sensed: SensorsView = {
			...{ cameras, open: choice.open, hasPoints: points.length > 0 },
			pointsDue: hasLayer && points.some(({ state }) => state === "late"),
			pointWords: hasLayer ? pointWords(points) : "",
			settled: () => this.#settled(),
		};
		const isMoved = this.#place(points);
		this.#store.patch({
			sensed,
			// A new list makes the picture draw the points.
			...(isMoved && { pageLayers: [...state.pageLayers] }),
		});
	}

	/** Gives the layer the points of the displayed frame; returns whether they changed. */
	#place(all: readonly Shown<RowPoints>[]): boolean {
		const { shown: frame, scene, frame: wanted, layers } = this.#store.state;
		const isCurrent = frame?.scene === scene && frame.frame === wanted;
		const placed = all.flatMap((shown, i): PlacedPoints[] => {
			if (shown.state !== "current" || !isCurrent || !layers.has("points")) return [];
			const pose = this.#points[i]?.of.inWorld ? WORLD : frame.ego;
			return [{ points: shown.value, pose }];
		});
		const before = this.#layer.placed;
		const isSame =
			placed.length === before.length &&
			placed.every(
				({ points, pose }, i) =>
					before[i]?.points === points && before[i]?.pose === pose,
			);
		if (!isSame) this.#layer.placed = placed;
		return !isSame;
	}

	async #settled(): Promise<void> {
		const isKnown = (): boolean => {
			const { sensed, sceneInfo } = this.#store.state;
			if (!sensed || !sceneInfo) return true;
			if (sensed.pointsDue) return false;
			const seen = sensed.open && this.#visible ? sensed.cameras : [];
			return !seen.some(({ on, shown }) => on && shown.state === "late");
		};
		await until(this.#store, isKnown, new AbortController().signal);
	}
}
