import { BevError } from "../../base/errors.js";
import type { LinkState } from "../link/link.js";
import type { ViewerHost } from "./viewer-host.js";

/** A part of the position in the data set. */
type Where = "scene" | "frame";

/** The position that the page sets, and the displayed one. */
export class Position {
	readonly #host: ViewerHost;
	/** The position set by the page; null means 0. */
	readonly #wanted: Record<Where, number | null> = { scene: null, frame: null };
	/** What was set since the last update. */
	readonly #due = new Set<Where>();

	constructor(host: ViewerHost) {
		this.#host = host;
	}

	/** The displayed position; without a data set, the initial one. */
	get(where: Where): number | null {
		const { dataset, sceneInfo, shown } = this.#host.state;
		if (!dataset) return this.#wanted[where];
		return (where === "scene" ? sceneInfo?.index : shown?.frame) ?? null;
	}

	/** Sets a part of the position; it takes effect in the next update. */
	set(where: Where, value: number | string | null | undefined): void {
		const number = value === null || value === undefined ? null : Number(value);
		if (number !== null && !(Number.isSafeInteger(number) && number >= 0)) {
			this.#host.controller?.notify(
				`${where}: invalid index (found ${value}, expected a whole number from 0)`,
			);
			return;
		}
		this.#wanted[where] = number;
		this.#due.add(where);
		this.#host.requestUpdate(where, Number.NaN);
	}

	/** Returns the initial position for a data set that is opened now. */
	start(): LinkState {
		this.#due.clear();
		const { scene, frame } = this.#wanted;
		return { scene: scene ?? undefined, frame: frame ?? undefined };
	}

	/** Seeks to what was set since the last update. */
	steer(): void {
		if (this.#due.size === 0) return;
		const frame = this.#wanted.frame ?? 0;
		const where = this.#due.has("scene")
			? { scene: this.#wanted.scene ?? 0, frame }
			: { frame };
		this.#due.clear();
		const { controller, state } = this.#host;
		if (controller?.amendStart(where)) return;
		if (state.phase === "ready") controller?.goTo(where);
	}

	/** Opens a scene at a frame; see `Viewer.goTo`. */
	async goTo(scene: number, frame: number): Promise<void> {
		const { controller, state } = this.#host;
		const { phase, sceneCount, sceneInfo } = state;
		const isOpen = phase === "ready" && scene === state.scene;
		const counts = {
			scene: phase === "ready" ? sceneCount : Infinity,
			frame: (isOpen && sceneInfo?.seconds.length) || Infinity,
		};
		for (const [name, index] of [
			["scene", scene],
			["frame", frame],
		] as const) {
			const last = counts[name] - 1;
			if (Number.isSafeInteger(index) && index >= 0 && index <= last) continue;
			throw new BevError("out_of_range", `goTo: ${name} ${index} is out of range`);
		}
		if (!controller?.amendStart({ scene, frame })) {
			if (phase !== "ready")
				throw new BevError("invalid_argument", "goTo: no data set");
			controller?.goTo({ scene, frame });
		}
		await controller?.displayed;
	}
}
