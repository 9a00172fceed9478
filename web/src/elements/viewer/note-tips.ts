import { css, html, nothing, type ReactiveController, type TemplateResult } from "lit";
import { type Pin, pinAt, pinLayer, pinsOf } from "../notes/note-pins.js";
import { type Point, screenFromWorld } from "../scene-view/camera.js";
import type { SceneView } from "../scene-view/scene-view.js";
import type { ViewerHost } from "./viewer-host.js";

export const noteTipStyles = css`
.note-tip { position: absolute; z-index: 3; left: min(var(--_x), calc(100% - 200px)); top: var(--_y); max-width: min(360px, calc(100% - 24px)); padding: 6px 10px; background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; pointer-events: none; }
`;

/** Maximum number of characters of a note shown at its pin. */
const MAX_TIP = 300;

/** Draws pins at the places of the scene's notes, and shows the text of the hovered one. */
export class NoteTips implements ReactiveController {
	readonly #host: ViewerHost;
	#pins: readonly Pin[] = [];
	#of: readonly unknown[] = [];
	#remove = (): void => {};
	#over: Pin | undefined;
	#at: Point = { x: 0, y: 0 };

	constructor(host: ViewerHost) {
		this.#host = host;
		host.addController(this);
	}

	hostConnected(): void {
		this.#host.addEventListener("pointermove", this.#onMove);
	}

	hostDisconnected(): void {
		this.#host.removeEventListener("pointermove", this.#onMove);
	}

	hostUpdated(): void {
		const { controller, state, renderRoot } = this.#host;
		const tip = renderRoot.querySelector<HTMLElement>(".note-tip");
		tip?.style.setProperty("--_x", `${this.#at.x + 12}px`);
		tip?.style.setProperty("--_y", `${this.#at.y + 12}px`);
		const of = [state.notes, state.scene, state.dataset];
		if (of.every((one, i) => one === this.#of[i])) return;
		this.#of = of;
		this.#remove();
		this.#remove = () => {};
		this.#pins = pinsOf(state);
		this.#show(undefined);
		if (this.#pins.length > 0 && controller)
			this.#remove = controller.addLayer(pinLayer(this.#pins));
	}

	/** Renders the text of the hovered pin. */
	render(): TemplateResult | typeof nothing {
		if (!this.#over) return nothing;
		const { note, number } = this.#over;
		const text =
			note.text.length > MAX_TIP ? `${note.text.slice(0, MAX_TIP)}…` : note.text;
		return html`<div class="note-tip"><span class="mono">${number}</span> ${text}</div>`;
	}

	#show(pin: Pin | undefined): void {
		if (pin === this.#over) return;
		this.#over = pin;
		this.#host.requestUpdate();
	}

	readonly #onMove = (event: PointerEvent): void => {
		if (this.#pins.length === 0) return;
		const picture = this.#host.renderRoot.querySelector<SceneView>("bev-scene-view");
		if (!picture || !event.composedPath().includes(picture)) {
			this.#show(undefined);
			return;
		}
		const { left, top } = picture.getBoundingClientRect();
		const at = { x: event.clientX - left, y: event.clientY - top };
		const project = (x: number, y: number) => screenFromWorld(picture.view, x, y);
		this.#at = at;
		this.#show(pinAt(this.#pins, at, project));
	};
}
