import { Latest } from "../../base/latest.js";
import type { GlPainter } from "./gl/gl-painter.js";
import type { Picture } from "./picture.js";

export const PAINTERS = ["auto", "canvas2d", "webgl2"] as const;

/** `auto`: WebGL2 if there is a GPU and the picture is complex. */
export type PainterName = (typeof PAINTERS)[number];

/** Limits above which Canvas2D takes longer than a display frame. */
const MANY_LANES = 1000;
const MANY_AGENTS = 300;

/** Software renderers, with which Canvas2D is several times faster than WebGL2. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Returns whether `auto` prefers the GPU for this picture. */
export function isHeavy({ map, frame }: Pick<Picture, "map" | "frame">): boolean {
	const lanes = map?.lanes.length ?? 0;
	return lanes >= MANY_LANES || (frame?.agents.length ?? 0) >= MANY_AGENTS;
}

/** Returns whether a renderer uses no GPU; an empty name counts as software. */
export function isSoftware(renderer: string): boolean {
	return renderer === "" || SOFTWARE.test(renderer);
}

/** Chooses the painter; loads the WebGL2 painter on first use. */
export class PainterChoice {
	readonly #onChange: () => void;
	#wanted: PainterName = "auto";
	#gl: GlPainter | undefined;
	#phase: "none" | "loading" | "there" | "refused" = "none";
	readonly #loading = new Latest();

	/** @param onChange called when another painter should redraw */
	constructor(onChange: () => void) {
		this.#onChange = onChange;
	}

	get wanted(): PainterName {
		return this.#wanted;
	}

	set wanted(wanted: PainterName) {
		if (wanted === this.#wanted) return;
		this.#wanted = wanted;
		this.release();
		this.#onChange();
	}

	/** Whether the WebGL2 painter is loading; until then Canvas2D draws. */
	get pending(): boolean {
		return this.#phase === "loading";
	}

	/** Returns the WebGL2 painter for `picture`; undefined to use Canvas2D. */
	glFor(picture: Picture): GlPainter | undefined {
		if (this.#wanted === "canvas2d") return undefined;
		if (this.#wanted === "auto" && !isHeavy(picture)) return undefined;
		if (this.#phase === "none") void this.#load();
		return this.#gl;
	}

	/** Releases the WebGL2 context; it is recreated on demand. */
	release(): void {
		this.#loading.cancel();
		this.#gl?.release();
		this.#gl = undefined;
		this.#phase = "none";
	}

	async #load(): Promise<void> {
		this.#phase = "loading";
		const done = (made: GlPainter | undefined): void => {
			this.#gl = made;
			this.#phase = made ? "there" : "refused";
			this.#onChange();
		};
		await this.#loading.run(() => this.#make(), {
			done,
			failed: () => done(undefined),
			discard: (made) => made?.release(),
		});
	}

	async #make(): Promise<GlPainter | undefined> {
		const { GlPainter } = await import("./gl/gl-painter.js");
		const made = GlPainter.make(() => this.#onChange());
		if (this.#wanted === "webgl2" || !made || !isSoftware(made.renderer)) return made;
		made.release();
		return undefined;
	}
}
