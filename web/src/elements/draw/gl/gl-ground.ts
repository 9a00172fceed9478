import type { MapView } from "../../../dataset/map-view.js";
import type { MapLine } from "../map-lines.js";
import type { MapShape } from "../map-shapes.js";
import {
	type Aerial,
	type GroundPen,
	type Projection,
	screenFromImage,
} from "../picture.js";
import type { GlPen } from "./gl-pen.js";
import type { DrawOp, MeshOp } from "./gpu.js";
import { MapMesh } from "./map-mesh.js";
import { type IndexRange, Mesh } from "./mesh.js";

/** Records which of a map's triangles are drawn; the vertices stay on the GPU. */
export class GlGround implements GroundPen {
	/** Indices into the map's vertices. */
	readonly picked = new Mesh(4);
	readonly #pen: GlPen;
	readonly #onOp: (op: DrawOp) => void;
	#projection: Projection | undefined;
	#known: { readonly map: MapView; readonly mesh: MapMesh } | undefined;

	constructor(pen: GlPen, onOp: (op: DrawOp) => void) {
		this.#pen = pen;
		this.#onOp = onOp;
	}

	/** Starts a picture, which `projection` projects to CSS pixels. */
	begin(projection: Projection): void {
		this.picked.clear();
		this.#projection = projection;
	}

	/** Returns the triangles of `map`, cached. */
	meshOf(map: MapView): MapMesh {
		if (this.#known?.map !== map) this.#known = { map, mesh: new MapMesh(map) };
		return this.#known.mesh;
	}

	/**
	 * Merges opaque areas into one operation; translucent areas are drawn one by one and
	 * blend.
	 */
	fillAreas(map: MapView, areas: readonly MapShape[]): void {
		const mesh = this.meshOf(map);
		const ranges = areas.map((area) => mesh.areaOf(area));
		const groups = this.#pen.globalAlpha === 1 ? [ranges] : ranges.map((r) => [r]);
		const colour = String(this.#pen.fillStyle);
		for (const group of groups) this.#emit(mesh, "fan", group, colour);
	}

	strokeLines(map: MapView, lines: readonly MapLine[]): void {
		const mesh = this.meshOf(map);
		const ranges = lines.map((line) => mesh.lineOf(line));
		this.#emit(mesh, "strip", ranges, String(this.#pen.strokeStyle));
	}

	drawAerial({ image, fromWorld }: Aerial): void {
		if (!this.#projection) return;
		const toScreen = screenFromImage(this.#projection, fromWorld);
		const alpha = this.#pen.globalAlpha;
		this.#onOp({ of: "image", image, mipmaps: true, toScreen, alpha });
	}

	#emit(
		{ mesh }: MapMesh,
		kind: MeshOp["kind"],
		ranges: readonly IndexRange[],
		colour: string,
	): void {
		const range = this.picked.range(() => {
			for (const r of ranges) {
				this.picked.addIndices(mesh.indices.subarray(r.begin, r.end));
			}
		});
		if (range.end === range.begin) return;
		const { globalAlpha: alpha, lineWidth: width } = this.#pen;
		this.#onOp({ of: "map", kind, range, colour, alpha, width });
	}
}
