import { css, html, type PropertyValues, type TemplateResult } from "lit";
import { drawInto, OwnThumbnails } from "../gallery/thumbnails.js";
import type { ViewerState } from "../session/state.js";
import { BevElement } from "../ui/bev-element.js";

/** Time that the pointer rests before its frame is drawn, in milliseconds. */
const REST_MS = 150;

const thumbnailStyles = css`
/* Takes no room unless frames can be drawn. */
:host(:not([drawn])) { display: none; }
:host([drawn]) { display: block; width: 192px; height: 108px; margin-top: 4px; background: var(--_ground); border-radius: 4px; overflow: hidden; }
canvas { display: block; width: 100%; height: 100%; }
`;

/** A picture of the frame under the pointer. */
export class FrameThumbnail extends BevElement {
	static override styles = thumbnailStyles;
	static override properties = {
		...BevElement.properties,
		frame: { attribute: false },
	};

	declare frame: number;
	readonly #images = new OwnThumbnails();
	#control = new AbortController();
	#drawn: readonly unknown[] = [];
	#of: readonly unknown[] = [];

	constructor() {
		super();
		this.frame = 0;
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#control.abort();
		this.#images.drop();
	}

	protected watched({ dataset, map, scene }: ViewerState): readonly unknown[] {
		return [dataset, map, scene];
	}

	protected override render(): TemplateResult {
		return html`<canvas width="0" height="0"></canvas>`;
	}

	protected override updated(_: PropertyValues<this>): void {
		const { dataset, map, scene } = this.state;
		if (dataset !== this.#of[0] || map !== this.#of[1]) this.#images.drop();
		this.#of = [dataset, map];
		const now = [dataset, map, scene, this.frame];
		if (now.every((value, i) => value === this.#drawn[i])) return;
		this.#drawn = now;
		this.#control.abort();
		this.#control = new AbortController();
		void this.#draw(scene, this.frame, this.#control.signal);
	}

	async #draw(scene: number, frame: number, signal: AbortSignal): Promise<void> {
		const canvas = this.renderRoot.querySelector("canvas");
		if (!canvas) return;
		// The previous frame's picture is not shown under this frame's number.
		canvas.width = 0;
		delete canvas.dataset.frame;
		await new Promise((resolve) => setTimeout(resolve, REST_MS));
		if (signal.aborted) return;
		const at = { scene, frame, track: undefined };
		const image = await this.#images
			.of(this)
			?.image(at, signal)
			.catch(() => {});
		if (!image || signal.aborted) return;
		drawInto(canvas, image);
		canvas.dataset.frame = String(frame);
		this.toggleAttribute("drawn", true);
	}
}
