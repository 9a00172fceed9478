import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SceneFutures } from "../../web/src/reviewing/remote-futures.js";
import { section, strip } from "../support/submission-page.js";
import * as app from "./viewer-harness.js";

// Waymo's own submission and scenario: CONTRIBUTING.md, BEV_WAYMO.
const { BEV_WAYMO } = process.env;
const file = (name: string): Uint8Array => readFileSync(join(BEV_WAYMO ?? "", name));
const SUBMISSION = "sim_agents/testdata/test_submission.binproto";

describe.skipIf(!BEV_WAYMO)("Waymo's submission", () => {
	const suite = app.useViewer(() => ({
		objects: new Map([
			["/data/one.tfrecord", file("testdata/motion_data_one_scenario.tfrecord")],
		]),
	}));

	it("is read to the last bit when it is dropped, and its collisions are all", async () => {
		const link = "v=1&src=/data/one.tfrecord&f=11";
		const { page, complaints } = await app.openApp(suite, { link });
		await app.settled(page);
		await app.dropFiles(page, [join(BEV_WAYMO ?? "", SUBMISSION)]);
		await section(page, "test_submission.binproto")
			.getByText("32 joint futures of 50 agents, 4 evaluated.")
			.waitFor();
		const controller = await app.controllerOf(page);
		await page.waitForFunction(
			({ state: { futures } }) => futures?.sets.every(({ curves }) => curves),
			controller,
		);
		const found = await controller.evaluate(async ({ state }) => {
			const here = state.futures?.sets[0]?.here;
			if (!here) throw new Error("the scene is not in the submission");
			const digest = await crypto.subtle.digest("SHA-256", here.poses.slice());
			const hex = Array.from(new Uint8Array(digest), (byte) =>
				byte.toString(16).padStart(2, "0"),
			);
			const { ids, rollouts, steps, values, firstStep, origin, mismatches } = here;
			return {
				...{ rollouts, steps, values, firstStep, origin, mismatches },
				agents: ids.length,
				sha: hex.join(""),
				colliding: Array.from(here.measures.colliding),
				evaluated: Array.from(here.measures.evaluated, (a) => ({
					id: Number(ids[a]),
					futures: Array.from({ length: rollouts }, (_, r) => r).filter(
						(r) => (here.measures.collision_step[r * ids.length + a] ?? -1) >= 0,
					).length,
				})),
			};
		});
		expect(found).toMatchObject({
			...{ agents: 50, rollouts: 32, steps: 80, values: 4, firstStep: 11 },
			...{ origin: [0, 0], mismatches: [] },
			sha: "431e86743ef4361ee5197c70b9970bd1fa34218e4b313e1393aa8fd4b040b079",
			evaluated: [
				{ id: 1675, futures: 0 },
				{ id: 1676, futures: 24 },
				{ id: 2320, futures: 32 },
				{ id: 2406, futures: 32 },
			],
		});
		expect(await controller.evaluate(bruteForce)).toEqual(found.colliding);
		const words = await strip(page).getAttribute("aria-label");
		expect(words).toBe("Futures, by number; collisions in 32 of 32");
		expect(complaints).toEqual([]);
	});
});

/** Counts, for each future, the agents whose rectangle touches another one's. */
function bruteForce({
	state,
}: {
	readonly state: {
		readonly futures?:
			| { readonly sets: readonly { readonly here: SceneFutures | null | undefined }[] }
			| undefined;
	};
}): number[] {
	const f = state.futures?.sets[0]?.here;
	if (!f?.sizes) throw new Error("no sizes");
	const { sizes, poses, steps } = f;
	const agents = f.ids.length;
	const value = (r: number, a: number, v: number, t: number): number =>
		poses[((r * agents + a) * 4 + v) * steps + t] ?? Number.NaN;
	const boxOf = (r: number, a: number, t: number) => {
		const yaw = value(r, a, 3, t);
		const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
		const [length = 0, width = 0] = sizes.subarray(3 * a, 3 * a + 2);
		const [x, y] = [value(r, a, 0, t), value(r, a, 1, t)];
		return { x, y, cos, sin, length, width };
	};
	type Box = ReturnType<typeof boxOf>;
	/** Returns whether an axis of `one` separates the boxes. */
	const separates = (one: Box, other: Box): boolean => {
		const [dx, dy] = [other.x - one.x, other.y - one.y];
		const ahead = Math.abs(one.cos * dx + one.sin * dy);
		const aside = Math.abs(one.cos * dy - one.sin * dx);
		const cos = Math.abs(one.cos * other.cos + one.sin * other.sin);
		const sin = Math.abs(one.cos * other.sin - one.sin * other.cos);
		return (
			2 * ahead > one.length + other.length * cos + other.width * sin ||
			2 * aside > one.width + other.length * sin + other.width * cos
		);
	};
	return Array.from({ length: f.rollouts }, (_, r) => {
		const hit = new Set<number>();
		for (let t = 0; t < steps; t += 1) {
			const boxes = Array.from({ length: agents }, (_one, a) => boxOf(r, a, t));
			for (let a = 0; a < agents; a += 1) {
				for (let b = a + 1; b < agents; b += 1) {
					const [one, other] = [boxes[a], boxes[b]];
					if (!one || !other || separates(one, other) || separates(other, one))
						continue;
					hit.add(a).add(b);
				}
			}
		}
		return hit.size;
	});
}
