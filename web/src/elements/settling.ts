import type { FrameView } from "../frame-view.js";
import type { MapView } from "../map-view.js";
import type { AerialView } from "./aerial.js";
import type { MapState, ViewerState } from "./state.js";
import type { Store } from "./store.js";

/** What one scene view's canvas shows. */
export interface Painted {
	readonly shown: FrameView | undefined;
	readonly map: MapView | undefined;
	readonly laneColours: Uint8Array | undefined;
	readonly aerial?: AerialView | undefined;
}

/** `failed` names the reason; undefined while things may still change by themselves. */
type Outcome = { readonly failed?: string } | undefined;

function isKnown(state: MapState): boolean {
	return state !== "unknown" && state !== "loading";
}

function outcomeOf(state: ViewerState): Outcome {
	const { phase, shown, frame, scene, mapState, laneColoursDue } = state;
	const { problem, frameProblem, layers, aerialState, shownDue } = state;
	if (phase === "empty") return {};
	if (phase === "failed") return { failed: problem?.why ?? "opening failed" };
	if (frameProblem) return { failed: frameProblem.why };
	const found = shown?.frame === frame && shown.scene === scene && !shownDue;
	const mapKnown = isKnown(mapState) && !laneColoursDue;
	const aerialKnown = !layers.has("aerial") || isKnown(aerialState);
	return phase === "ready" && found && mapKnown && aerialKnown ? {} : undefined;
}

/** Tells when nothing more will change by itself. */
export class Settling {
	readonly #store: Store<ViewerState>;
	readonly #pictures = new Map<object, Painted>();
	readonly #checks = new Set<() => void>();

	constructor(store: Store<ViewerState>) {
		this.#store = store;
	}

	/** A picture tells what it shows; undefined when it goes away. */
	painted(picture: object, painted: Painted | undefined): void {
		if (painted) this.#pictures.set(picture, painted);
		else this.#pictures.delete(picture);
		for (const check of [...this.#checks]) check();
	}

	promise(): Promise<void> {
		return new Promise((resolve, reject) => {
			const check = () => {
				const outcome = outcomeOf(this.#store.state);
				if (!outcome) return;
				if (outcome.failed === undefined && !this.#drawn()) return;
				this.#checks.delete(check);
				unsubscribe();
				if (outcome.failed === undefined) resolve();
				else reject(new Error(outcome.failed));
			};
			const unsubscribe = this.#store.subscribe(check);
			this.#checks.add(check);
			check();
		});
	}

	#drawn(): boolean {
		const { shown, map, laneColours, aerial } = this.#store.state;
		return [...this.#pictures.values()].every(
			(p) =>
				p.shown === shown &&
				p.map === map &&
				p.laneColours === laneColours &&
				p.aerial === aerial,
		);
	}
}
