import { adoptStyles, type LitElement } from "lit";
import { messageOf } from "../../base/errors.js";
import type { ViewerController } from "../session/controller.js";
import { Lazy } from "../session/lazy-object.js";
import type { FrameBlend } from "./frame-blend.js";

/** Time after which slow reading is reported, in milliseconds. */
const SLOW_MS = 500;

type Code = typeof import("./scene-controls.js");

/** The picture whose controls are loaded. */
interface Host extends LitElement {
	readonly controller: ViewerController | undefined;
}

/** Loads a picture's controls, its notes and the motion between frames after it. */
export class LazyControls {
	readonly #host: Host;
	readonly #tilt = new Lazy(
		() => import("../draw/tilt/tilt.js"),
		(error) => {
			const { controller } = this.#host;
			controller?.notify(`Viewer: loading tilted pictures failed: ${messageOf(error)}`);
			controller?.setCamera({ ...controller.state.camera, tilt: undefined });
		},
	);
	#code: Code | undefined;
	#blend: FrameBlend | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(host: Host) {
		this.#host = host;
	}

	/** The code; undefined until it is loaded. */
	get code(): Code | undefined {
		return this.#code;
	}

	/** Motion between frames; undefined until it is loaded. */
	get blend(): FrameBlend | undefined {
		return this.#blend;
	}

	/** Loads the code; rejects if that fails. */
	async load(): Promise<void> {
		if (this.#code) return;
		const code = await import("./scene-controls.js");
		const host = this.#host;
		if (!this.#code) {
			this.#code = code;
			this.#blend = new code.FrameBlend();
			if (host.renderRoot instanceof ShadowRoot) {
				const { elementStyles } = host.constructor as typeof LitElement;
				adoptStyles(host.renderRoot, [...elementStyles, ...code.styles]);
			}
			host.requestUpdate();
		}
		await host.updateComplete;
	}

	/**
	 * Loads the code after the first picture, or to display a failure or delay; called
	 * after changes of the state.
	 */
	need(): void {
		const { controller } = this.#host;
		if (controller?.state.camera.tilt && !controller.state.solids)
			void this.#tilt.use(({ SOLIDS }) => controller.store.patch({ solids: SOLIDS }));
		if (this.#code) return;
		const { phase, pictured, frameProblem } = this.#host.controller?.state ?? {};
		if (phase !== "ready") return;
		if (pictured || frameProblem) {
			clearTimeout(this.#timer);
			this.#start(0);
		} else if (this.#timer === undefined) this.#start(SLOW_MS);
	}

	#start(wait: number): void {
		this.#timer = setTimeout(() => {
			this.load().catch((error: unknown) => {
				this.#host.controller?.notify(
					`Viewer: loading the picture's controls failed: ${messageOf(error)}`,
				);
			});
		}, wait);
	}
}
