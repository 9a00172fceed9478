import type { DistributionRows } from "../../reviewing/remote-distribution.js";
import type { PageLayer } from "../draw/page-layer.js";

/** How much of an agent's box is covered. */
const VEIL = 0.75;

/** Radius around the centre that is covered in any case, CSS pixels. */
const SMALL = 7;

/** Returns a layer that dims a scene's agents but those of the rows. */
export function keptAgents(scene: number, { tracks }: DistributionRows): PageLayer {
	const kept = new Set(
		BigUint64Array.from(tracks, (track) => BigInt.asUintN(64, track)),
	);
	return {
		name: "agents dimmed by distributions",
		draw(ctx, view, frame) {
			if (frame?.scene !== scene) return;
			const { corners, centroid, track_id } = frame.agents;
			ctx.fillStyle = getComputedStyle(ctx.canvas).getPropertyValue("--_ground");
			ctx.globalAlpha = VEIL;
			ctx.beginPath();
			for (let i = 0; i < track_id.length; i += 1) {
				if (kept.has(track_id[i] ?? 0n)) continue;
				for (let k = 0; k < 4; k += 1) {
					const at = 8 * i + 2 * k;
					const { x, y } = view.project(corners[at] ?? NaN, corners[at + 1] ?? NaN);
					if (k === 0) ctx.moveTo(x, y);
					else ctx.lineTo(x, y);
				}
				ctx.closePath();
				// Small boxes are drawn larger than they are.
				const { x, y } = view.project(
					centroid[2 * i] ?? NaN,
					centroid[2 * i + 1] ?? NaN,
				);
				ctx.moveTo(x + SMALL, y);
				ctx.arc(x, y, SMALL, 0, 2 * Math.PI);
			}
			ctx.fill();
		},
	};
}
