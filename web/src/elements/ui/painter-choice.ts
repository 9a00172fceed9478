import { Latest } from "../../latest.js";
import type { GlPainter } from "../draw/gl/gl-painter.js";
import type { Picture } from "../draw/picture.js";

export const PAINTERS = ["auto", "canvas2d", "webgl2"] as const;

/** `auto`: WebGL2 where there is a GPU and much to draw. */
export type PainterName = (typeof PAINTERS)[number];

/** From here on Canvas2D takes longer for a picture than the screen waits. */
const MANY_LANES = 1000;
const MANY_AGENTS = 300;

/** Renderers that draw on the processor, where Canvas2D is several times faster. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether `auto` would have a GPU draw it. */
export function isHeavy({ map, frame }: Pick<Picture, "map" | "frame">): boolean {
	const lanes = map?.lanes.length ?? 0;
	return lanes >= MANY_LANES || (frame?.agents.length ?? 0) >= MANY_AGENTS;
}

/** Whether the renderer of that name draws without a GPU; none that tells its name is one. */
export function isSoftware(renderer: string): boolean {
	return renderer === "" || SOFTWARE.test(renderer);
}

/** Which painter draws; loads the one by WebGL2 when it is first wanted. */
export class PainterChoice {
	readonly #onChange: () => void;
	#wanted: PainterName = "auto";
	#gl: GlPainter | undefined;
	#phase: "none" | "loading" | "there" | "refused" = "none";
	readonly #loading = new Latest();

	/** @param onChange called when another painter than before would draw */
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

	/** A painter is being loaded that will draw what another draws until then. */
	get pending(): boolean {
		return this.#phase === "loading";
	}

	/** What draws `picture` by WebGL2; undefined where Canvas2D is to. */
	glFor(picture: Picture): GlPainter | undefined {
		if (this.#wanted === "canvas2d") return undefined;
		if (this.#wanted === "auto" && !isHeavy(picture)) return undefined;
		if (this.#phase === "none") void this.#load();
		return this.#gl;
	}

	/** Gives the context back; the next picture that wants it makes another. */
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
		const { GlPainter } = await import("../draw/gl/gl-painter.js");
		const made = GlPainter.make(() => this.#onChange());
		if (this.#wanted === "webgl2" || !made || !isSoftware(made.renderer)) return made;
		made.release();
		return undefined;
	}
}
